"""What is accepted as data, and its singular values."""
import numpy as np


def as_data(X):
    """X as float64, refused unless it is at least a matrix of finite numbers."""
    X = np.asarray(X, dtype=np.float64)
    if X.ndim < 2 or not np.isfinite(X).all():
        raise ValueError("X must be a (..., m, n) array of finite numbers")
    return X


def as_weight(lam):
    """lam as float64 array, refused if negative or NaN."""
    lam = np.asarray(lam, dtype=np.float64)
    if not (lam >= 0).all():
        raise ValueError("lam must not be negative")
    return lam


def transpose(A):
    return A.swapaxes(-1, -2)


def singular(X):
    """Thin SVD of X, with singular values below its rounding error set to exactly zero.

    Returns U (..., m, r) and s (..., r), r = min(m, n). The threshold max(m, n) eps s_1 is the one
    of `np.linalg.matrix_rank`: below it a singular value is rounding error, and at lam = 0 the
    filter would otherwise let it pass at full strength.
    """
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    largest = s.max(axis=-1, keepdims=True, initial=0)
    noise = max(X.shape[-2:]) * np.finfo(np.float64).eps * largest
    return U, np.where(s > noise, s, 0.0)
