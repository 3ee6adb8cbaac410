"""Cases of separable_attention."""

import numpy as np

from viva.case import case
from viva.cases.efficient_attention.inputs import any_numbers, tokens


@case("separable_attention")
def by_hand(rng, separable_attention):
    """two tokens, two features, logarithms as inputs: 5.5 and 5"""
    Q, K = np.log([[1.0, 3.0], [1.0, 1.0]]), np.log([[1.0, 1.0], [1.0, 3.0]])
    return separable_attention(Q, K, np.array([[0.0], [8.0]]))


@case("separable_attention")
def four_queries(rng, separable_attention):
    """four queries, five keys, three features"""
    return separable_attention(*tokens(rng, 4, 5))


@case("separable_attention")
def row_sums(rng, separable_attention):
    """values all one: the weights of a query add up to one"""
    Q, K, _ = tokens(rng, 6, 4)
    return separable_attention(Q, K, np.ones((4, 2)))


@case("separable_attention")
def weights(rng, separable_attention):
    """values of the identity: the weights themselves"""
    Q, K, _ = tokens(rng, 4, 6)
    return separable_attention(Q, K, np.eye(6))


@case("separable_attention")
def batch(rng, separable_attention):
    """a batch of three times two sequences"""
    return separable_attention(*tokens(rng, 3, 2, 4, 5))


@case("separable_attention")
def large(rng, separable_attention):
    """queries and keys of size 1000: nothing overflows"""
    Q, K, V = tokens(rng, 4, 5)
    return separable_attention(1000 * Q, 1000 * K + 5000, V)


@case("separable_attention")
def lists_and_integers(rng, separable_attention):
    """lists, single precision and integers: the result is float64"""
    return separable_attention(*any_numbers(rng, (4, 3), (5, 3), (5, 2)))
