"""What noise in the targets does to the weights, and the risk of regression without a penalty."""

import math

import numpy as np


def noise_gain(X, lam):
    """sum_i (sigma_i / (sigma_i^2 + lam))^2 over the singular values that are not zero.

    X    (n, p), not zero
    lam  number >= 0
    Returns E ||w||^2 of the ridge weights for targets of pure noise of variance 1, a number.
    """
    sigmas = np.linalg.svd(np.asarray(X, float), compute_uv=False)
    sigmas = sigmas[sigmas > 1e-6 * sigmas[0]]
    return np.sum((sigmas / (sigmas**2 + lam)) ** 2)


def ridgeless_risk(n, p, signal, noise):
    """noise p / (n - p - 1) below n, signal (1 - n/p) + noise n / (p - n - 1) above it.

    n, p    numbers of samples and of weights, integers >= 1
    signal  ||w*||^2, number >= 0
    noise   variance of the noise in the targets, number > 0
    Returns E ||w - w*||^2 of the shortest least-squares solution for standard Gaussian inputs;
    math.inf where |n - p| <= 1.
    """
    if abs(n - p) <= 1:
        return math.inf
    lost = signal * (1 - n / p) if p > n else 0.0
    return lost + noise * min(n, p) / (abs(n - p) - 1)
