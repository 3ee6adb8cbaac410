"""Ridge regression, solved among the features or among the samples."""

import numpy as np


def ridge_primal(X, y, lam):
    """(X^T X + lam I)^-1 X^T y.

    X    (n, d)
    y    (n,) or (n, c)
    lam  number > 0
    Returns (d,) or (d, c), float64; X and y are not modified.
    """
    X, y = np.asarray(X, float), np.asarray(y, float)
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)


def ridge_dual(X, y, lam):
    """X^T (X X^T + lam I)^-1 y; arguments and result as of ridge_primal."""
    X, y = np.asarray(X, float), np.asarray(y, float)
    return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(X.shape[0]), y)


def ridge(X, y, lam):
    """The same by the smaller of the two systems; lam = 0: the shortest least-squares solution.

    X    (n, d) of any rank
    y    (n,) or (n, c)
    lam  number >= 0; lam < 0 raises ValueError
    Returns (d,) or (d, c), float64; X and y are not modified.
    """
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    if lam == 0:
        return np.linalg.lstsq(X, np.asarray(y, float), rcond=1e-10)[0]
    return ridge_primal(X, y, lam) if X.shape[1] <= X.shape[0] else ridge_dual(X, y, lam)
