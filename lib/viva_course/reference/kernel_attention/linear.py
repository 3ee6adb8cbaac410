"""Attention in linear time, all tokens at once."""

from .common import as_float, divide


def linear_attention(phiQ, phiK, V):
    """phi(q_i) . U / phi(q_i) . z with U = sum_j phi(k_j) v_j', z = sum_j phi(k_j).

    phiQ (..., Nq, C), phiK (..., Nk, C), V (..., Nk, M) -> (..., Nq, M).
    Time O((Nq + Nk) C M), extra memory O(C M).
    """
    phiQ, phiK, V = as_float(phiQ), as_float(phiK), as_float(V)
    U = phiK.swapaxes(-1, -2) @ V  # (..., C, M)
    z = phiK.sum(axis=-2)[..., None]  # (..., C, 1)
    return divide(phiQ @ U, phiQ @ z)
