"""BigBird's sparse graph, and softmax attention on any graph."""

import numpy as np


def bigbird_mask(n, window, n_global, n_random, rng):
    """Window |i - j| <= window // 2, the first n_global rows and columns, n_random keys per query.

    rng: draws the random keys of each other query among those it does not see yet
    returns (n, n), bool; True where query i sees key j
    """
    i, j = np.arange(n)[:, None], np.arange(n)
    mask = (np.abs(i - j) <= window // 2) | (i < n_global) | (j < n_global)
    for row in mask[n_global:]:
        free = np.flatnonzero(~row)
        row[rng.choice(free, size=min(n_random, len(free)), replace=False)] = True
    return mask


def masked_attention(Q, K, V, mask):
    """softmax(Q K^T / sqrt(d)) over the keys that the mask allows, times V.

    Q (..., Nq, d), K (..., Nk, d), V (..., Nk, c), mask (Nq, Nk) bool
    returns (..., Nq, c), float64; a query without any key raises ValueError
    """
    Q, K, V, mask = *(np.asarray(x, float) for x in (Q, K, V)), np.asarray(mask, bool)
    if not mask.any(axis=-1).all():
        raise ValueError("a query sees no key")
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V
