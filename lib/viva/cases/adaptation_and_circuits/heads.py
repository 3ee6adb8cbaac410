"""Cases of head_patterns, multihead_concat and multihead_additive. Columns are tokens."""

import numpy as np

from viva.case import case


def heads_of(rng, d_model, widths):
    """[(W_Q, W_K, W_V), ...], each (d_head, d_model), and W_O (d_model, sum of the widths)."""
    heads = [tuple(rng.normal(size=(w, d_model)) for _ in range(3)) for w in widths]
    return heads, rng.normal(size=(d_model, sum(widths)))


@case("head_patterns")
def rows_are_queries(rng, head_patterns):
    """five tokens of four numbers, d_head = 2"""
    X, WQ, WK = (rng.normal(size=shape) for shape in ((4, 5), (2, 4), (2, 4)))
    return head_patterns(X, WQ, WK)


@case("head_patterns")
def past_only(rng, head_patterns):
    """causal, six tokens, d_head = 3"""
    X, WQ, WK = (rng.normal(size=shape) for shape in ((4, 6), (3, 4), (3, 4)))
    return head_patterns(X, WQ, WK, causal=True)


@case("head_patterns")
def large_scores(rng, head_patterns):
    """scores in the thousands, and a token whose scores are small"""
    X, WQ, WK = (rng.normal(size=shape) for shape in ((4, 5), (2, 4), (2, 4)))
    X[:, 1] *= 1e-4
    return [head_patterns(100 * X, WQ, WK, causal) for causal in (False, True)]


@case("head_patterns")
def loud_future(rng, head_patterns):
    """causal: the last token would score far above all others, and is not read before its turn"""
    X, W = rng.normal(size=(3, 4)), rng.normal(size=(2, 3))
    X[:, 3] = 3 * X[:, 0]
    return head_patterns(100 * X, W, W, causal=True)


@case("head_patterns")
def quiet_past(rng, head_patterns):
    """causal: the scores of the past are far below zero, down to -10,000"""
    X, W = rng.normal(size=(3, 5)), rng.normal(size=(2, 3))
    return head_patterns(100 * np.abs(X), np.abs(W), -np.abs(W), causal=True)


@case("head_patterns")
def concatenated(rng, multihead_concat):
    """two heads of width 3 in a stream of width 5, four tokens"""
    heads, WO = heads_of(rng, 5, (3, 3))
    return multihead_concat(rng.normal(size=(5, 4)), heads, WO)


@case("head_patterns")
def concatenated_widths(rng, multihead_concat):
    """heads of widths 1, 3 and 2, causal and not"""
    heads, WO = heads_of(rng, 4, (1, 3, 2))
    X = 2 * rng.normal(size=(4, 5))  # far from uniform weights: a wrong scale is plain to see
    return [multihead_concat(X, heads, WO, causal=causal) for causal in (True, False)]


@case("head_patterns")
def added(rng, multihead_additive):
    """the contributions of two heads of width 3"""
    heads, WO = heads_of(rng, 5, (3, 3))
    return list(multihead_additive(rng.normal(size=(5, 4)), heads, WO))


@case("head_patterns")
def added_widths(rng, multihead_additive):
    """the contributions of heads of widths 1, 3 and 2, causal and not"""
    heads, WO = heads_of(rng, 4, (1, 3, 2))
    X = 2 * rng.normal(size=(4, 5))  # far from uniform weights: a wrong scale is plain to see
    return [list(multihead_additive(X, heads, WO, causal=causal)) for causal in (True, False)]
