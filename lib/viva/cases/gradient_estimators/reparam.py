"""Public cases of section 2: reparameterisation. Estimates within about eight standard errors."""

import numpy as np

from viva.case import case, outcome, rule
from viva.cases.gradient_estimators.score import MANY, draws, fresh

MU = np.array([1.0, -2.0])


def twice(x):
    """The gradient of |x|^2."""
    return 2 * x


def wave(x):
    """The gradient of the sum of sin(3 x_i)."""
    return 3 * np.cos(3 * x)


def swapped(x):
    """The gradient of x_0 x_1."""
    return x[..., ::-1]


@case("reparam_grad", rtol=0, atol=0.02)  # a standard error is about 0.002
def parabola_mu(rng, reparam_grad):
    """f = |x|^2, mu = (1, -2), sigma = 0.5, by mu: near (2, -4)"""
    return reparam_grad(twice, MU, 0.5, MANY, fresh(rng))[0]


@case("reparam_grad", rtol=0, atol=0.04)  # about 0.004
def wave_mu(rng, reparam_grad):
    """f = sin(3 x_0) + sin(3 x_1), sigma = 0.4, by mu"""
    return reparam_grad(wave, np.array([0.3, -0.8]), 0.4, MANY, fresh(rng))[0]


@case("reparam_grad", rtol=0.1, atol=0.0)
def variance_mu(rng, reparam_grad):
    """f = |x|^2, n = 50,000: 50,000 times the variance of the mean, near 1"""
    return 50_000 * reparam_grad(twice, MU, 0.5, 50_000, fresh(rng))[1]


@case("reparam_grad")
def one_sample(rng, reparam_grad):
    """a linear f and ONE sample: its slopes exactly, and variance 0"""
    a = rng.normal(size=3)
    return reparam_grad(lambda x: np.broadcast_to(a, x.shape), rng.normal(size=3), 0.7, 1,
                        fresh(rng))


@case("reparam_grad")
def no_noise(rng, reparam_grad):
    """sigma = 0: the gradient at mu, and variance 0"""
    return reparam_grad(wave, np.array([0.3, -0.8]), 0.0, 4, fresh(rng))


@case("reparam_grad")
def negative_mu(rng, reparam_grad):
    """sigma = -1: ValueError"""
    return outcome(reparam_grad, twice, MU, -1.0, 5, fresh(rng))


@rule("reparam_grad")
def zero_width(rng, reparam_grad):
    """sigma = 0 is allowed"""
    return outcome(reparam_grad, twice, MU, 0.0, 5, fresh(rng))


@rule("reparam_grad")
def zero_width_sigma(rng, reparam_grad_sigma):
    """by sigma: sigma = 0 is allowed"""
    return outcome(reparam_grad_sigma, twice, MU, 0.0, 5, fresh(rng))


@case("reparam_grad", rtol=0, atol=0.1)  # about 0.012
def parabola_sigma(rng, reparam_grad_sigma):
    """f = |x|^2 in three dimensions, sigma = 0.5, by sigma: near 2 * 3 * 0.5 = 3"""
    return reparam_grad_sigma(twice, np.array([1.0, -2.0, 0.5]), 0.5, MANY, fresh(rng))[0]


@case("reparam_grad", rtol=0, atol=0.06)  # about 0.006
def wave_sigma(rng, reparam_grad_sigma):
    """f = sin(3 x_0) + sin(3 x_1), sigma = 0.4, by sigma"""
    return reparam_grad_sigma(wave, np.array([0.3, 0.8]), 0.4, MANY, fresh(rng))[0]


@case("reparam_grad", rtol=0, atol=0.05)  # about 0.005
def product_sigma(rng, reparam_grad_sigma):
    """f = x_0 x_1, sigma = 0.8, by sigma: near 0"""
    return reparam_grad_sigma(swapped, np.array([1.0, -2.0]), 0.8, MANY, fresh(rng))[0]


@case("reparam_grad", rtol=0.1, atol=0.0)
def variance_sigma(rng, reparam_grad_sigma):
    """f = |x|^2, n = 50,000, by sigma: 50,000 times the variance of the mean"""
    return 50_000 * reparam_grad_sigma(twice, MU, 0.5, 50_000, fresh(rng))[1]


@case("reparam_grad", rtol=0.15, atol=0.0)  # known to 2%
def variance_of_product(rng, reparam_grad_sigma):
    """f = x_0 x_1, mu = 0, n = 50,000, by sigma: 50,000 times the variance of the mean"""
    return 50_000 * reparam_grad_sigma(swapped, np.zeros(2), 0.8, 50_000, fresh(rng))[1]


@case("reparam_grad")
def no_noise_sigma(rng, reparam_grad_sigma):
    """a constant f and sigma = 0, by sigma: (0, 0)"""
    return reparam_grad_sigma(np.zeros_like, MU, 0.0, 4, fresh(rng))


@case("reparam_grad")
def draws_from_rng(rng, reparam_grad):
    """the same state of rng gives the same estimate, another state another one"""
    return draws(rng, lambda dice: reparam_grad(wave, MU, 0.5, 10, dice)[0])


@case("reparam_grad")
def draws_from_rng_sigma(rng, reparam_grad_sigma):
    """by sigma: the same state of rng gives the same estimate, another state another one"""
    return draws(rng, lambda dice: reparam_grad_sigma(wave, MU, 0.5, 10, dice)[0])


@case("reparam_grad")
def negative_sigma(rng, reparam_grad_sigma):
    """by sigma, sigma = -1: ValueError"""
    return outcome(reparam_grad_sigma, twice, MU, -1.0, 5, fresh(rng))
