"""Cases of rope."""

import numpy as np

from viva.case import case, outcome


@case("rope")
def quarter_turn(rng, rope):
    """d = 2, pos = pi/2: (1, 0) becomes (0, 1)"""
    return rope(np.array([1.0, 0.0]), np.pi / 2)


@case("rope")
def two_pairs(rng, rope):
    """(1, 0, 1, 0) at position 1"""
    return rope(np.array([1.0, 0.0, 1.0, 0.0]), 1)


@case("rope")
def at_the_origin(rng, rope):
    """position 0 changes nothing"""
    return rope(rng.normal(size=(3, 6)), np.zeros(3))


@case("rope")
def sequence(rng, rope):
    """five tokens of eight coordinates at positions 0 to 4"""
    return rope(rng.normal(size=(5, 8)), np.arange(5))


@case("rope")
def heads_of_a_batch(rng, rope):
    """x (2, 3, 4, 6), pos (4,)"""
    return rope(rng.normal(size=(2, 3, 4, 6)), np.array([0, 1, 5, 9]))


@case("rope")
def a_position_for_each(rng, rope):
    """x (2, 3, 4), pos (2, 1): a row of positions for each sequence"""
    return rope(rng.normal(size=(2, 3, 4)), rng.uniform(-3, 3, (2, 1)))


@case("rope")
def other_base(rng, rope):
    """base = 50, six coordinates, position 2"""
    return rope(rng.normal(size=6), 2, base=50.0)


@case("rope")
def whole_numbers(rng, rope):
    """an array of integers in, float64 out"""
    return rope(np.array([[3, 1, 0, 2]]), np.array([2]))


@case("rope")
def half_the_digits(rng, rope):
    """an array of float32 in, float64 out"""
    return rope(rng.normal(size=(3, 4)).astype(np.float32), np.arange(3))


@case("rope")
def odd(rng, rope):
    """five coordinates: ValueError"""
    return outcome(rope, rng.normal(size=(2, 5)), 1)
