"""Public cases of `relative_spread`: one for every rule that its text states."""

import numpy as np

from viva.case import case


@case("relative_spread")
def by_hand(rng, relative_spread):
    """the rows (3, 0) and (1, 0): the root of 2 / 10"""
    return relative_spread(np.array([[3.0, 0.0], [1.0, 0.0]]))


@case("relative_spread")
def seven_rows(rng, relative_spread):
    """seven rows of three numbers"""
    return relative_spread(rng.normal(size=(7, 3)) + [1.0, -2.0, 0.5])


@case("relative_spread")
def rows_alike(rng, relative_spread):
    """five rows that are nearly alike, and five that are alike (0)"""
    row = np.array([1.0, -2.0, 4.0])
    return [relative_spread(row + 1e-4 * rng.normal(size=(5, 3))),
            relative_spread(np.tile(row, (5, 1)))]


@case("relative_spread")
def rows_cancel(rng, relative_spread):
    """six rows whose mean is zero: 1"""
    half = rng.normal(size=(3, 2))
    return relative_spread(np.vstack([half, -half]))


@case("relative_spread")
def tiny_and_huge(rng, relative_spread):
    """the same four rows times 1, -3, 1e-9, 1e-200 and 1e200"""
    S = rng.normal(size=(4, 3)) + 1.0
    return [relative_spread(S * c) for c in (1.0, -3.0, 1e-9, 1e-200, 1e200)]


@case("relative_spread")
def nothing_left(rng, relative_spread):
    """all states zero: 0"""
    return relative_spread(np.zeros((4, 3)))


@case("relative_spread")
def one_row(rng, relative_spread):
    """a single row: 0"""
    return relative_spread(rng.normal(size=(1, 3)))
