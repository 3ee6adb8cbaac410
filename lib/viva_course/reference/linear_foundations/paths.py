"""Where gradient descent from 0 is after t steps, and where it ends."""

import numpy as np


def gd_closed_form(X, y, eta, t):
    """w_t = sum_i v_i (1 - (1 - 2 eta sigma_i^2)^t) / sigma_i u_i^T y, from w_0 = 0.

    X    (n, d) of any rank
    y    (n,)
    eta  number
    t    number of steps, an integer >= 0
    Returns (d,), float64; X and y are not modified.
    """
    X, y = np.asarray(X, float), np.asarray(y, float)
    U, s, Vt = np.linalg.svd(X, full_matrices=False)  # (n, r), (r,), (r, d)
    kept = s > 1e-12 * s[0]
    gain = np.zeros_like(s)
    gain[kept] = (1 - (1 - 2 * eta * s[kept] ** 2) ** t) / s[kept]
    return Vt.T @ (gain * (U.T @ y))


def min_norm_solution(X, y):
    """X^T (X X^T)^-1 y: of all w with Xw = y the shortest, and the limit of the descent from 0.

    X  (n, d), n <= d, rows linearly independent
    y  (n,)
    Returns (d,), float64; X and y are not modified.
    """
    X, y = np.asarray(X, float), np.asarray(y, float)
    return X.T @ np.linalg.solve(X @ X.T, y)
