"""Public cases of section 2: Jacobians of a step and of many, and what their bound proves."""

import numpy as np

from viva.case import case, outcome


def dtanh(z):
    return 1 - np.tanh(z) ** 2


def one(z):
    """The derivative of the identity."""
    return np.ones_like(z)


def scaled(rng, norm, n=3):
    """A random n x n matrix of this spectral norm."""
    W = rng.normal(size=(n, n))
    return W * (norm / np.linalg.norm(W, 2))


# ---- step_jacobian, jacobian_product

@case("step_jacobian")
def by_hand(rng, step_jacobian):
    """W = [[1, 2], [3, 4]] with slopes 0.5 and 0.1: [[0.5, 0.2], [1.5, 0.4]]"""
    return step_jacobian(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.5, 0.1]), np.abs)


@case("step_jacobian")
def one_step(rng, step_jacobian):
    """four units, tanh"""
    return step_jacobian(rng.normal(size=(4, 4)), rng.normal(size=4), dtanh)


@case("step_jacobian")
def two_steps(rng, jacobian_product):
    """two steps of three units, tanh"""
    return jacobian_product(rng.normal(size=(3, 3)), rng.normal(size=(2, 3)), dtanh)


@case("step_jacobian")
def six_steps(rng, jacobian_product):
    """six steps of four units, tanh"""
    return jacobian_product(rng.normal(size=(4, 4)), rng.normal(size=(6, 4)), dtanh)


@case("step_jacobian")
def linear_steps(rng, jacobian_product):
    """a linear network, four steps: the fourth power of W"""
    return jacobian_product(rng.normal(size=(3, 3)), rng.normal(size=(4, 3)), one)


@case("step_jacobian")
def single_step(rng, jacobian_product):
    """one step: the Jacobian of that step"""
    return jacobian_product(rng.normal(size=(3, 3)), rng.normal(size=(1, 3)), dtanh)


@case("step_jacobian")
def no_step(rng, jacobian_product):
    """no step at all: the identity"""
    return jacobian_product(rng.normal(size=(3, 3)), np.empty((0, 3)), dtanh)


# ---- gradient_verdict

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
