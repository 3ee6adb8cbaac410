"""The minimiser in closed form."""
import numpy as np

from .common import as_data, as_weight, transpose
from .filters import purifier_svd


def purifier(X, lam):
    """The minimiser What = X X^T (X X^T + lam I)^-1, (..., m, m), by one m x m solve.

    lam = 0 gives the limit lam -> 0, the projector X X^+ onto the column space of X.
    No array is larger than X or m x m, however many columns X (..., m, n) has.
    """
    X, lam = as_data(X), as_weight(lam)
    if (lam == 0).any():  # singular for rank-deficient X: take the stable route
        return purifier_svd(X, lam)
    gram = X @ transpose(X)  # (..., m, m)
    W = np.linalg.solve(gram + lam[..., None, None] * np.eye(X.shape[-2]), gram)
    return (W + transpose(W)) / 2  # symmetric in exact arithmetic; rounding is not


def torch_purifier(X, lam):
    """`purifier` for torch, differentiable in X (..., m, n) and in lam > 0; keeps dtype, device."""
    import torch  # nothing else of this homework needs it, and it takes a second

    gram = X @ X.mT  # (..., m, m)
    lam = torch.as_tensor(lam, dtype=X.dtype, device=X.device)
    identity = torch.eye(X.shape[-2], dtype=X.dtype, device=X.device)
    return torch.linalg.solve(gram + lam[..., None, None] * identity, gram)
