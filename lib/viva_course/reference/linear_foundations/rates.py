"""Learning rates from singular values, for ||Xw - y||^2."""

import numpy as np


def _nonzero_singular_values(X):
    """In descending order; what rounding leaves of a zero is dropped."""
    sigmas = np.linalg.svd(np.asarray(X, float), compute_uv=False)
    return sigmas[sigmas > 1e-6 * sigmas[0]]


def max_lr(X):
    """1 / sigma_max^2: below it gradient descent on ||Xw - y||^2 converges for every y.

    X  (n, d), not zero
    Returns a number.
    """
    return 1 / _nonzero_singular_values(X)[0] ** 2


def best_lr(X):
    """1 / (sigma_max^2 + sigma_min^2), sigma_min the smallest singular value that is not zero.

    X  (n, d), not zero
    Returns the rate with the smallest contraction, a number.
    """
    sigmas = _nonzero_singular_values(X)
    return 1 / (sigmas[0] ** 2 + sigmas[-1] ** 2)


def contraction(X, eta):
    """max_i |1 - 2 eta sigma_i^2| over the singular values that are not zero.

    X    (n, d), not zero
    eta  number > 0
    Returns a number; above 1 where the descent diverges.
    """
    return np.max(np.abs(1 - 2 * eta * _nonzero_singular_values(X) ** 2))
