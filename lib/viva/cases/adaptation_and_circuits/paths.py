"""Cases of virtual_paths and copying_score."""

import numpy as np

from viva.case import case


def head(rng, d_model, n):
    """A causal pattern (n, n) and an OV circuit (d_model, d_model)."""
    weights = np.tril(rng.uniform(0.1, 1.0, size=(n, n)))
    return weights / weights.sum(axis=1, keepdims=True), rng.normal(size=(d_model, d_model))


def model(rng, d_model, n, vocabulary, heads):
    """X (d_model, n), W_U (vocabulary, d_model), and the heads of two layers, so many in each."""
    X, WU = rng.normal(size=(d_model, n)), rng.normal(size=(vocabulary, d_model))
    return X, WU, *([head(rng, d_model, n) for _ in range(count)] for count in heads)


def named(found):
    """The four kinds of paths under their names, as arrays."""
    direct, ones, twos, virtual = found
    return {"direct": np.asarray(direct, float), "ones": np.asarray(ones, float),
            "twos": np.asarray(twos, float), "virtual": np.asarray(virtual, float)}


def summed(found):
    """All paths together, (vocabulary, n)."""
    direct, ones, twos, virtual = named(found).values()
    return direct + ones.sum(axis=0) + twos.sum(axis=0) + virtual.sum(axis=(0, 1))


@case("virtual_paths")
def by_hand(rng, virtual_paths):
    """the example of the text: two tokens in a stream of width one, one head in each layer"""
    half = np.array([[1.0, 0.0], [0.5, 0.5]])
    first, second = np.array([[1.0, 0.0], [1.0, 0.0]]), half
    return named(virtual_paths(np.array([[1.0, 3.0]]), np.array([[1.0]]),
                               [(first, np.array([[2.0]]))], [(second, np.array([[5.0]]))]))


@case("virtual_paths")
def one_head_each(rng, virtual_paths):
    """five tokens, a vocabulary of six, one head in each layer"""
    return named(virtual_paths(*model(rng, 3, 5, 6, (1, 1))))


@case("virtual_paths")
def several_heads(rng, virtual_paths):
    """two heads in the first layer, three in the second"""
    return named(virtual_paths(*model(rng, 4, 5, 6, (2, 3))))


@case("virtual_paths")
def total(rng, virtual_paths):
    """the sum of all paths is the model's logits"""
    return summed(virtual_paths(*model(rng, 4, 6, 5, (3, 2))))


@case("virtual_paths")
def extremes(rng, copying_score):
    """3 I, -2 I, and a quarter turn: 1, -1, 0; and: no score is complex"""
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    scores = [copying_score(M) for M in (3 * np.eye(4), -2 * np.eye(3), quarter)]
    return {"scores": scores, "the score is real": bool(np.isrealobj(scores[-1]))}


@case("virtual_paths", rtol=1e-7, atol=1e-8)  # eigenvalues of a matrix that is not symmetric
def mixed(rng, copying_score):
    """three random matrices, and eigenvalues 3, -1 and 1 +- 2i"""
    block = np.zeros((4, 4))
    block[0, 0], block[1, 1], block[2:, 2:] = 3.0, -1.0, [[1, -2], [2, 1]]
    return [copying_score(M) for M in (*rng.normal(size=(3, 5, 5)), block)]


@case("virtual_paths", rtol=1e-7, atol=1e-8)
def tiny(rng, copying_score):
    """a matrix of numbers around 1e-6 has the score of the same matrix times a million"""
    M = rng.normal(size=(4, 4)) + np.eye(4)
    return [copying_score(1e-6 * M), copying_score(M)]
