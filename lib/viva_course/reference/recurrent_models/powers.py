"""All powers of a matrix by doubling."""

import numpy as np


def matrix_powers(A, L, matmul=np.matmul):
    """(I, A, .., A^{L-1}) with at most 2 ceil(log2 L) products.

    A (n, n); matmul multiplies matrices, or stacks of them as np.matmul does
    returns (L, n, n); L < 1 raises ValueError
    """
    if L < 1:
        raise ValueError("at least the identity is asked for")
    powers, step = np.eye(len(A))[None], np.asarray(A, float)  # (l, n, n), A^l
    while len(powers) < L:
        if len(powers) > 1:
            step = matmul(step, step)
        powers = np.concatenate([powers, matmul(step, powers)])
    return powers[:L]
