"""Cases of Muon's step."""
import numpy as np

from viva.case import case

from .common import matrix, same_shape


@case("muon_step", rtol=1e-6, atol=1e-6)  # the cubic iteration or an SVD: 1e-8 apart
def first_step(rng, muon_step):
    """the first step of a 6 x 4 matrix"""
    W, G = rng.normal(size=(6, 4)), 100 * matrix(rng, 6, 4)
    return muon_step(W, G, np.zeros((6, 4)), 0.1)


@case("muon_step", rtol=1e-6, atol=1e-6)
def three_steps(rng, muon_step):
    """three steps of a 3 x 5 matrix with momentum 0.7"""
    W, buf = rng.normal(size=(3, 5)), np.zeros((3, 5))
    for _ in range(3):
        new, buf = muon_step(W, matrix(rng, 3, 5), buf, 0.2, momentum=0.7)
        W = same_shape(new, W)
    return W, buf
