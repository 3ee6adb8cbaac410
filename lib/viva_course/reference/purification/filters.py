"""The minimiser as a filter of singular directions."""
import numpy as np

from .common import as_data, as_weight, singular, transpose


def shrink(sigma, lam):
    """The filter sigma^2 / (sigma^2 + lam) of one direction, elementwise, with 0/0 := 0.

    sigma, lam: numbers or arrays that broadcast. Written as (sigma / hypot(sigma, sqrt(lam)))^2,
    so that no sigma between 1e-308 and 1e308 overflows or underflows in its square.
    """
    sigma, root = np.broadcast_arrays(np.asarray(sigma, np.float64), np.sqrt(as_weight(lam)))
    length = np.hypot(sigma, root)
    return np.divide(sigma, length, out=np.zeros(length.shape), where=length > 0) ** 2


def purifier_svd(X, lam):
    """The same What as U diag(shrink(s, lam)) U^T, from a thin SVD; X (..., m, n), any lam >= 0.

    The Gram matrix would square the condition number; here it is that of X.
    """
    X, lam = as_data(X), as_weight(lam)
    U, s = singular(X)
    return (U * shrink(s, lam[..., None])[..., None, :]) @ transpose(U)
