"""Separable attention: two small softmaxes instead of a large one."""

import numpy as np


def _softmax(x, axis):
    weights = np.exp(x - x.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def separable_attention(Q, K, V):
    """softmax over the features of Q, times (softmax over the tokens of K)^T V.

    Q (..., Nq, d), K (..., Nk, d), V (..., Nk, c)
    returns (..., Nq, c), float64
    """
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    summary = np.swapaxes(_softmax(K, -2), -1, -2) @ V  # (..., d, c)
    return _softmax(Q, -1) @ summary
