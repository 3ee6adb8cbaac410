"""A hard bottleneck of rank k."""
import numpy as np

from .common import as_data, transpose


def rank_k_purifier(X, k):
    """The hard bottleneck U_k U_k^T, (..., m, m): best W of rank k, error sum_{i>k} s_i^2."""
    X = as_data(X)
    if not 0 <= k <= X.shape[-2]:
        raise ValueError("k must be between 0 and the number of channels")
    U = np.linalg.svd(X, full_matrices=False)[0][..., :k]  # (..., m, k)
    return U @ transpose(U)
