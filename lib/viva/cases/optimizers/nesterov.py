"""Cases of Nesterov's step."""
import numpy as np

from viva.case import case

from .common import velocity_path


@case("nesterov_step")
def first_nesterov_step(rng, nesterov_step):
    """the first step is -(1 + mu) lr g"""
    theta, v = nesterov_step(np.zeros(2), np.zeros(2), np.array([1.0, -2.0]), 0.9, 0.1)
    return {"theta": theta, "v": v}


@case("nesterov_step")
def nesterov_path(rng, nesterov_step):
    """eight random gradients"""
    mu, lr = rng.uniform(0.6, 0.9), rng.uniform(0.05, 0.2)
    gradients = rng.normal(size=(8, 2, 2))
    start = rng.normal(size=(2, 2))
    thetas, vs = velocity_path(nesterov_step, gradients, start, np.zeros((2, 2)), mu, lr)
    return {"theta": thetas, "v": vs}
