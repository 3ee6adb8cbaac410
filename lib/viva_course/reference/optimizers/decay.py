"""L2 penalty against weight decay, for plain gradient descent."""

from .common import as_array


def sgd_l2_step(theta, g, lr, gamma):
    """Gradient step on L + gamma ||theta||^2: theta <- theta - lr (g + 2 gamma theta)."""
    theta = as_array(theta)
    return theta - lr * (as_array(g) + 2 * gamma * theta)


def sgd_wd_step(theta, g, lr, lam):
    """Weight decay: theta <- (1 - lam) theta - lr g; lam is not multiplied by lr."""
    return (1 - lam) * as_array(theta) - lr * as_array(g)


def equivalent_decay(lr, gamma):
    """lam = 2 lr gamma, the decay of one step that equals the penalty gamma at rate lr."""
    return 2 * lr * gamma
