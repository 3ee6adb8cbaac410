"""Counted multiply-adds and stored floats, and the factors that make softmax a Gaussian."""
import numpy as np

from .common import as_float
from .similarities import gauss_sim


def attention_macs(kind, N, D, M, C=None):
    """Multiply-adds of one head for N tokens.

    "softmax": N^2 (D + M)
    "linear":  2 N C (M + 1), features given
    "rff":     2 N C D + 2 N (2C)(M + 1), C frequencies, hence 2C features
    """
    if kind == "softmax":
        return N * N * (D + M)
    if kind not in ("linear", "rff") or C is None:
        raise ValueError(f"no count for kind={kind!r} with C={C}")
    if kind == "linear":
        return 2 * N * C * (M + 1)
    return 2 * N * C * D + 2 * N * (2 * C) * (M + 1)


def attention_floats(kind, N, D, M, C=None):
    """Floats that must be held at once: queries, keys, values, output, and what lies between.

    "softmax": 2 N D + 2 N M + N^2
    "linear":  2 N D + 2 N M + C (M + 1), features computed on the fly
    """
    if kind == "softmax":
        return 2 * N * D + 2 * N * M + N * N
    if kind != "linear" or C is None:
        raise ValueError(f"no count for kind={kind!r} with C={C}")
    return 2 * N * D + 2 * N * M + C * (M + 1)


def crossover_length(D, M, C):
    """The N at which N^2 (D + M) = 2 N C (M + 1): N* = 2 C (M + 1) / (D + M)."""
    return 2 * C * (M + 1) / (D + M)


def softmax_via_gauss(Q, K):
    """Factors of exp(q . k / sqrt(D)) = a_i G_ij b_j with sigma2 = sqrt(D).

    a = exp(|q|^2 / 2 sigma2)          (..., Nq, 1)
    G = exp(-|q - k|^2 / 2 sigma2)     (..., Nq, Nk)
    b = exp(|k|^2 / 2 sigma2)          (..., 1, Nk)
    """
    Q, K = as_float(Q), as_float(K)
    sigma2 = np.sqrt(Q.shape[-1])
    a = np.exp(np.sum(Q * Q, axis=-1) / (2 * sigma2))[..., :, None]
    b = np.exp(np.sum(K * K, axis=-1) / (2 * sigma2))[..., None, :]
    return a, gauss_sim(Q, K, sigma2), b
