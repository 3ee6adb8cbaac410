"""L2 penalty against weight decay, for plain gradient descent and under noise."""
import numpy as np

from .arrays import as_array


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


def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    """Mean of n weights that start at 1 and see nothing but noise gradients.

    step: called as step(theta, g, state, lr=lr, lam=lam) -> (theta, state), state {} at first.
    Each step draws one g = scale * rng.normal(size=n) from default_rng(seed). Returns a float.
    """
    rng = np.random.default_rng(seed)
    theta, state = np.ones(n), {}  # (n,)
    for _ in range(steps):
        theta, state = step(theta, scale * rng.normal(size=n), state, lr=lr, lam=lam)
    return float(np.mean(theta))
