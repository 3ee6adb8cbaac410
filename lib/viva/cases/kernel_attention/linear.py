"""Cases of linear_attention."""
import numpy as np

from viva.case import case, rule


@case("linear_attention")
def positive_features(rng, linear_attention):
    """five queries, four keys, three positive features"""
    phiQ, phiK = rng.uniform(0.1, 1, (5, 3)), rng.uniform(0.1, 1, (4, 3))
    return linear_attention(phiQ, phiK, rng.normal(size=(4, 2)))


@case("linear_attention")
def quadratic_similarity(rng, linear_attention):
    """features of the quadratic similarity, tokens of dimension 1"""
    phi = [np.hstack([x**0, np.sqrt(2) * x, x**2]) for x in rng.normal(size=(2, 6, 1))]
    return linear_attention(*phi, rng.normal(size=(6, 2)))


@rule("linear_attention")
def batch(rng, linear_attention):
    """two axes of a batch"""
    phiQ, phiK = (rng.uniform(0.1, 1, (2, 3, n, 3)) for n in (5, 4))
    return linear_attention(phiQ, phiK, rng.normal(size=(2, 3, 4, 2)))


@rule("linear_attention")
def any_sign(rng, linear_attention):
    """features whose denominators are all negative"""
    phiQ, phiK = rng.uniform(0.1, 1, (5, 3)), -rng.uniform(0.1, 1, (4, 3))
    return linear_attention(phiQ, phiK, rng.normal(size=(4, 2)))
