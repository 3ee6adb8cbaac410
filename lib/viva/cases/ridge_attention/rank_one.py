"""Cases of sherman_morrison."""

import numpy as np

from viva.case import case, outcome, rule

LOOSE = {"rtol": 1e-8, "atol": 1e-9}  # condition numbers below 1e3


def change(rng, d):
    """An inverse that is not symmetric, and two vectors that keep the matrix regular."""
    Minv = 2 * np.eye(d) + 0.4 * rng.normal(size=(d, d)) / np.sqrt(d)
    u, v = 0.6 * rng.normal(size=(2, d))
    if 1 + v @ Minv @ u < 0.3:
        v = -v
    return Minv, u, v


@case("sherman_morrison", **LOOSE)
def by_hand(rng, sherman_morrison):
    """M = I, u = (1, 0), v = (1, 2): rows (0.5, -1) and (0, 1)"""
    return sherman_morrison(np.eye(2), np.array([1.0, 0.0]), np.array([1.0, 2.0]))


@case("sherman_morrison", **LOOSE)
def four_dimensions(rng, sherman_morrison):
    """a matrix that is not symmetric, u and v different"""
    return sherman_morrison(*change(rng, 4))


@case("sherman_morrison", **LOOSE)
def symmetric(rng, sherman_morrison):
    """a symmetric matrix, u = v"""
    Minv, u, _ = change(rng, 3)
    return sherman_morrison(Minv @ Minv.T, u, u)


@case("sherman_morrison", **LOOSE)
def there_and_back(rng, sherman_morrison):
    """u v^T added and taken away again: the inverse you started from"""
    Minv, u, v = change(rng, 4)
    return sherman_morrison(sherman_morrison(Minv, u, v), -u, v)


@case("sherman_morrison")
def singular(rng, sherman_morrison):
    """changes that make M singular: LinAlgError"""
    e = np.eye(3)
    requests = (e, e[0], -e[0]), (0.5 * e, 2 * e[1], -e[1]), (4 * e, e[0] + e[2], -0.25 * e[2])
    return [outcome(sherman_morrison, *request) for request in requests]


@case("sherman_morrison", **LOOSE)
def nearly_singular(rng, sherman_morrison):
    """denominators of 1e-6 and 1e-9 are small and not zero: no reason to refuse"""
    e = np.eye(2)
    return [sherman_morrison(e, e[0], (2.0**-power - 1) * e[0]) for power in (20, 30)]


@rule("sherman_morrison")
def not_refused(rng, sherman_morrison):
    """denominators of 1e-6, 1e-9 and -1: no exception"""
    e = np.eye(2)
    return [outcome(sherman_morrison, e, e[0], (small - 1) * e[0])
            for small in (2.0**-20, 2.0**-30, -1.0)]


@case("sherman_morrison", **LOOSE)
def negative_denominator(rng, sherman_morrison):
    """a denominator between -2.5 and -1.5 is as good as a positive one"""
    Minv, u, v = change(rng, 3)
    return sherman_morrison(Minv, u, -(1 + rng.uniform(1.5, 2.5)) / (u @ Minv @ u) * u)


@case("sherman_morrison", **LOOSE)
def of_lists(rng, sherman_morrison):
    """lists, single precision and integers: the result is float64"""
    lists = [[2, 1], [0, 1]], [1, 0.5], [1, -1]
    singles = [np.array(x, np.float32) / np.float32(3) for x in lists]
    integers = np.array(lists[0]), np.array([1, 2]), np.array([1, -1])
    return [sherman_morrison(*each) for each in (lists, singles, integers)]
