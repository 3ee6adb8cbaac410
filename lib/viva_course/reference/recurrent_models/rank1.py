"""Powers of the identity plus a rank-one matrix."""

import numpy as np


def rank1_power_coef(s, L):
    """c with (I + p p^T)^L = I + c p p^T for s = ||p||^2: ((1 + s)^L - 1) / s, L for s = 0.

    s >= 0, L >= 0 an integer, else ValueError; accurate for every s
    """
    if s < 0 or L < 0:
        raise ValueError("s is a squared length, L a number of factors")
    return float(np.expm1(L * np.log1p(s)) / s) if s > 0 else float(L)


def rank1_power_apply(p, L, x):
    """(I + p p^T)^L x, without an n x n matrix.

    p, x (n,); L >= 0 an integer, else ValueError
    returns (n,)
    """
    p = np.asarray(p, float)
    return x + rank1_power_coef(float(p @ p), L) * (p @ x) * p
