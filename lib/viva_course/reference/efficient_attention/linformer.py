"""Linformer attention: keys and values projected along the sequence."""

import numpy as np


def linformer_attention(Q, K, V, E, F):
    """softmax(Q (E K)^T / sqrt(d)) (F V).

    Q (..., Nq, d), K (..., n, d), V (..., n, c), E and F (k, n)
    returns (..., Nq, c), float64
    """
    Q, K, V, E, F = (np.asarray(x, float) for x in (Q, K, V, E, F))
    scores = Q @ np.swapaxes(E @ K, -1, -2) / np.sqrt(Q.shape[-1])  # (..., Nq, k)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ (F @ V)
