"""Attention in linear time: numpy forms, parallel, causal, and token by token."""

import numpy as np

from viva_course.reference.kernel_attention.random_features import rff_features
from viva_course.reference.kernel_attention.similarity import as_float, divide

CHUNK = 64  # tokens per block of the causal scan: chunk x chunk products, C x M state


def linear_attention(phiQ, phiK, V):
    """phi(q_i) . U / phi(q_i) . z with U = sum_j phi(k_j) v_j', z = sum_j phi(k_j).

    phiQ (..., Nq, C), phiK (..., Nk, C), V (..., Nk, M) -> (..., Nq, M).
    Time O((Nq + Nk) C M), extra memory O(C M).
    """
    phiQ, phiK, V = as_float(phiQ), as_float(phiK), as_float(V)
    U = phiK.swapaxes(-1, -2) @ V  # (..., C, M)
    z = phiK.sum(axis=-2)[..., None]  # (..., C, 1)
    return divide(phiQ @ U, phiQ @ z)


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


class LinearAttentionState:
    """Causal linear attention as a recurrence: S (C, M), Z (C,), and t tokens read so far.

    phi maps (D,) to (C,). `step(q, k, v)` absorbs one token, then answers for it:
    S += phi(k) v', Z += phi(k), returns phi(q) . S / phi(q) . Z of shape (M,).
    """

    def __init__(self, phi, C, M):
        self.phi = phi
        self.S, self.Z, self.t = np.zeros((C, M)), np.zeros(C), 0

    def reset(self):
        """Forget every token."""
        self.S, self.Z, self.t = np.zeros_like(self.S), np.zeros_like(self.Z), 0

    def step(self, q, k, v):
        """q (D,), k (D,), v (M,) -> (M,)."""
        key, query = as_float(self.phi(as_float(k))), as_float(self.phi(as_float(q)))
        self.S = self.S + np.outer(key, as_float(v))
        self.Z = self.Z + key
        self.t += 1
        return divide((query @ self.S)[None], (query @ self.Z)[None, None])[0]


def rff_softmax_attention(Q, K, V, W):
    """Softmax attention with trigonometric features, sigma2 = sqrt(D); W ~ N(0, I / sigma2).

    Linear attention of phi(q) and exp((|k|^2 - max_j |k_j|^2) / 2 sigma2) phi(k). The
    query's prefactor and the shift by the maximum cancel in the ratio.
    Q (..., Nq, D), K (..., Nk, D), V (..., Nk, M), W (n, D) -> (..., Nq, M);
    time O(N (D + M) n).
    """
    K = as_float(K)
    half = np.sum(K * K, axis=-1, keepdims=True) / (2 * np.sqrt(K.shape[-1]))  # (..., Nk, 1)
    prefactor = np.exp(half - half.max(axis=-2, keepdims=True))
    return linear_attention(rff_features(Q, W), prefactor * rff_features(K, W), V)
