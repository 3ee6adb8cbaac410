"""Climbing a staircase by its heights alone, and the best baseline for it."""

import numpy as np

from viva.kits.gradient_estimators import staircase


def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    """The path up the staircase smoothed by sigma, by the score estimator: (steps + 1, 2).

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
