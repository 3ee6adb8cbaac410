"""Attention with any similarity, by the N x N formula: the definition all else must match."""
import numpy as np

from .common import as_float, divide


def squared_distances(Q, K):
    """|q_i - k_j|^2: (..., Nq, D), (..., Nk, D) -> (..., Nq, Nk).

    Expanded into norms and products, so that no (Nq, Nk, D) array is made; what rounding
    leaves below zero is cut off.
    """
    q2 = np.sum(Q * Q, axis=-1)[..., :, None]  # (..., Nq, 1)
    k2 = np.sum(K * K, axis=-1)[..., None, :]  # (..., 1, Nk)
    return np.maximum(q2 + k2 - 2 * Q @ K.swapaxes(-1, -2), 0)


def softmax_sim(Q, K):
    """exp(q . k / sqrt(D)): (..., Nq, D), (..., Nk, D) -> (..., Nq, Nk)."""
    Q, K = as_float(Q), as_float(K)
    with np.errstate(over="ignore"):  # kernel_attention reports the infinity
        return np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))


def poly2_sim(Q, K):
    """(q . k + 1)^2: (..., Nq, D), (..., Nk, D) -> (..., Nq, Nk)."""
    Q, K = as_float(Q), as_float(K)
    return (Q @ K.swapaxes(-1, -2) + 1) ** 2


def gauss_sim(Q, K, sigma2=1.0):
    """exp(-|q - k|^2 / (2 sigma2)): (..., Nq, D), (..., Nk, D) -> (..., Nq, Nk)."""
    return np.exp(-squared_distances(as_float(Q), as_float(K)) / (2 * sigma2))


def kernel_attention(Q, K, V, sim, causal=False):
    """sum_j sim(q_i, k_j) v_j / sum_j sim(q_i, k_j), over j <= i when causal.

    Q (..., Nq, D), K (..., Nk, D), V (..., Nk, M); sim(Q, K) -> (..., Nq, Nk).
    Returns (..., Nq, M). Raises ValueError when a row of similarities sums to exactly
    zero or to something that is not finite; similarities of mixed sign are allowed.
    """
    Q, K, V = as_float(Q), as_float(K), as_float(V)
    similarity = as_float(sim(Q, K))  # (..., Nq, Nk)
    if causal:
        seen = np.tri(*similarity.shape[-2:], dtype=bool)
        similarity = np.where(seen, similarity, 0.0)
    with np.errstate(invalid="ignore"):  # some processors warn of infinity; divide refuses it
        numerator = similarity @ V
    return divide(numerator, similarity.sum(axis=-1, keepdims=True))
