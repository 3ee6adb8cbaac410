"""Public cases of one SGD step, on average, and of the constants of its bound."""

import numpy as np

from viva.case import case
from viva.cases.linear_foundations import with_singular_values


@case("expected_next_loss")
def worked_step(rng, expected_next_loss):
    """X = diag(2, 1), w = (1, 1), eta = 1/32: 4.064453125"""
    return expected_next_loss(np.diag([2.0, 1.0]), np.array([1.0, 1.0]), 1 / 32)


@case("expected_next_loss")
def three_samples(rng, expected_next_loss):
    """three samples, five features, three rates"""
    X, w = rng.normal(size=(3, 5)), rng.normal(size=5)
    return [expected_next_loss(X, w, eta) for eta in (0.01, 0.1, float(rng.uniform(0.2, 0.4)))]


@case("expected_next_loss")
def many_samples(rng, expected_next_loss):
    """seven samples, two features"""
    return expected_next_loss(rng.normal(size=(7, 2)), rng.normal(size=2), 0.07)


@case("expected_next_loss")
def no_step(rng, expected_next_loss):
    """eta = 0: the loss ||Xw||^2 as it was"""
    return expected_next_loss(rng.normal(size=(4, 3)), rng.normal(size=3), 0.0)


@case("expected_next_loss")
def worked_constants(rng, sgd_constants):
    """X = diag(2, 1): c1 = 2, c2 = 32, best rate 1/32"""
    return sgd_constants(np.diag([2.0, 1.0]))


@case("expected_next_loss")
def wide_constants(rng, sgd_constants):
    """three samples, six features"""
    return sgd_constants(with_singular_values(rng, (2.5, 1.6, 0.7), 3, 6))


@case("expected_next_loss")
def tall_constants(rng, sgd_constants):
    """six samples of quite different lengths, two features"""
    return sgd_constants(rng.normal(size=(6, 2)) * np.array([[3], [1], [0.5], [1.5], [0.2], [1]]))
