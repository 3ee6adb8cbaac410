"""Public cases of conditional Gaussians and of the posterior of ridge regression."""

import numpy as np

from viva.case import case


def joint(rng, d, n):
    """(mu_w, mu_y, S_ww, S_wy, S_yy): means and blocks of a random covariance."""
    root = rng.normal(size=(d + n, d + n + 2))
    S, mu = root @ root.T / 2, rng.normal(size=d + n)
    return mu[:d], mu[d:], S[:d, :d], S[:d, d:], S[d:, d:]


@case("gaussian_conditional")
def worked_conditional(rng, gaussian_conditional):
    """means 1 and 2, variances 2 and 4, covariance 1, y = 6: mean 2, variance 1.75"""
    mean, cov = gaussian_conditional(np.array([1.0]), np.array([2.0]), np.array([[2.0]]),
                                     np.array([[1.0]]), np.array([[4.0]]), np.array([6.0]))
    return mean, cov


@case("gaussian_conditional")
def three_given_two(rng, gaussian_conditional):
    """three weights, two observations"""
    mean, cov = gaussian_conditional(*joint(rng, 3, 2), rng.normal(size=2))
    return mean, cov


@case("gaussian_conditional")
def two_given_four(rng, gaussian_conditional):
    """two weights, four observations"""
    mean, cov = gaussian_conditional(*joint(rng, 2, 4), rng.normal(size=4))
    return mean, cov


@case("gaussian_conditional")
def unrelated(rng, gaussian_conditional):
    """an observation that is uncorrelated with the weights says nothing"""
    mu_w, mu_y, S_ww, S_wy, S_yy = joint(rng, 3, 2)
    mean, cov = gaussian_conditional(mu_w, mu_y, S_ww, 0 * S_wy, S_yy, rng.normal(size=2))
    return mean, cov


@case("gaussian_conditional")
def worked_posterior(rng, map_ridge):
    """X = [[2]], y = [3], lam = 0.5: mean 4/3, variance 1/9"""
    mean, cov = map_ridge(np.array([[2.0]]), np.array([3.0]), 0.5)
    return mean, cov


@case("gaussian_conditional")
def tall_posterior(rng, map_ridge):
    """seven samples, three features"""
    mean, cov = map_ridge(rng.normal(size=(7, 3)), rng.normal(size=7), float(rng.uniform(0.3, 0.7)))
    return mean, cov


@case("gaussian_conditional")
def wide_posterior(rng, map_ridge):
    """two samples, five features"""
    mean, cov = map_ridge(rng.normal(size=(2, 5)), rng.normal(size=2), float(rng.uniform(1.5, 4)))
    return mean, cov
