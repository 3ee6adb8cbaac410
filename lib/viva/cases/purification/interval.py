"""Cases of lambda_range."""
import numpy as np

from viva.case import case, outcome, rule

from .common import EIGHT


@case("lambda_range")
def worked_interval(rng, lambda_range):
    """the eight singular values, k = 3, keep 0.8, kill 0.5: (1, 4)"""
    return lambda_range(EIGHT, 3)


@case("lambda_range")
def other_factors(rng, lambda_range):
    """seven singular values, k = 4, other keep and kill"""
    strong, weak = rng.uniform(3, 9, 4), rng.uniform(0.1, 1, 3)
    sigmas = np.sort(np.concatenate([strong, weak]))[::-1]
    keep, kill = float(rng.uniform(0.6, 0.75)), float(rng.uniform(0.35, 0.45))
    return lambda_range(sigmas, 4, keep=keep, kill=kill)


@rule("lambda_range")
def mixed(rng, lambda_range):
    """five singular values, not sorted, k = 3: (1, 4) again"""
    return lambda_range(np.array([4.0, 10.0, 8.0, 0.36, 1.0]), 3)


@rule("lambda_range")
def any_order(rng, lambda_range):
    """the eight singular values in another order, as a list"""
    return lambda_range([0.36, 10, 0.01, 4, 0.5, 8, 0.16, 1], 3)


@rule("lambda_range")
def all_or_none(rng, lambda_range):
    """k = all leaves lo = 0, k = 0 leaves hi = infinity"""
    return [lambda_range(EIGHT, 8), lambda_range(EIGHT, 0)]


@rule("lambda_range")
def empty(rng, lambda_range):
    """no such lam: ValueError"""
    return outcome(lambda_range, np.array([2.0, 1.9]), 1)


@rule("lambda_range")
def a_point_is_an_interval(rng, lambda_range):
    """4 <= lam <= 4 is one value of lam, and not none: no ValueError"""
    return outcome(lambda_range, np.array([2.0, 2.0]), 1, 0.5, 0.5)


@rule("lambda_range")
def a_point_up_to_rounding(rng, lambda_range):
    """the eight singular values, k = 4: both ends are 0.25 up to rounding, and not empty"""
    return outcome(lambda_range, EIGHT, 4)


@rule("lambda_range")
def point_of_eight(rng, lambda_range):
    """the eight singular values, k = 4: the single point 0.25"""
    return lambda_range(EIGHT, 4)


@rule("lambda_range")
def single_point(rng, lambda_range):
    """an interval of one point is not empty: both are 4"""
    return lambda_range(np.array([2.0, 2.0]), 1, 0.5, 0.5)
