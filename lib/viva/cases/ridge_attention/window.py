"""Cases of windowed_ridge."""

import numpy as np

from viva.case import case
from viva.cases.ridge_attention.inputs import any_numbers, pairs, single

LOOSE = {"rtol": 1e-7, "atol": 1e-8}  # tens of updates and down-dates


@case("windowed_ridge", **LOOSE)
def window_of_three(rng, windowed_ridge):
    """row i uses the pairs i - 2, i - 1 and i"""
    return windowed_ridge(*pairs(rng, 9), float(rng.uniform(0.3, 3)), 3)


@case("windowed_ridge", **LOOSE)
def window_of_one(rng, windowed_ridge):
    """window 1: the present pair only"""
    return windowed_ridge(*pairs(rng, 5, d=4, m=1), float(rng.uniform(0.3, 3)), 1)


@case("windowed_ridge", **LOOSE)
def large_window(rng, windowed_ridge):
    """a window as long as the sequence, and a longer one: nothing leaves"""
    Q, K, V = pairs(rng, 6)
    return [windowed_ridge(Q, K, V, 0.7, window) for window in (6, 9)]


@case("windowed_ridge", **LOOSE)
def forgotten(rng, windowed_ridge):
    """from row 4 on, window 3, the first two pairs have no influence"""
    Q, K, V = pairs(rng, 8)
    K[:2], V[:2] = 5.0, 100.0
    return np.asarray(windowed_ridge(Q, K, V, 0.7, 3))[4:]


@case("windowed_ridge", **LOOSE)
def of_lists(rng, windowed_ridge):
    """lists, integers and single precision: the arithmetic is that of float64"""
    shapes = (6, 3), (6, 3), (6, 2)
    return [windowed_ridge(*arrays, 0.5, 2)
            for arrays in (any_numbers(rng, *shapes), single(rng, *shapes))]
