"""Momentum: the classical form, the running average, and the map between them.

Every step is a pure function of arrays or tensors of any shape: nothing is modified.
"""

from .common import as_array


def momentum_step(theta, v, g, alpha, eps):
    """Classical momentum: v <- alpha v + eps g, theta <- theta - v.

    theta, v, g: arrays of one shape. Returns (theta, v).
    """
    v = alpha * as_array(v) + eps * as_array(g)
    return as_array(theta) - v, v


def ema_step(theta, v, g, beta, delta):
    """Running average: v <- beta v + (1 - beta) g, theta <- theta - delta v.

    theta, v, g: arrays of one shape. Returns (theta, v).
    """
    v = beta * as_array(v) + (1 - beta) * as_array(g)
    return as_array(theta) - delta * v, v


def momentum_from_ema(beta, delta):
    """(alpha, eps) = (beta, delta (1 - beta)): the classical form with ema_step's trajectory."""
    return beta, delta * (1 - beta)


def ema_from_momentum(alpha, eps):
    """(beta, delta) = (alpha, eps / (1 - alpha)): the average with momentum_step's trajectory."""
    if alpha == 1:
        raise ValueError("alpha = 1 forgets nothing: no running average has this trajectory")
    return alpha, eps / (1 - alpha)
