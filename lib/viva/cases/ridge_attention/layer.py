"""Cases of ridge_attention."""

import numpy as np

from viva.case import case
from viva.cases.ridge_attention.inputs import any_numbers, pairs, single

LOOSE = {"rtol": 1e-8, "atol": 1e-9}  # condition numbers below 1e4


@case("ridge_attention", **LOOSE)
def five_queries(rng, ridge_attention):
    """five queries, eight pairs, three features, two values"""
    return ridge_attention(*pairs(rng, 8, Nq=5), float(rng.uniform(0.3, 3)))


@case("ridge_attention", **LOOSE)
def causal(rng, ridge_attention):
    """causal: row i uses the pairs 0 .. i"""
    return ridge_attention(*pairs(rng, 8, d=4), float(rng.uniform(0.3, 3)), causal=True)


@case("ridge_attention", **LOOSE)
def first_row(rng, ridge_attention):
    """causal, the first query equal to the first key (3, 4), value 26, lam = 1: 25"""
    Q, K, V = pairs(rng, 3, d=2, m=1)
    Q[0] = K[0] = (3.0, 4.0)
    V[0] = 26.0
    return np.asarray(ridge_attention(Q, K, V, 1.0, causal=True))[0]


@case("ridge_attention", **LOOSE)
def orthonormal_keys(rng, ridge_attention):
    """orthonormal keys are answered by their values, divided by 1 + lam"""
    K = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    V = rng.normal(size=(4, 2))
    return ridge_attention(K, K, V, 0.25)


@case("ridge_attention", rtol=1e-5, atol=1e-5)
def large_lam(rng, ridge_attention):
    """lam = 1e8: lam times the output tends to Q K^T V"""
    Q, K, V = pairs(rng, 5)
    return [1e8 * np.asarray(ridge_attention(Q, K, V, 1e8, causal=c)) for c in (False, True)]


@case("ridge_attention", **LOOSE)
def fewer_pairs(rng, ridge_attention):
    """two pairs, five features, causal and not"""
    Q, K, V = pairs(rng, 2, d=5, m=3)
    return [ridge_attention(Q, K, V, 0.6, c) for c in (False, True)]


@case("ridge_attention", **LOOSE)
def of_lists(rng, ridge_attention):
    """lists, integers and single precision: the arithmetic is that of float64"""
    shapes = (5, 3), (5, 3), (5, 2)
    return [ridge_attention(*arrays, 0.5, causal) for causal in (False, True)
            for arrays in (any_numbers(rng, *shapes), single(rng, *shapes))]
