"""The inverse after a change of rank one."""

import numpy as np


def sherman_morrison(Minv, u, v):
    """(M + u v^T)^-1 = M^-1 - (M^-1 u)(v^T M^-1) / (1 + v^T M^-1 u), in O(d^2).

    Minv (d, d): the inverse of M; u, v (d,)
    returns (d, d), float64; LinAlgError if the denominator is zero
    """
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    left, right = Minv @ u, v @ Minv
    denominator = 1 + v @ left
    if denominator == 0:
        raise np.linalg.LinAlgError("M + u v^T is singular")
    return Minv - np.outer(left, right) / denominator
