"""Public cases of ridge regression by augmented data."""

import numpy as np

from viva.case import case
from viva.cases.linear_foundations import with_singular_values


def problems(rng):
    """Tall, wide and with one feature; lam on both sides of 1."""
    for n, d, low, high in ((7, 3, 0.2, 0.6), (3, 6, 2, 5), (5, 1, 0.2, 0.6)):
        yield rng.normal(size=(n, d)), rng.normal(size=n), float(rng.uniform(low, high))


@case("ridge_by_rows")
def more_rows(rng, ridge_by_rows):
    """tall, wide and one feature"""
    return [ridge_by_rows(*problem) for problem in problems(rng)]


@case("ridge_by_rows", rtol=1e-5, atol=1e-5)  # condition number 1e8, and a solve may square it
def extreme_rows(rng, ridge_by_rows):
    """lam = 1e-8 and lam = 1e6"""
    X, y = with_singular_values(rng, (2, 1.5, 1), 6, 3), 10 * rng.normal(size=6)
    return [ridge_by_rows(X, y, 1e-8), 1e6 * np.asarray(ridge_by_rows(X, y, 1e6))]


@case("ridge_by_rows")
def more_features(rng, ridge_by_features):
    """tall, wide and one feature"""
    return [ridge_by_features(*problem) for problem in problems(rng)]


@case("ridge_by_rows", rtol=1e-5, atol=1e-5)
def extreme_features(rng, ridge_by_features):
    """lam = 1e-8 and lam = 1e6"""
    X, y = with_singular_values(rng, (2, 1.5, 1), 3, 6), 10 * rng.normal(size=3)
    return [ridge_by_features(X, y, 1e-8), 1e6 * np.asarray(ridge_by_features(X, y, 1e6))]
