"""Sign descent and Adam as pure functions.

`state` is a dict with keys t (int), m and v (arrays of theta's shape), empty before the
first step. Each step returns a new theta and a new dict and modifies nothing.
"""

from .averages import bias_correct
from .common import as_array, sign


def sign_step(theta, g, lr=1e-3):
    """Sign descent: theta <- theta - lr sign(g)."""
    return as_array(theta) - lr * sign(as_array(g))


def adam_direction(g, state, betas=(0.9, 0.999), eps=1e-8):
    """Adam's direction m_hat / (sqrt(v_hat) + eps) and the state after gradient g.

    m <- b1 m + (1 - b1) g, v <- b2 v + (1 - b2) g^2, hats divide by 1 - b^t, t from 1.
    """
    beta1, beta2 = betas
    g = as_array(g)
    t = state.get("t", 0) + 1
    m = beta1 * state.get("m", 0.0) + (1 - beta1) * g
    v = beta2 * state.get("v", 0.0) + (1 - beta2) * g * g
    direction = bias_correct(m, t, beta1) / (bias_correct(v, t, beta2) ** 0.5 + eps)
    return direction, {"t": t, "m": m, "v": v}


def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    """Adam: theta <- theta - lr m_hat / (sqrt(v_hat) + eps). Returns (theta, state)."""
    direction, state = adam_direction(g, state, betas, eps)
    return as_array(theta) - lr * direction, state
