"""How large a random layer's output is, and how large its weights should be."""

import numpy as np


def dense_rms2(d_in, w_std, x_rms=1.0):
    """E rms(W x)^2 = d_in w_std^2 rms(x)^2 for independent centred weights."""
    return d_in * w_std**2 * x_rms**2


def mup_init_std(d_in, d_out):
    """min(1, sqrt(d_out / d_in)) / sqrt(d_in): the spectral norm is about sqrt(d_out / d_in)."""
    return float(min(1.0, np.sqrt(d_out / d_in)) / np.sqrt(d_in))
