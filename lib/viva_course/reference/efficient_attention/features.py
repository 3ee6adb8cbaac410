"""The softmax as a product of factors, and positive random features of its kernel."""

import numpy as np


def softmax_factors(Q, K):
    """A = exp(Q K^T) entry by entry, D = A 1: softmax(Q K^T) = diag(D)^-1 A.

    Q (..., Nq, d), K (..., Nk, d)
    returns A (..., Nq, Nk) and D (..., Nq), float64
    """
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    A = np.exp(Q @ np.swapaxes(K, -1, -2))
    return A, A.sum(axis=-1)


def positive_features(X, W):
    """exp(w_i . x - |x|^2 / 2) / sqrt(m) for the m rows w_i of W.

    X (..., d), W (m, d)
    returns (..., m), float64; the exponents are added before exp is taken
    """
    X, W = np.asarray(X, float), np.asarray(W, float)
    half = (X**2).sum(axis=-1, keepdims=True) / 2  # (..., 1)
    return np.exp(X @ W.T - half) / np.sqrt(len(W))
