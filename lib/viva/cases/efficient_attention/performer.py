"""Cases of performer_attention."""

import numpy as np

from viva.case import case
from viva.cases.efficient_attention.inputs import any_numbers, tokens


@case("performer_attention")
def five_features(rng, performer_attention):
    """six queries, four keys, five random features"""
    Q, K, V = tokens(rng, 6, 4)
    return performer_attention(Q, K, V, rng.normal(size=(5, 3)))


@case("performer_attention")
def causal(rng, performer_attention):
    """causal: query i sees the keys 0 .. i"""
    Q, K, V = tokens(rng, 6, 6)
    return performer_attention(Q, K, V, rng.normal(size=(5, 3)), causal=True)


@case("performer_attention")
def many_features(rng, performer_attention):
    """4000 features: how far from the softmax (below 0.2)"""
    Q, K, V = tokens(rng, 5, 6, d=4, scale=0.6)
    scores = Q @ K.T / 2
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    exact = weights @ V / weights.sum(axis=-1, keepdims=True)
    out = np.asarray(performer_attention(Q, K, V, rng.normal(size=(4000, 4))))
    return float(np.abs(out - exact).max()) if out.shape == exact.shape else out


@case("performer_attention")
def of_a_batch(rng, performer_attention):
    """a batch of two times three sequences, causal and not"""
    Q, K, V = tokens(rng, 2, 3, 4, 4, d=5)
    W = rng.normal(size=(6, 5))
    return [performer_attention(Q, K, V, W, causal) for causal in (False, True)]


@case("performer_attention")
def in_the_hull(rng, performer_attention):
    """four features, inputs of size 3: outputs stay between the smallest and largest value"""
    Q, K, V = tokens(rng, 8, 9, d=4, scale=3.0)
    out = np.asarray(performer_attention(Q, K, V, rng.normal(size=(4, 4))))
    low, high = V.min(axis=0) - 1e-9, V.max(axis=0) + 1e-9
    return {"output": out, "inside": bool(((out >= low) & (out <= high)).all())}


@case("performer_attention")
def large(rng, performer_attention):
    """queries of size 10 and keys of size 40, and the other way round: no NaN, no overflow"""
    Q, K, V = tokens(rng, 6, 7, d=8, scale=10.0)
    W = rng.normal(size=(6, 8))
    return [performer_attention(q * Q, k * K, V, W) for q, k in ((1, 4), (4, 1))]


@case("performer_attention", rtol=1e-6, atol=1e-6)  # logarithms of size 1e6, rounded to 1e-10 each
def very_large(rng, performer_attention):
    """queries and keys of size 1000, 64 directions: no NaN for any query"""
    Q, K, V = tokens(rng, 16, 16, d=8, scale=1000.0)
    return performer_attention(Q, K, V, rng.normal(size=(64, 8)))


@case("performer_attention")
def of_lists(rng, performer_attention):
    """lists, single precision and integers: the result is float64"""
    return performer_attention(*any_numbers(rng, (4, 3), (5, 3), (5, 2), (6, 3)))
