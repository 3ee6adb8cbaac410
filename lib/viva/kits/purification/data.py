"""Synthetic data that notebooks hand to students, each from an explicit seed."""

import numpy as np


def make_low_rank(m, n, k, signal=1.0, noise=1.0, seed=0):
    """Noisy measurements of a signal that lives in k directions: Y = S + noise * N.

    S = signal * A B / sqrt(k) with A (m, k), B (k, n) and N (m, n) standard normal, drawn in
    this order: S has rank k and entries of variance signal^2, N has entries of variance 1.

    m, n:    channels and samples; columns are samples
    k:       rank of the clean signal
    signal:  standard deviation of an entry of S
    noise:   standard deviation of the measurement error
    seed:    of `numpy.random.default_rng`

    Returns (Y, S), both (m, n) float64: what is measured, and the truth.
    """
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(m, k))
    B = rng.normal(size=(k, n))
    S = signal * A @ B / np.sqrt(k)  # (m, n)
    return S + noise * rng.normal(size=(m, n)), S
