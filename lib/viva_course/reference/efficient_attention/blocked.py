"""Exact softmax attention over keys that arrive in blocks, in one pass."""

import numpy as np


def blocked_attention(Q, read, blocks):
    """softmax(Q K^T / sqrt(d)) V and the log of its denominators, for keys read block by block.

    Q (Nq, d); read(b), b = 0 .. blocks - 1: keys (B, d) and values (B, c), each block once
    returns (out (Nq, c), logs (Nq,)), float64; memory of order Nq (B + c)
    """
    Q = np.asarray(Q, float) / np.sqrt(np.shape(Q)[1])
    top, total, out = np.full(len(Q), -np.inf), np.zeros(len(Q)), 0.0
    for b in range(blocks):
        K, V = (np.asarray(x, float) for x in read(b))
        scores = Q @ K.T  # (Nq, B)
        new = np.maximum(top, scores.max(axis=1))
        shrink, weights = np.exp(top - new), np.exp(scores - new[:, None])
        total = shrink * total + weights.sum(axis=1)
        out = shrink[:, None] * out + weights @ V  # (Nq, c)
        top = new
    return out / total[:, None], top + np.log(total)
