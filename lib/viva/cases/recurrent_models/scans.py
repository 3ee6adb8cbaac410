"""Public cases of section 10: a recurrence with other factors at every step."""

import numpy as np

from viva.case import case, outcome


@case("linear_scan")
def by_hand_scan(rng, linear_scan):
    """a = (9, 2, 3), b = (1, 1, 1): 1, 3, 10"""
    return linear_scan(np.array([9.0, 2.0, 3.0]), np.ones(3))


@case("linear_scan")
def many_lengths(rng, linear_scan):
    """T = 1 to 9, and 17, with three features"""
    return [linear_scan(rng.normal(size=(T, 3)), rng.normal(size=(T, 3)))
            for T in (*range(1, 10), 17)]


@case("linear_scan")
def zeros_in_a(rng, linear_scan):
    """zeros and tiny values in a"""
    a = rng.normal(size=(12, 2))
    a[3], a[7, 0], a[8] = 0.0, 0.0, 1e-300
    return linear_scan(a, rng.normal(size=(12, 2)))


@case("linear_scan")
def three_axes(rng, linear_scan):
    """time first, then two more axes: (6, 2, 3)"""
    return linear_scan(rng.normal(size=(6, 2, 3)), rng.normal(size=(6, 2, 3)))


@case("linear_scan")
def two_shapes(rng, linear_scan):
    """a (4, 1) and b (4, 3): ValueError"""
    return outcome(linear_scan, np.ones((4, 1)), np.ones((4, 3)))
