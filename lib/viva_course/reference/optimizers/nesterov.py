"""Nesterov's step."""

from .common import as_array


def nesterov_step(theta, v, g, mu, lr):
    """Nesterov momentum in torch's form: v <- mu v + g, theta <- theta - lr (g + mu v).

    theta, v, g: arrays of one shape. Returns (theta, v).
    """
    g = as_array(g)
    v = mu * as_array(v) + g
    return as_array(theta) - lr * (g + mu * v), v
