"""Exact finite feature maps of polynomial kernels."""
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import numpy as np

from .common import as_float


@cache
def _pairs(D):
    """Indices i < j < D, two arrays in lexicographic order."""
    return np.triu_indices(D, k=1)


def poly2_features(X):
    """[1, sqrt2 x_i, x_i^2, sqrt2 x_i x_j (i < j)], so that phi(q) . phi(k) = (q . k + 1)^2.

    X (..., D) -> (..., (D + 1)(D + 2) / 2), pairs in lexicographic order.
    """
    X = as_float(X)
    i, j = _pairs(X.shape[-1])
    one = np.ones((*X.shape[:-1], 1))
    root2 = np.sqrt(2.0)
    return np.concatenate([one, root2 * X, X**2, root2 * X[..., i] * X[..., j]], axis=-1)


def poly_features(X, degree, alpha=1.0, c=1.0):
    """Features with phi(q) . phi(k) = (alpha q . k + c)^degree.

    One per multi-index |a| <= degree, of value
    sqrt(degree! / (a! (degree - |a|)!) alpha^|a| c^(degree - |a|)) x^a.
    X (..., D) -> (..., binomial(D + degree, degree)), a in the order of
    `combinations_with_replacement` over (constant, x_1, ..., x_D).
    """
    X = as_float(X)
    if degree < 0 or alpha < 0 or c < 0:
        raise ValueError("degree, alpha and c must not be negative")
    D = X.shape[-1]
    constant = np.full((*X.shape[:-1], 1), np.sqrt(c))
    extended = np.concatenate([constant, np.sqrt(alpha) * X], axis=-1)  # (..., 1 + D)
    chosen = list(combinations_with_replacement(range(D + 1), degree))
    chosen = np.array(chosen, dtype=int).reshape(len(chosen), degree)  # (C, degree)
    counts = np.stack([(chosen == d).sum(axis=1) for d in range(D + 1)], axis=1)  # (C, 1 + D)
    orders = np.array([factorial(n) for n in range(degree + 1)], dtype=float)
    features = np.sqrt(orders[degree] / orders[counts].prod(axis=1))  # (C,)
    for position in range(degree):  # no (..., C, degree) array
        features = features * extended[..., chosen[:, position]]
    return np.broadcast_to(features, (*X.shape[:-1], len(chosen))).copy()
