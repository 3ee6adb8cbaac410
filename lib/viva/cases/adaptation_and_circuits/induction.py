"""Cases of induction_score and ablate."""

import functools

import numpy as np

from viva.case import case, outcome


def pattern(rng, n):
    """A causal pattern (n, n): rows of random weights that sum to one."""
    weights = np.tril(rng.uniform(0.1, 1.0, size=(n, n)))
    return weights / weights.sum(axis=1, keepdims=True)


def _head(W, X):
    return np.tanh(W @ X)


def layers_of(rng, widths, d=3):
    """Layers of so many heads each, X -> tanh(W X)."""
    return [[functools.partial(_head, W) for W in rng.normal(size=(count, d, d))]
            for count in widths]


@case("induction_score")
def score_by_hand(rng, induction_score):
    """the example of the text: tokens 7, 2, 7, 7"""
    P = np.array([[1.0, 0, 0, 0], [0.6, 0.4, 0, 0], [0.2, 0.5, 0.3, 0], [0.1, 0.2, 0.3, 0.4]])
    return induction_score(P, [7, 2, 7, 7])


@case("induction_score")
def two_rounds(rng, induction_score):
    """a block of four tokens, twice"""
    return induction_score(pattern(rng, 8), np.array([3, 1, 0, 2] * 2))


@case("induction_score")
def three_rounds(rng, induction_score):
    """a block of three tokens, three times and a bit: several earlier places"""
    return induction_score(pattern(rng, 10), np.array([5, 1, 4] * 3 + [5]))


@case("induction_score")
def tokens_in_a_row(rng, induction_score):
    """the same token several times in a row: the place after it can be one's own"""
    return induction_score(pattern(rng, 6), [2, 2, 0, 1, 1, 1])


@case("induction_score")
def no_repetition(rng, induction_score):
    """no token occurs twice: ValueError"""
    return [outcome(induction_score, pattern(rng, 4), [0, 3, 1, 2]),
            outcome(induction_score, pattern(rng, 4), [0, 3, 0, 2])]


@case("induction_score")
def one_head_of_the_first_layer(rng, ablate):
    """two layers of two heads, without head 1 of layer 0"""
    return ablate(rng.normal(size=(3, 4)), layers_of(rng, (2, 2)), [(0, 1)])


@case("induction_score")
def one_head_of_the_last_layer(rng, ablate):
    """layers of two and three heads, without head 2 of layer 1"""
    return ablate(rng.normal(size=(3, 4)), layers_of(rng, (2, 3)), [(1, 2)])


@case("induction_score")
def several_heads(rng, ablate):
    """layers of two, one and two heads, without two heads; without a whole layer"""
    layers, X0 = layers_of(rng, (2, 1, 2)), rng.normal(size=(3, 2))
    return [ablate(X0, layers, [(0, 0), (2, 1)]), ablate(X0, layers, [(1, 0)])]


@case("induction_score")
def nothing_removed(rng, ablate):
    """nothing removed: the final state of the whole model"""
    return ablate(rng.normal(size=(3, 4)), layers_of(rng, (2, 2)), [])


@case("induction_score")
def no_such_head(rng, ablate):
    """(2, 0), (0, 2) and (0, -1) name no head of two layers of two: ValueError; (1, 1) does"""
    X0, layers = rng.normal(size=(3, 2)), layers_of(rng, (2, 2))
    return [outcome(ablate, X0, layers, [each]) for each in ((2, 0), (0, 2), (0, -1), (1, 1))]
