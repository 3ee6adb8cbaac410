"""Weights written by hand."""

import numpy as np


def design_kqv(ua, ub, uc, ud):
    """(K, Q, V) for which c_1 is nearly u_b - u_c and c_2 nearly u_b.

    Orthogonal u's of one length rho; x_1 = u_d + u_b, x_2 = u_a, x_3 = u_c + u_b.
    """
    square = ua @ ua  # rho^2
    K = np.eye(len(ua))
    Q = (np.outer(ud, ua) + np.outer(uc, ud)) / square
    V = (np.outer(ub, ub) - np.outer(uc, uc)) / square
    return K, Q, V
