"""A query that picks the keys it is told to."""

import numpy as np


def query_for(K, idx, beta):
    """The shortest q with k_i . q = beta for i in idx and 0 for the others: K^+ t.

    K (n, d): linearly independent keys. Returns (d,).
    """
    wanted = np.zeros(len(K))  # (n,)
    wanted[list(idx)] = beta
    return np.linalg.pinv(K) @ wanted


def min_beta(n, m, tol):
    """The smallest beta that leaves mass tol off m chosen of n keys: ln((n-m)(1-tol) / (m tol))."""
    return float(np.log((n - m) * (1 - tol) / (m * tol))) if m < n else 0.0
