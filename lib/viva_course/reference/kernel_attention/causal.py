"""Causal attention in linear time."""
import numpy as np

from .common import as_float, divide

CHUNK = 64  # tokens per block of the causal scan: chunk x chunk products, C x M state


def causal_linear_attention(phiQ, phiK, V):
    """phi(q_i) . S_i / phi(q_i) . Z_i with S_i = sum_{j<=i} phi(k_j) v_j', Z_i likewise.

    phiQ, phiK (..., N, C), V (..., N, M) -> (..., N, M). The sequence is read in chunks:
    a masked product inside each, a carried state S (..., C, M), Z (..., C, 1) between
    them. Time O(N C M), extra memory O(C M) per sequence.
    """
    phiQ, phiK, V = as_float(phiQ), as_float(phiK), as_float(V)
    batch = np.broadcast_shapes(phiQ.shape[:-2], phiK.shape[:-2], V.shape[:-2])
    (N, C), M = phiQ.shape[-2:], V.shape[-1]
    S, Z = np.zeros((*batch, C, M)), np.zeros((*batch, C, 1))
    out = np.empty((*batch, N, M))
    for start in range(0, N, CHUNK):
        now = slice(start, start + CHUNK)
        q, k, v = phiQ[..., now, :], phiK[..., now, :], V[..., now, :]
        weights = np.tril(q @ k.swapaxes(-1, -2))  # (..., chunk, chunk)
        total = weights.sum(axis=-1, keepdims=True) + q @ Z
        out[..., now, :] = divide(weights @ v + q @ S, total)
        S += k.swapaxes(-1, -2) @ v
        Z += k.sum(axis=-2)[..., None]
    return out
