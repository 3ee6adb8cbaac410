"""Performer attention: positive random features, sums in linear order."""

import numpy as np


def performer_attention(Q, K, V, W, causal=False):
    """sum_j f(q_i).f(k_j) v_j / sum_j f(q_i).f(k_j) with f the positive features of x / d^(1/4).

    Q (..., Nq, d), K (..., Nk, d), V (..., Nk, c), W (m, d); causal: only j <= i (Nq = Nk)
    returns (..., Nq, c), float64; nothing of size Nq x Nk is built
    """
    Q, K, V, W = (np.asarray(x, float) for x in (Q, K, V, W))
    Q, K = Q / Q.shape[-1] ** 0.25, K / K.shape[-1] ** 0.25
    logQ = Q @ W.T  # (..., Nq, m); |q|^2 / 2 is the same for all keys and cancels
    logK = K @ W.T - (K**2).sum(axis=-1, keepdims=True) / 2  # (..., Nk, m)
    if not causal:
        top = logK.max(axis=-2, keepdims=True)  # per direction: taken from keys, given to queries
        fQ, fK = _shifted(logQ + top), np.exp(logK - top)
        total = fQ @ fK.sum(axis=-2)[..., None]  # (..., Nq, 1), at least 1
        return fQ @ (np.swapaxes(fK, -1, -2) @ V) / total
    top, S, z = -np.inf, 0.0, 0.0  # (..., m, 1), (..., m, c), (..., m, 1): what was seen so far
    rows = []
    for i in range(V.shape[-2]):
        key = logK[..., i, :, None]
        new = np.maximum(top, key)
        shrink, key, top = np.exp(top - new), np.exp(key - new), new
        S, z = shrink * S + key * V[..., i, None, :], shrink * z + key
        query = _shifted(logQ[..., i, None, :] + np.swapaxes(top, -1, -2))
        rows.append(query @ S / (query @ z))  # (..., 1, c)
    return np.concatenate(rows, axis=-2)


def _shifted(logs):
    """exp of logs, relative to the largest of each row."""
    return np.exp(logs - logs.max(axis=-1, keepdims=True))
