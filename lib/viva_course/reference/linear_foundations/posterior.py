"""Conditional Gaussians, and ridge regression as one."""

import numpy as np


def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    """E[W | Y = y] = mu_w + S_wy S_yy^-1 (y - mu_y), Cov = S_ww - S_wy S_yy^-1 S_wy^T.

    mu_w (d,), mu_y (n,)                   means
    S_ww (d, d), S_wy (d, n), S_yy (n, n)  covariances; S_yy is invertible
    y    (n,)                              what was observed
    Returns (mean (d,), cov (d, d)), float64; no argument is modified.
    """
    A = np.linalg.solve(S_yy, S_wy.T).T  # (d, n), S_yy is symmetric
    return mu_w + A @ (y - mu_y), S_ww - A @ S_wy.T


def map_ridge(X, y, lam):
    """Mean and covariance of W given Y = y for W ~ N(0, I), Y = XW + sqrt(lam) N.

    X    (n, d)
    y    (n,)
    lam  number > 0, the variance of the noise
    Returns (mean (d,), cov (d, d)), float64; X and y are not modified.
    """
    n, d = X.shape
    return gaussian_conditional(np.zeros(d), np.zeros(n), np.eye(d), X.T,
                                X @ X.T + lam * np.eye(n), y)
