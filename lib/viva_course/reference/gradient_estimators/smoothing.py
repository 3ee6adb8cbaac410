"""A landscape blurred by a Gaussian: in closed form, and by three estimators."""

import numpy as np

from viva.kits.gradient_estimators import landscape, landscape_gradient


def smoothed_exact(x, y, s):
    """E f(x + s z_1, y + s z_2): a wave of squared frequency w2 is damped by exp(-w2 s^2 / 2)."""
    wave, ripple = np.exp(-31.25 * s**2 / 2), np.exp(-80 * s**2 / 2)
    hill = -((x - 2) ** 2) - (y - 2) ** 2 - 2 * s**2
    return wave * np.sin(2.5 * x - 5 * y) + ripple * np.cos(4 * x + 8 * y) + hill


def smoothed_grad_exact(x, y, s):
    """The gradient of smoothed_exact by (x, y), (2,)."""
    wave = np.exp(-31.25 * s**2 / 2) * np.cos(2.5 * x - 5 * y)
    ripple = np.exp(-80 * s**2 / 2) * np.sin(4 * x + 8 * y)
    return np.array([2.5 * wave - 4 * ripple - 2 * (x - 2), -5 * wave - 8 * ripple - 2 * (y - 2)])


def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    """An estimate of that gradient from n draws of the noise, (2,).

    kind "score": mean of f z / s; "reparam": mean of grad f; "fd": forward differences of step
    delta with common random numbers. Another kind, or s <= 0, raises ValueError
    """
    if s <= 0:
        raise ValueError("s must be positive")
    z = rng.standard_normal((2, n))
    u, v = x + s * z[0], y + s * z[1]
    if kind == "score":
        return (landscape(u, v) * z / s).mean(axis=1)
    if kind == "reparam":
        return np.array(landscape_gradient(u, v)).mean(axis=1)
    if kind == "fd":
        here = landscape(u, v)
        right, up = landscape(u + delta, v) - here, landscape(u, v + delta) - here
        return np.array([right.mean(), up.mean()]) / delta
    raise ValueError(f"no estimator is called {kind!r}")
