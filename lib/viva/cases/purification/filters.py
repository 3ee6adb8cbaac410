"""Cases of shrink and purifier_svd."""
import numpy as np

from viva.case import case, rule

from .common import EIGHT, with_singular_values


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


@rule("shrink")
def zeros(rng, shrink):
    """a singular value 0 has the factor 0, at lam = 0 as well"""
    return [shrink(np.array([2.0, 0.0]), 1.0), shrink(np.array([2.0, 0.0]), 0.0)]


@rule("shrink")
def whole_numbers(rng, shrink):
    """a list of whole numbers, 4, 2, 1, at lam = 4: 0.8, 0.5, 0.2"""
    return shrink([4, 2, 1], 4)


@rule("shrink")
def weak_is_not_silent(rng, shrink):
    """lam = 0: a weak direction passes whole, and only a silent one has the factor 0"""
    return shrink(np.array([1e-7, 0.0]), 0.0)


@rule("shrink", rtol=0, atol=1e-8)  # a projector of well-separated directions
def svd_without_penalty(rng, purifier_svd):
    """lam = 0, rank 2 in four channels: the projector"""
    return purifier_svd(with_singular_values(rng, [3, 1], 4, 9), 0.0)


@rule("shrink", rtol=0, atol=1e-8)  # a projector does not depend on the scale of the data
def svd_of_any_scale(rng, purifier_svd):
    """lam = 0, rank 2 in four channels, data ten million times as large, and far below 1e-12"""
    X = with_singular_values(rng, [3, 1], 4, 9)
    return [purifier_svd(1e7 * X, 0.0), purifier_svd(1e-14 * X, 0.0)]


@rule("shrink", rtol=1e-6, atol=0)
def small_beside_large(rng, purifier_svd):
    """singular values from 100,000 to 0.001, lam = 0.001: the eigenvalues of W"""
    W = np.asarray(purifier_svd(with_singular_values(rng, np.logspace(5, -3, 5), 5, 8), 1e-3))
    return np.linalg.eigvalsh((W + W.T) / 2)
