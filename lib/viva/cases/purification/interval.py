"""Cases of lambda_range."""
import numpy as np

from viva.case import case

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
