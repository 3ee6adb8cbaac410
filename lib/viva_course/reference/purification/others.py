"""Every channel from the others."""
import numpy as np

from .common import as_data, as_weight, transpose


def zero_diag_purifier(X, lam):
    """Every channel from the others: W_ij = -P_ij / P_ii off the diagonal, W_ii = 0.

    P = (X X^T + lam I)^-1. Row i is the ridge regression of channel i on the other channels.
    X (..., m, n), lam > 0.
    """
    X, lam = as_data(X), as_weight(lam)
    if (lam == 0).any():
        raise ValueError("lam must be positive")
    identity = np.eye(X.shape[-2])
    P = np.linalg.inv(X @ transpose(X) + lam[..., None, None] * identity)  # (..., m, m)
    W = -P / np.diagonal(P, axis1=-2, axis2=-1)[..., :, None]
    return np.where(identity == 1, 0.0, W)
