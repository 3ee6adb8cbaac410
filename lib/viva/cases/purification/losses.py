"""Cases of purification_losses and tie_lambda."""
import numpy as np

from viva.case import case, outcome, rule

from .common import TOY


@case("purification_losses")
def toy_identity(rng, purification_losses):
    """toy data, W = I, lam = 0.7: (0, 1.4, 1.4)"""
    return purification_losses(np.eye(2), TOY, 0.7)


@case("purification_losses")
def toy_first_channel(rng, purification_losses):
    """toy data, W = diag(1, 0), lam = 0.7: (0.001, 0.7, 0.701)"""
    return purification_losses(np.diag([1.0, 0.0]), TOY, 0.7)


@case("purification_losses")
def wide_data(rng, purification_losses):
    """a random W on three channels and five samples"""
    return purification_losses(rng.normal(size=(3, 3)), rng.normal(size=(3, 5)),
                               float(rng.uniform(0.2, 0.8)))


@case("tie_lambda")
def identity_and_first_channel(rng, tie_lambda):
    """toy data: I and diag(1, 0)"""
    return tie_lambda(np.eye(2), np.diag([1.0, 0.0]), TOY)


@case("tie_lambda")
def first_channel_and_nothing(rng, tie_lambda):
    """toy data: diag(1, 0) and 0"""
    return tie_lambda(np.diag([1.0, 0.0]), np.zeros((2, 2)), TOY)


@case("tie_lambda", rtol=1e-8)  # a difference of two errors: a digit more than a sum loses
def two_matrices(rng, tie_lambda):
    """a matrix near the identity and one much smaller"""
    A = np.eye(3) + rng.uniform(-0.1, 0.1, (3, 3))
    return tie_lambda(A, 0.4 * A + rng.uniform(-0.05, 0.05, (3, 3)), 2 * rng.normal(size=(3, 6)))


@rule("purification_losses")
def tall_data(rng, purification_losses):
    """five channels and two samples"""
    return purification_losses(rng.normal(size=(5, 5)), rng.normal(size=(5, 2)), 0.3)


@rule("tie_lambda")
def other_way_round(rng, tie_lambda):
    """toy data: diag(1, 0) and I, the larger matrix last"""
    return tie_lambda(np.diag([1.0, 0.0]), np.eye(2), TOY)


@rule("tie_lambda")
def no_tie(rng, tie_lambda):
    """one matrix is better for every lam, or both have one norm: ValueError"""
    return [outcome(tie_lambda, np.eye(2), 2 * np.eye(2), TOY),
            outcome(tie_lambda, np.diag([1.0, 0.0]), np.diag([0.0, 1.0]), TOY)]


@rule("tie_lambda")
def zero_is_allowed(rng, tie_lambda):
    """a silent second sensor: I and diag(1, 0) tie at lam = 0, which is no ValueError"""
    return outcome(tie_lambda, np.eye(2), np.diag([1.0, 0.0]), TOY * [[1.0], [0.0]])


@rule("tie_lambda")
def tie_at_zero(rng, tie_lambda):
    """a silent second sensor: the answer is 0"""
    return tie_lambda(np.eye(2), np.diag([1.0, 0.0]), TOY * [[1.0], [0.0]])
