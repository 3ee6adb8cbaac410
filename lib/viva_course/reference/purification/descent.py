"""Gradient descent on the loss."""
import numpy as np

from .common import as_data, as_weight, transpose
from .losses import purification_losses


def purifier_grad(W, X, lam):
    """Gradient of the loss, -2 (X - WX) X^T + 2 lam W, (..., m, m)."""
    W, X, lam = np.asarray(W, dtype=np.float64), as_data(X), as_weight(lam)
    return -2 * (X - W @ X) @ transpose(X) + 2 * lam[..., None, None] * W


def purify_gd(X, lam, eta, steps, W0=None):
    """`steps` steps W <- W - eta grad L(W) from W0 (zeros if None).

    Returns W (..., m, m) and the losses (steps + 1, ...) before the first and after every step.
    """
    X = as_data(X)
    W = np.zeros(X.shape[:-1] + X.shape[-2:-1]) if W0 is None else np.array(W0, float)
    losses = [purification_losses(W, X, lam)[2]]
    for _ in range(steps):
        W = W - eta * purifier_grad(W, X, lam)
        losses.append(purification_losses(W, X, lam)[2])
    return W, np.array(losses)


def max_stable_step(X, lam):
    """Gradient descent converges iff 0 < eta < 1 / (s_1^2 + lam).

    The error along singular direction i is multiplied by 1 - 2 eta (s_i^2 + lam) per step.
    """
    X, lam = as_data(X), as_weight(lam)
    return 1 / (np.linalg.norm(X, ord=2, axis=(-2, -1)) ** 2 + lam)


def best_constant_step(X, lam):
    """The eta = 1 / (s_1^2 + s_m^2 + 2 lam) whose slowest direction is fastest.

    Every step then contracts by (s_1^2 - s_m^2) / (s_1^2 + s_m^2 + 2 lam); s_m = 0 if m > n.
    """
    X, lam = as_data(X), as_weight(lam)
    s = np.linalg.svd(X, compute_uv=False)
    smallest = s[..., -1] if X.shape[-2] <= X.shape[-1] else 0.0
    return 1 / (s[..., 0] ** 2 + smallest**2 + 2 * lam)
