"""Rotary position embedding."""

import numpy as np


def rope(x, pos, base=10000.0):
    """Neighbouring pairs of x turned by pos times base^(-2(i-1)/d), i = 1 ... d/2.

    x (..., d), d even, else ValueError; pos broadcasts against x.shape[:-1]. Returns float64.
    """
    x = np.asarray(x, float)
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"{d} coordinates do not make pairs")
    angle = np.asarray(pos, float)[..., None] * base ** (-np.arange(0, d, 2) / d)  # (..., d/2)
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angle)
    return np.stack([turned.real, turned.imag], axis=-1).reshape(*turned.shape[:-1], d)
