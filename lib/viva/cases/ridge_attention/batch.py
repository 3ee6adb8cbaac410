"""Cases of ridge_stats and ridge_weights."""

import numpy as np

from viva.case import case
from viva.cases.ridge_attention.inputs import any_numbers, pairs

LOOSE = {"rtol": 1e-8, "atol": 1e-9}  # a solve with condition number below 1e4


def number(rng, low=0.3, high=3.0):
    return float(rng.uniform(low, high))


@case("ridge_stats")
def stats_by_hand(rng, ridge_stats):
    """keys (1, 2) and (0, 1), values 3 and 5, lam = 2"""
    return ridge_stats(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[3.0], [5.0]]), 2.0)


@case("ridge_stats")
def six_pairs(rng, ridge_stats):
    """six pairs, three features, two values"""
    _, K, V = pairs(rng, 6)
    return ridge_stats(K, V, number(rng))


@case("ridge_stats")
def stats_of_lists(rng, ridge_stats):
    """a list and single precision: the results are float64"""
    return ridge_stats(*any_numbers(rng, (5, 3), (5, 2)), 0.5)


@case("ridge_stats", **LOOSE)
def weights_by_hand(rng, ridge_weights):
    """one key 2, one value 5, lam = 1: W = 2"""
    return ridge_weights(np.array([[2.0]]), np.array([[5.0]]), 1.0)


@case("ridge_stats", **LOOSE)
def nine_pairs(rng, ridge_weights):
    """nine pairs, four features, two values"""
    _, K, V = pairs(rng, 9, d=4)
    return ridge_weights(K, V, number(rng))


@case("ridge_stats", **LOOSE)
def fewer_pairs(rng, ridge_weights):
    """two pairs, five features: lam makes it solvable"""
    _, K, V = pairs(rng, 2, d=5, m=3)
    return ridge_weights(K, V, number(rng))


@case("ridge_stats", rtol=0, atol=1e-8)
def gradient(rng, ridge_weights):
    """the gradient of |K W - V|^2 + lam |W|^2 at your W vanishes"""
    _, K, V = pairs(rng, 7, d=3, m=2)
    lam = number(rng)
    W = np.asarray(ridge_weights(K, V, lam), float)
    return K.T @ (K @ W - V) + lam * W


@case("ridge_stats", **LOOSE)
def weights_of_lists(rng, ridge_weights):
    """a list and single precision: the result is float64"""
    return ridge_weights(*any_numbers(rng, (6, 3), (6, 2)), 0.5)
