"""A linear state-space model as a recurrence, and its kernel."""

import numpy as np


def ssm_kernel(A, B, C, D, L):
    """K = (D, CB, CAB, .., C A^{L-2} B), the response to an impulse.

    A (n, n), B (n,), C (n,), D number; L < 1 raises ValueError
    returns (L,)
    """
    if L < 1:
        raise ValueError("a kernel has at least one tap")
    K, x = np.empty(L), np.asarray(B, float)
    K[0] = D
    for k in range(1, L):
        K[k] = C @ x
        x = A @ x
    return K


def ssm_unroll(A, B, C, D, u):
    """y_k = C z_k + D u_k, then z_{k+1} = A z_k + B u_k, from z_0 = 0.

    A (n, n), B (n,), C (n,), D number, u (L,)
    returns y (L,)
    """
    y, x = np.empty(len(u)), np.zeros(len(B))
    for k, u_k in enumerate(u):
        y[k] = C @ x + D * u_k
        x = A @ x + B * u_k
    return y
