"""Weights that see nothing but noise."""
import numpy as np


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
