"""The best lam where the truth is known."""
import numpy as np

from .common import as_data, as_weight
from .filters import shrink


def best_lambda(Y, S, grid):
    """The lam of the grid whose purified Y is nearest to the clean S, and all errors.

    errors[i] = mean((What_{lam_i}(Y) Y - S)^2). One SVD serves the whole grid: with the
    coefficients c = diag(U^T S V) the error is sum_j (f_j s_j - c_j)^2 plus the part of S that no
    lam can change. Y, S (m, n); grid (g,). Returns (float, (g,)).
    """
    Y, S, grid = as_data(Y), as_data(S), as_weight(grid)
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    c = ((U.T @ S) * Vt).sum(axis=-1)  # (r,)
    rest = ((S - (U * c) @ Vt) ** 2).sum()
    passed = shrink(s, grid[:, None]) * s  # (g, r)
    errors = (((passed - c) ** 2).sum(axis=-1) + rest) / S.size
    return float(grid[errors.argmin()]), errors
