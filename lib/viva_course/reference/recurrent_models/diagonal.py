"""Kernels of diagonal systems."""

import numpy as np


def diag_ssm_kernel(lam, B, C, D, L):
    """K_0 = D, K_j = sum_i C_i lam_i^{j-1} B_i, without an n x n matrix.

    lam, B, C (n,) real or complex with a real sum, D number; L < 1 raises ValueError
    returns (L,) float64
    """
    if L < 1:
        raise ValueError("a kernel has at least one tap")
    K, x = np.empty(L), np.asarray(B) + 0.0
    K[0] = D
    for k in range(1, L):
        K[k] = (C * x).sum().real
        x = lam * x
    return K
