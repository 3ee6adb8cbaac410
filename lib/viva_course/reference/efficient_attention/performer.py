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
    fQ = np.exp(logQ - logQ.max(axis=-1, keepdims=True))
    fK = np.exp(logK - logK.max(axis=(-1, -2), keepdims=True))
    if not causal:
        total = fQ @ fK.sum(axis=-2)[..., None]  # (..., Nq, 1)
        return fQ @ (np.swapaxes(fK, -1, -2) @ V) / total
    S = np.zeros((*fK.shape[:-2], fK.shape[-1], V.shape[-1]))  # (..., m, c)
    z = np.zeros((*fK.shape[:-2], fK.shape[-1], 1))  # (..., m, 1)
    rows = []
    for i in range(V.shape[-2]):
        key, query = fK[..., i, :, None], fQ[..., i, None, :]
        S, z = S + key * V[..., i, None, :], z + key
        rows.append(query @ S / (query @ z))  # (..., 1, c)
    return np.concatenate(rows, axis=-2)
