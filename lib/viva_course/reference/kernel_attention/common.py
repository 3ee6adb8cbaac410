"""What the sections share."""
import numpy as np


def as_float(x):
    """An array of float64 that shares memory with `x` where it can."""
    return np.asarray(x, dtype=np.float64)


def divide(numerator, denominator):
    """numerator / denominator, or ValueError where a denominator is 0 or not finite.

    numerator (..., N, M), denominator (..., N, 1) -> (..., N, M)
    """
    if not np.all(np.isfinite(denominator)) or np.any(denominator == 0):
        raise ValueError("a row of similarities sums to zero or is not finite")
    return numerator / denominator
