"""Gradient ascent with estimated gradients."""

import numpy as np

from viva.kits.gradient_estimators import landscape_gradient
from viva_course.reference.gradient_estimators.smoothing import smoothed_estimators


def ascend(kind, start, sigma, n, eta, steps, rng):
    """The path of `steps` steps of size eta along a gradient, (steps + 1, 2), start included.

    kind "plain": the gradient of the landscape itself; "score", "reparam", "fd" (step 0.25):
    estimates of that of the landscape smoothed by sigma; another kind raises ValueError
    """
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError(f"no way up is called {kind!r}")
    path = [np.asarray(start, float)]
    for _ in range(steps):
        x, y = path[-1]
        uphill = (np.array(landscape_gradient(x, y)) if kind == "plain"
                  else smoothed_estimators(x, y, sigma, n, rng, kind))
        path.append(path[-1] + eta * uphill)
    return np.array(path)
