"""Public cases of section 10: a recurrence with other factors at every step."""

import numpy as np

from viva.case import case, outcome


def chain(first, second):
    """A combine that counts: how many joins, one after the other, a position waits for."""
    return tuple(np.maximum(old, new) + 1 for old, new in zip(first, second, strict=True))


def last_marked(first, second):
    """A combine that keeps the newer pair where its a is not 0, and the older one elsewhere."""
    return tuple(np.where(second[0] != 0, new, old)
                 for old, new in zip(first, second, strict=True))


def fewest(T):
    """No way to join the steps 0 .. t has a shorter chain than this, (T,)."""
    return np.ceil(np.log2(np.arange(1, T + 1)))


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
    """a (4, 1) and b (4, 3), and the other way round: ValueError both times"""
    return [outcome(linear_scan, np.ones((4, 1)), np.ones((4, 3))),
            outcome(linear_scan, np.ones((4, 3)), np.ones((4, 1)))]


@case("linear_scan")
def another_combine(rng, linear_scan):
    """T = 11, and a combine that keeps the newer pair unless its a is 0"""
    marks = np.array([1.0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1])
    return linear_scan(marks, rng.normal(size=11), combine=last_marked)


@case("linear_scan")
def longest_chain(rng, linear_scan):
    """T = 33, and a combine that counts: no state waits for more than 13 joins"""
    waits = linear_scan(np.zeros(33), np.zeros(33), combine=chain)
    if np.any(waits < fewest(33)):
        return "not every join was made by combine"
    return "at most 13 joins" if np.max(waits) <= 13 else "more than 13 joins, one after the other"
