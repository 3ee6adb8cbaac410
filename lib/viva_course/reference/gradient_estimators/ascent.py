"""Gradient ascent with estimated gradients, on the landscape and on its staircase."""

import numpy as np

from viva.kits.gradient_estimators import landscape_gradient, staircase
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


def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    """The same on the staircase smoothed by sigma, by the score estimator: (steps + 1, 2).

    baseline (x, y) -> number, of the centre of each cloud, or None
    """
    path = [np.asarray(start, float)]
    for _ in range(steps):
        z = rng.standard_normal((n, 2))
        heights = staircase(*(path[-1] + sigma * z).T)
        if baseline is not None:
            heights = heights - baseline(*path[-1])
        path.append(path[-1] + eta * (heights[:, None] * z / sigma).mean(axis=0))
    return np.array(path)


def best_baseline(point, sigma, n, rng):
    """E[q |z|^2] / E |z|^2: where the second moment of (q - b) z / sigma is least, from n draws.

    sigma <= 0 raises ValueError
    """
    if sigma <= 0:
        raise ValueError("sigma must be positive")
    z = rng.standard_normal((2, n))
    heights = staircase(point[0] + sigma * z[0], point[1] + sigma * z[1])
    return float(np.average(heights, weights=(z**2).sum(axis=0)))
