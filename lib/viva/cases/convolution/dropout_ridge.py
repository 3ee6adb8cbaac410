"""Cases of `dropout_expected_loss` and `dropout_ridge_solution`. p is the probability to keep."""

import itertools

import numpy as np

from viva.case import case

TOY_X, TOY_y = np.array([[10.0, 1.0]]), np.array([11.0])


def regression(rng, n, d):
    """X (n, d) with columns of different lengths that are not centred, y (n,), w (d,)."""
    X = rng.normal(size=(n, d)) * np.linspace(0.6, 2, d) + rng.uniform(0.3, 1, d)
    return X, rng.normal(size=n), rng.normal(size=d)


@case("dropout_expected_loss")
def toy_loss(rng, dropout_expected_loss):
    """X = [[10, 1]], y = [11], w = (1, 1), p = 0.5: 55.5"""
    return dropout_expected_loss(TOY_X, TOY_y, np.ones(2), 0.5)


@case("dropout_expected_loss")
def all_masks(rng, dropout_expected_loss):
    """your value minus the exact average over the 16 masks of a 2 x 2 problem, p = 0.3"""
    X, y, w = regression(rng, 2, 2)
    mean, p = 0.0, 0.3
    for bits in itertools.product((0, 1), repeat=4):
        R = np.array(bits).reshape(2, 2)
        mean += p ** R.sum() * (1 - p) ** (4 - R.sum()) * ((y - (R * X) @ w) ** 2).sum()
    return dropout_expected_loss(X, y, w, p) - mean


@case("dropout_expected_loss")
def several_losses(rng, dropout_expected_loss):
    """five samples, three columns, p = 0.2, 0.8 and 1"""
    X, y, w = regression(rng, 5, 3)
    return [dropout_expected_loss(X, y, w, p) for p in (0.2, 0.8, 1.0)]


@case("dropout_expected_loss")
def many_columns(rng, dropout_expected_loss):
    """forty columns, p = 0.4: nobody can list the 2^40 masks of a sample"""
    X, y, w = regression(rng, 2, 40)
    return dropout_expected_loss(X, y, w, 0.4)


@case("dropout_expected_loss")
def toy_solution(rng, dropout_ridge_solution):
    """X = [[10, 1]], y = [11], p = 0.5: (0.366667, 3.666667)"""
    return dropout_ridge_solution(TOY_X, TOY_y, 0.5)


@case("dropout_expected_loss")
def several_solutions(rng, dropout_ridge_solution):
    """six samples, three columns, p = 0.2, 0.8 and 1 (least squares)"""
    X, y, _ = regression(rng, 6, 3)
    return [dropout_ridge_solution(X, y, p) for p in (0.2, 0.8, 1.0)]


@case("dropout_expected_loss")
def more_columns_than_rows(rng, dropout_ridge_solution):
    """three samples, five columns, p = 0.6"""
    X, y, _ = regression(rng, 3, 5)
    return dropout_ridge_solution(X, y, 0.6)
