"""Cases of poly2_features and poly_features."""
import numpy as np

from viva.case import case, rule


@case("poly2_features")
def worked_example(rng, poly2_features):
    """x = (1, 2), worked by hand above"""
    return poly2_features(np.array([1.0, 2.0]))


@case("poly2_features")
def products(rng, poly2_features):
    """phi(q) . phi(k) of 20 pairs for each D from 1 to 6"""
    found = []
    for D in range(1, 7):
        q, k = rng.normal(size=(20, D)), rng.normal(size=(20, D))
        found.append(np.sum(poly2_features(q) * poly2_features(k), axis=-1))
    return found


@case("poly_features")
def quadratic_kernel(rng, poly_features):
    """degree 2, alpha = c = 1: products of all pairs of four points"""
    phi = poly_features(rng.normal(size=(4, 3)), 2)
    return phi @ phi.T


@case("poly_features")
def linear_kernel(rng, poly_features):
    """degree 1: phi(q) . phi(k) = alpha q . k + c"""
    phi = poly_features(rng.normal(size=(4, 3)), 1, 2.0, 3.0)
    return phi @ phi.T


@rule("poly2_features")
def order(rng, poly2_features):
    """all features of x = (2, 3, 5, 7) in their order; and of a batch"""
    primes, tokens = np.array([2.0, 3.0, 5.0, 7.0]), rng.normal(size=(2, 3, 2))
    return [poly2_features(primes), poly2_features(tokens)]


@rule("poly2_features")
def whole_numbers(rng, poly2_features):
    """an array of integers has real features"""
    return poly2_features(np.array([[1, 2], [3, 4]]))


@rule("poly_features")
def dimension(rng, poly_features):
    """degree 3 of two numbers: as many features as there are monomials, 10"""
    return poly_features(rng.normal(size=(4, 2)), 3).shape[-1]


@rule("poly_features")
def homogeneous(rng, poly_features):
    """c = 0 is allowed, degree 3, alpha = 2: products of three points; all 10 features stay"""
    phi = poly_features(rng.normal(size=(3, 2)), 3, 2.0, 0.0)
    return {"products": phi @ phi.T, "number of features": phi.shape[-1]}
