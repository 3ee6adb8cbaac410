"""Cases of shrink and purifier_svd."""
from viva.case import case

from .common import EIGHT


@case("shrink")
def eight_factors(rng, shrink):
    """factors of the eight singular values at lam = 1 and 4"""
    return [shrink(EIGHT, lam) for lam in (1.0, 4.0)]


@case("shrink")
def random_factors(rng, shrink):
    """factors of five singular values"""
    return shrink(rng.uniform(0.1, 5, 5), float(rng.uniform(1.5, 4)))


@case("shrink")
def wide_svd(rng, purifier_svd):
    """three channels, five samples"""
    return purifier_svd(rng.normal(size=(3, 5)), float(rng.uniform(0.2, 0.8)))


@case("shrink")
def tall_svd(rng, purifier_svd):
    """five channels, two samples"""
    return purifier_svd(rng.normal(size=(5, 2)), float(rng.uniform(0.2, 0.8)))


@case("shrink")
def square_svd(rng, purifier_svd):
    """four channels, four samples"""
    return purifier_svd(rng.normal(size=(4, 4)), float(rng.uniform(1.5, 3)))
