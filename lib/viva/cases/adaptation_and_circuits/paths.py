"""Cases of logit_paths and copying_score."""

import numpy as np

from viva.case import case
from viva.cases.adaptation_and_circuits.heads import heads_of


def model(rng, vocabulary, d_model, widths):
    """W_E (d_model, vocabulary), W_U (vocabulary, d_model), heads and W_O."""
    WE, WU = rng.normal(size=(d_model, vocabulary)), rng.normal(size=(vocabulary, d_model))
    return WE, WU, *heads_of(rng, d_model, widths)


def in_a_row(paths):
    """[direct, head 1, ...]; the same if the heads come in a list of their own."""
    first, *rest = paths
    rest = rest[0] if len(rest) == 1 and isinstance(rest[0], list | tuple) else rest
    return [np.asarray(path, float) for path in (first, *rest)]


@case("logit_paths")
def two_heads(rng, logit_paths):
    """five tokens of a vocabulary of seven, two heads of widths 2 and 3"""
    tokens = [3, 0, 3, 6, 1]
    return in_a_row(logit_paths(tokens, *model(rng, 7, 4, (2, 3))))


@case("logit_paths")
def total(rng, logit_paths):
    """the sum of all paths: the logits of the model"""
    tokens = rng.integers(0, 6, 8)
    return sum(in_a_row(logit_paths(tokens, *model(rng, 6, 5, (2, 2, 1)))))


@case("logit_paths")
def no_heads(rng, logit_paths):
    """no heads: the direct path alone"""
    WE, WU, _, _ = model(rng, 5, 3, (1,))
    return in_a_row(logit_paths(np.array([4, 1, 1]), WE, WU, [], np.zeros((3, 0))))


@case("logit_paths")
def large_scores(rng, logit_paths):
    """scores in the thousands, and a token whose scores are small"""
    WE, WU, [(WQ, WK, WV)], WO = model(rng, 6, 4, (2,))
    WE[:, 2] *= 1e-4
    return in_a_row(logit_paths([1, 4, 2, 0, 4, 2], WE, WU, [(1e4 * WQ, WK, WV)], WO))


@case("logit_paths")
def extremes(rng, copying_score):
    """3 I, -2 I, and a quarter turn: 1, -1, 0; and: no score is complex"""
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    scores = [copying_score(M) for M in (3 * np.eye(4), -2 * np.eye(3), quarter)]
    return scores, bool(np.isrealobj(scores[-1]))


@case("logit_paths", rtol=1e-7, atol=1e-8)  # eigenvalues of a matrix that is not symmetric
def mixed(rng, copying_score):
    """three random matrices, and eigenvalues 3, -1 and 1 +- 2i"""
    block = np.zeros((4, 4))
    block[0, 0], block[1, 1], block[2:, 2:] = 3.0, -1.0, [[1, -2], [2, 1]]
    return [copying_score(M) for M in (*rng.normal(size=(3, 5, 5)), block)]
