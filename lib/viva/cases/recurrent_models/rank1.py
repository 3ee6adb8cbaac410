"""Public cases of section 9: powers of the identity plus a rank-one matrix."""

import numpy as np

from viva.case import case, outcome


@case("rank1_power_coef")
def forty_three(rng, rank1_power_coef):
    """s = 5, L = 3: 43"""
    return rank1_power_coef(5.0, 3)


@case("rank1_power_coef")
def small_powers(rng, rank1_power_coef):
    """L = 0 to 8 for one random s"""
    s = float(rng.uniform(0.5, 2))
    return [rank1_power_coef(s, L) for L in range(9)]


@case("rank1_power_coef")
def zero_length(rng, rank1_power_coef):
    """s = 0, L = 7: 7"""
    return rank1_power_coef(0.0, 7)


@case("rank1_power_coef", rtol=1e-12)
def tiny_length(rng, rank1_power_coef):
    """s = 1e-14, L = 1000: 1000.000000005"""
    return rank1_power_coef(1e-14, 1000)


@case("rank1_power_coef")
def long_and_small(rng, rank1_power_coef):
    """s = 1e-9, L = 1,000,000"""
    return rank1_power_coef(1e-9, 1_000_000)


@case("rank1_power_coef")
def negative(rng, rank1_power_coef):
    """s = -1, then L = -1: ValueError"""
    return [outcome(rank1_power_coef, -1.0, 3), outcome(rank1_power_coef, 1.0, -1)]


@case("rank1_power_coef")
def one_two(rng, rank1_power_apply):
    """p = (1, 2), L = 3, x = (1, 0): (44, 86)"""
    return rank1_power_apply(np.array([1.0, 2.0]), 3, np.array([1.0, 0.0]))


@case("rank1_power_coef")
def random_vector(rng, rank1_power_apply):
    """a random p and x of five entries, L = 4"""
    return rank1_power_apply(rng.normal(size=5), 4, rng.normal(size=5))


@case("rank1_power_coef")
def zero_vector(rng, rank1_power_apply):
    """p = 0: x itself"""
    return rank1_power_apply(np.zeros(3), 5, rng.normal(size=3))


@case("rank1_power_coef")
def power_zero(rng, rank1_power_apply):
    """L = 0: x itself; L = -1: ValueError"""
    p, x = rng.normal(size=3), rng.normal(size=3)
    return [rank1_power_apply(p, 0, x), outcome(rank1_power_apply, p, -1, x)]
