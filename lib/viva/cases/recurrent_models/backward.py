"""Public cases of section 4: back-propagation through time."""

import numpy as np

from viva.case import case, outcome


def problem(rng, n=3, d=2, T=5, scale=1.0):
    """W, U, b, X, h0 and the gradient that arrives at h_T."""
    W, U, b = scale * rng.normal(size=(n, n)), rng.normal(size=(n, d)), rng.normal(size=n)
    return W, U, b, rng.normal(size=(T, d)), rng.normal(size=n), rng.normal(size=n)


@case("bptt")
def by_hand(rng, bptt):
    """one unit, two steps: dL/dh_1 = 2 (1 - tanh(2.0826)^2) = 0.12044"""
    return bptt(np.array([[2.0]]), np.array([[1.0]]), np.array([0.5]),
                np.array([[1.0], [0.0]]), np.array([0.3]), np.array([1.0]))


@case("bptt")
def state_gradients(rng, bptt):
    """G, the gradients of the states, for T = 5"""
    return bptt(*problem(rng))[3]


@case("bptt")
def weight_gradient(rng, bptt):
    """dW for T = 5"""
    return bptt(*problem(rng))[0]


@case("bptt")
def input_gradient(rng, bptt):
    """dU for T = 5"""
    return bptt(*problem(rng))[1]


@case("bptt")
def bias_gradient(rng, bptt):
    """db for T = 5"""
    return bptt(*problem(rng))[2]


@case("bptt")
def one_step(rng, bptt):
    """T = 1: all four, G has one row"""
    return bptt(*problem(rng, 4, 3, 1))


@case("bptt", rtol=1e-8)
def forty_steps(rng, bptt):
    """T = 40, two units: all four"""
    return bptt(*problem(rng, 2, 3, 40, 0.7))


@case("bptt")
def no_steps(rng, bptt):
    """T = 0: ValueError"""
    return outcome(bptt, *problem(rng, T=0))
