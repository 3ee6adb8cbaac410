"""Public cases of section 1: the score function.

Estimates are compared within about eight standard errors, so any order of the draws will do.
"""

import numpy as np

from viva.case import case, outcome

MANY = 200_000


def fresh(rng):
    """A new generator: a candidate draws from it without advancing the case's own."""
    return np.random.default_rng(int(rng.integers(2**32)))


def draws(rng, estimate):
    """Whether an estimate comes from the generator it is given: three compared, in words."""
    one, other = (int(seed) for seed in rng.integers(2**32, size=2))
    first, again, third = (np.asarray(estimate(np.random.default_rng(seed)), float)
                           for seed in (one, one, other))
    words = {True: "the same estimate", False: "another estimate"}
    return {"the same state of rng": words[np.allclose(first, again)],
            "another state of rng": words[np.allclose(first, third)]}


def square(x):
    return (x**2).sum(axis=-1)


def step(x):
    return (x[..., 0] > 0).astype(float)


def hundred(x):
    return 100 + x[..., 0]


@case("score_gaussian")
def by_hand(rng, score_gaussian):
    """x = 3, mu = 1, sigma = 2: 0.5"""
    return score_gaussian(np.array([3.0]), np.array([1.0]), 2.0)


@case("score_gaussian")
def rows(rng, score_gaussian):
    """four points in three dimensions, sigma = 0.7"""
    return score_gaussian(rng.normal(size=(4, 3)), rng.normal(size=3), 0.7)


@case("score_gaussian")
def no_width(rng, score_gaussian):
    """sigma = 0, sigma = -1: ValueError"""
    x = rng.normal(size=(4, 3))
    return [outcome(score_gaussian, x, x[0], sigma) for sigma in (0.0, -1.0)]


@case("score_gaussian", rtol=0, atol=0.28)  # a standard error is about 0.03
def parabola(rng, score_grad):
    """f = |x|^2, mu = (1, -2), sigma = 0.5: near 2 mu = (2, -4)"""
    return score_grad(square, np.array([1.0, -2.0]), 0.5, MANY, fresh(rng))[0]


@case("score_gaussian", rtol=0, atol=0.08)  # a standard error is about 0.007
def linear(rng, score_grad):
    """f = 2 x_0 - x_1 + x_2, sigma = 3: near (2, -1, 1)"""
    a = np.array([2.0, -1.0, 1.0])
    return score_grad(lambda x: x @ a, np.zeros(3), 3.0, MANY, fresh(rng))[0]


@case("score_gaussian", rtol=0, atol=0.02)  # a standard error is about 0.002
def jump(rng, score_grad):
    """f = 1 where x > 0, else 0; mu = 0.4, sigma = 0.7: near 0.4841"""
    return score_grad(step, np.array([0.4]), 0.7, MANY, fresh(rng))[0]


@case("score_gaussian", rtol=0.13, atol=0.0)  # known to 1.3%
def variance(rng, score_grad):
    """f = |x|^2, n = 50,000: 50,000 times the variance of the mean"""
    return 50_000 * score_grad(square, np.array([1.0, -2.0]), 0.5, 50_000, fresh(rng))[1]


@case("score_gaussian", rtol=0.18, atol=0.0)  # known to 1.7%
def variance_with_baseline(rng, score_grad):
    """f = 100 + x_0 with baseline 100, n = 50,000: 50,000 times the variance of the mean"""
    return 50_000 * score_grad(hundred, np.zeros(2), 0.5, 50_000, fresh(rng), baseline=100.0)[1]


@case("score_gaussian")
def nothing_left(rng, score_grad):
    """f = 7 everywhere with baseline 7: zeros, whatever is drawn"""
    return score_grad(lambda x: np.full(len(x), 7.0), np.zeros(3), 0.5, 20, fresh(rng),
                      baseline=7.0)


@case("score_gaussian")
def single_sample(rng, score_grad):
    """f = 3 everywhere, ONE sample, no baseline: not zero, for nothing is subtracted"""
    found = score_grad(lambda x: np.full(len(x), 3.0), np.zeros(2), 0.5, 1, fresh(rng))[0]
    return {"the mean is zero": not np.any(found), "shape": list(np.shape(found))}


@case("score_gaussian")
def draws_from_rng(rng, score_grad):
    """the same state of rng gives the same estimate, another state another one"""
    return draws(rng, lambda dice: score_grad(square, np.ones(2), 0.5, 10, dice)[0])


@case("score_gaussian")
def no_width_of_grad(rng, score_grad):
    """score_grad with sigma = 0, sigma = -1: ValueError"""
    return [outcome(score_grad, square, np.ones(2), sigma, 5, fresh(rng)) for sigma in (0.0, -1.0)]
