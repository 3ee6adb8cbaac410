"""Cases of query_for and min_beta."""

import numpy as np

from viva.case import case


def orthonormal(rng, n, d):
    """n orthonormal rows in d dimensions."""
    return np.linalg.qr(rng.normal(size=(d, n)))[0].T


def skew_keys(rng, n, d):
    """n independent keys of different lengths, neither orthogonal nor nearly dependent."""
    mix = np.eye(n) + 0.3 * rng.uniform(-1, 1, (n, n)) / np.sqrt(n)
    return rng.uniform(0.5, 2, (n, 1)) * (mix @ orthonormal(rng, n, d))


@case("query_for")
def two_of_four(rng, query_for):
    """orthonormal keys, two chosen of four, beta = 3"""
    return query_for(orthonormal(rng, 4, 6), [1, 3], 3.0)


@case("query_for")
def one_of_three(rng, query_for):
    """orthogonal keys of different lengths, one chosen of three"""
    K = orthonormal(rng, 3, 5) * rng.uniform(0.5, 2, (3, 1))
    return query_for(K, [2], float(rng.uniform(2, 5)))


@case("query_for", rtol=1e-8, atol=1e-9)  # condition number below ten
def skew(rng, query_for):
    """keys that are not orthogonal, in more dimensions than there are keys: the shortest query"""
    return query_for(skew_keys(rng, 4, 6), [0, 2], float(rng.uniform(2, 5)))


@case("query_for", rtol=1e-8, atol=1e-9)
def skew_scores(rng, query_for):
    """the scores K q of such keys: beta, 0, beta, beta, 0"""
    K, idx = skew_keys(rng, 5, 5), [3, 0, 2]
    return K @ np.asarray(query_for(K, idx, 2.5), float)


@case("query_for")
def ten_keys(rng, min_beta):
    """n = 10, m = 2, tol = 0.001: 8.29305"""
    return min_beta(10, 2, 1e-3)


@case("query_for")
def other_counts(rng, min_beta):
    """one, two, three or five chosen, several tolerances"""
    tol = float(rng.uniform(0.05, 0.1))
    return [min_beta(7, 1, tol), min_beta(12, 2, tol), min_beta(20, 3, 0.2), min_beta(9, 5, tol)]


@case("query_for")
def all_chosen(rng, min_beta):
    """all keys chosen: 0"""
    return min_beta(4, 4, 0.01)
