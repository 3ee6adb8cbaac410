"""Public cases of section 2: Jacobians of a step and of many."""

import numpy as np

from viva.case import case


def dtanh(z):
    return 1 - np.tanh(z) ** 2


def one(z):
    """The derivative of the identity."""
    return np.ones_like(z)


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
