"""Cases of Muon's tuned polynomial."""
import numpy as np

from viva.case import case, rule

from .common import matrix


# eps is added to the norm or guards it from below: both move the result by about 1e-7.
@case("muon_orthogonalize", rtol=1e-5, atol=1e-5)
def five_steps(rng, muon_orthogonalize):
    """five steps: singular values of a random 32 x 64 matrix"""
    X = muon_orthogonalize(rng.normal(size=(32, 64)))
    return {"shape": list(X.shape), "singular values": np.linalg.svd(X, compute_uv=False)}


@case("muon_orthogonalize", rtol=1e-5, atol=1e-5)
def small_matrices(rng, muon_orthogonalize):
    """a tall and a wide matrix, one step and five"""
    tall, wide = matrix(rng, 5, 3), matrix(rng, 3, 5)
    return [muon_orthogonalize(G, steps=n) for G in (tall, wide) for n in (1, 5)]


@case("muon_orthogonalize", rtol=1e-5, atol=1e-5)
def other_coefficients(rng, muon_orthogonalize):
    """three steps with random coefficients"""
    coeffs = tuple(rng.uniform([1.2, -1, 0.1], [1.6, -0.5, 0.3]))
    return muon_orthogonalize(matrix(rng, 3, 4), steps=3, coeffs=coeffs)


@rule("muon_orthogonalize")
def zero(rng, muon_orthogonalize):
    """a zero matrix stays one"""
    return muon_orthogonalize(np.zeros((3, 4)))
