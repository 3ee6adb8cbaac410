"""Cases of rank_k_purifier."""
import numpy as np

from viva.case import case, rule

from .common import with_singular_values


@case("rank_k_purifier")
def two_of_four(rng, rank_k_purifier):
    """the best two directions of four channels"""
    return rank_k_purifier(with_singular_values(rng, [4, 3, 1.5, 0.5], 4, 7) + 0.1, 2)


@case("rank_k_purifier")
def discarded(rng, rank_k_purifier):
    """the error of k = 1, 2, 3 is the sum of the discarded sigma squared"""
    sigmas = [4, 3, 1.5, 0.5]
    X = with_singular_values(rng, sigmas, 4, 7)
    return [float(((X - np.asarray(rank_k_purifier(X, k)) @ X) ** 2).sum()) for k in (1, 2, 3)]


@rule("rank_k_purifier")
def all_and_none(rng, rank_k_purifier):
    """k = 0 gives the zero matrix, k = m the identity; more channels than samples"""
    X = rng.normal(size=(3, 5))
    return [rank_k_purifier(X, 0), rank_k_purifier(X, 3), rank_k_purifier(X.T, 2)]


@rule("rank_k_purifier")
def more_than_there_are(rng, rank_k_purifier):
    """five channels, three samples around 0, k = 4: W X is all of X"""
    X = rng.normal(size=(5, 3))
    X = X - X.mean(axis=1, keepdims=True)  # who centres is wrong elsewhere, and not by rounding
    return np.asarray(rank_k_purifier(X, 4)) @ X
