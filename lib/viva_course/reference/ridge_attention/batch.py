"""Ridge regression of values on keys."""

import numpy as np


def ridge_stats(K, V, lam):
    """G = lam I + K^T K and H = K^T V: all that the regression needs to know.

    K (n, d), V (n, m), lam > 0
    returns (G (d, d), H (d, m)), float64
    """
    K, V = np.asarray(K, float), np.asarray(V, float)
    return lam * np.eye(K.shape[1]) + K.T @ K, K.T @ V


def ridge_weights(K, V, lam):
    """W = G^-1 H, the minimum of |K W - V|^2 + lam |W|^2.

    K (n, d), V (n, m), lam > 0
    returns (d, m), float64
    """
    return np.linalg.solve(*ridge_stats(K, V, lam))
