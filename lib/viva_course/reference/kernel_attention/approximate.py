"""Softmax attention approximated in linear time."""
import numpy as np

from .common import as_float
from .linear import linear_attention
from .sampled import rff_features


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
