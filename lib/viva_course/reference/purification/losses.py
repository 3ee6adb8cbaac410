"""The loss, and where two matrices tie."""
import numpy as np

from .common import as_data, as_weight


def purification_losses(W, X, lam):
    """The three numbers (recon, reg, total) = (||X - WX||_F^2, lam ||W||_F^2, their sum).

    W: (..., m, m); X: (..., m, n). Each result has the batch shape, a float without one.
    """
    W, X, lam = np.asarray(W, dtype=np.float64), as_data(X), as_weight(lam)
    recon = ((X - W @ X) ** 2).sum(axis=(-2, -1))
    reg = lam * (W**2).sum(axis=(-2, -1))
    return recon, reg, recon + reg


def tie_lambda(A, B, X):
    """The lam at which A and B (m, m) have equal loss on X (m, n).

    L(A) = L(B)  <=>  lam = (||X - BX||^2 - ||X - AX||^2) / (||A||^2 - ||B||^2)

    A loss is a straight line in lam: intercept the reconstruction error, slope ||.||_F^2. Parallel
    lines, and lines that cross at a negative lam, raise ValueError.
    """
    recon_a, slope_a, _ = purification_losses(A, X, 1.0)
    recon_b, slope_b, _ = purification_losses(B, X, 1.0)
    if slope_a == slope_b:
        raise ValueError("A and B have the same norm: their losses never cross")
    lam = (recon_b - recon_a) / (slope_a - slope_b)
    if lam < 0:
        raise ValueError("one of A and B is better for every lam >= 0")
    return float(lam)
