"""Corrupted inputs, clean targets."""

import numpy as np


def corrupt(X, kind, level, rng):
    """X with noise of standard deviation `level`, or with entries set to 0 with probability
    `level`.

    X      array of any shape
    kind   "gaussian" or "mask"; anything else raises ValueError
    level  number >= 0, at most 1 for "mask"
    rng    numpy.random.Generator, the only source of randomness
    Returns a new array of the shape of X; X is not modified.
    """
    if kind == "gaussian":
        return X + level * rng.normal(size=X.shape)
    if kind == "mask":
        return X * (rng.random(X.shape) >= level)
    raise ValueError(f"kind is 'gaussian' or 'mask', not {kind!r}")


def denoising_linear_ae(X, k, noise_std):
    """U_k diag(sigma^2 / (sigma^2 + n s^2)) U_k^T: the rank-k W with the smallest
    E ||X - W (X + s N)||_F^2.

    X          (m, n), samples as columns
    k          rank, 1 <= k <= min(m, n)
    noise_std  the standard deviation s >= 0
    Returns W (m, m); X is not modified.
    """
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = s[:k] ** 2 / (s[:k] ** 2 + X.shape[1] * noise_std**2)
    return (U[:, :k] * gains) @ U[:, :k].T
