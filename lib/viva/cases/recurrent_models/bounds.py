"""Public cases of section 3: what the bound of a product of Jacobians proves."""

import numpy as np

from viva.case import case, outcome


def scaled(rng, norm, n=3):
    """A random n x n matrix of this spectral norm."""
    W = rng.normal(size=(n, n))
    return W * (norm / np.linalg.norm(W, 2))


@case("gradient_verdict")
def multiples_of_identity(rng, gradient_verdict):
    """0.5 I, then 2 I, with gamma = 1"""
    return [gradient_verdict(c * np.eye(2), 1.0) for c in (0.5, 2.0)]


@case("gradient_verdict")
def nilpotent(rng, gradient_verdict):
    """[[0, 10], [0, 0]], all of whose eigenvalues are 0, with gamma = 1: undetermined"""
    return gradient_verdict(np.array([[0.0, 10.0], [0.0, 0.0]]), 1.0)


@case("gradient_verdict")
def sigmoid(rng, gradient_verdict):
    """random W of spectral norm 3.8, then 4.2, with gamma = 1/4"""
    return [gradient_verdict(scaled(rng, norm), 0.25) for norm in (3.8, 4.2)]


@case("gradient_verdict")
def steep(rng, gradient_verdict):
    """random W of spectral norm 0.3, then 0.4, with gamma = 3"""
    return [gradient_verdict(scaled(rng, norm), 3.0) for norm in (0.3, 0.4)]


@case("gradient_verdict")
def gentle(rng, gradient_verdict):
    """random W of spectral norm 0.9 with gamma = 0.5, then of norm 1.2 with gamma = 0.6"""
    return [gradient_verdict(scaled(rng, 0.9), 0.5), gradient_verdict(scaled(rng, 1.2), 0.6)]


@case("gradient_verdict")
def boundary(rng, gradient_verdict):
    """gamma ||W|| = 1 exactly proves nothing: 4 I with gamma = 1/4, I with gamma = 1"""
    return [gradient_verdict(4 * np.eye(2), 0.25), gradient_verdict(np.eye(3), 1.0)]


@case("gradient_verdict")
def other_norms(rng, gradient_verdict):
    """0.9 I in four dimensions, a row of 0.6s, a column of 0.6s, all 0.6s; gamma = 1"""
    row = np.array([[0.6, 0.6], [0.0, 0.0]])
    matrices = (0.9 * np.eye(4), row, row.T, np.full((2, 2), 0.6))
    return [gradient_verdict(W, 1.0) for W in matrices]


@case("gradient_verdict")
def negative_gamma(rng, gradient_verdict):
    """gamma = -1: ValueError"""
    return outcome(gradient_verdict, np.eye(2), -1.0)


@case("gradient_verdict")
def constant_sigma(rng, gradient_verdict):
    """gamma = 0, a constant sigma: vanishes"""
    return gradient_verdict(scaled(rng, 7.0), 0.0)
