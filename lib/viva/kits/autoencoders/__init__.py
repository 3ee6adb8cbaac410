"""Data of the homework `autoencoders`: columns are samples."""

import numpy as np


def tricky_data(n, seed=0):
    """Twenty channels in which the label sits in a direction that hardly varies.

    Three directions are loud and say nothing, the fourth is quiet and is the label, up to a little
    noise. Returns X (20, n), labels (n,) of 0 and 1, and the four directions as rows (4, 20).
    """
    rng = np.random.default_rng(seed)
    directions = np.linalg.qr(np.random.default_rng(7).normal(size=(20, 4)))[0].T
    labels = rng.integers(2, size=n)
    codes = np.array([[6.0], [5.0], [4.0], [0.5]]) * rng.normal(size=(4, n))
    codes[3] = 0.7 * (2 * labels - 1) + 0.05 * rng.normal(size=n)
    return directions.T @ codes + 0.05 * rng.normal(size=(20, n)), labels, directions


def factor_data(n, seed=0):
    """A hundred noisy channels that five hidden factors drive; the label depends on the factors.

    Returns X (100, n) and labels (n,) of 0 and 1.
    """
    rng = np.random.default_rng(seed)
    fixed = np.random.default_rng(11)
    mixing, question = fixed.normal(size=(100, 5)), fixed.normal(size=5)
    factors = rng.normal(size=(5, n))
    labels = (question @ factors + 0.3 * rng.normal(size=n) > 0).astype(int)
    return mixing @ factors + 2.0 * rng.normal(size=(100, n)), labels
