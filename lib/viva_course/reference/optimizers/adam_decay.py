"""Adam with an L2 penalty, and with decoupled decay."""

from .adam import adam_direction, adam_step
from .common import as_array


def adam_l2_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    """Adam on the loss plus (lam/2) ||theta||^2: both moments see g + lam theta."""
    theta = as_array(theta)
    return adam_step(theta, as_array(g) + lam * theta, state, lr, betas, eps)


def adamw_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    """AdamW: theta <- theta - lr lam theta - lr m_hat / (sqrt(v_hat) + eps).

    The moments see g only; the decay is multiplied by lr and uses the old theta (as torch).
    """
    theta = as_array(theta)
    direction, state = adam_direction(g, state, betas, eps)
    return (1 - lr * lam) * theta - lr * direction, state
