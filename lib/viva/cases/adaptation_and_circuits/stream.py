"""Cases of residual_contributions. Layers are functions of the stream X (d, n)."""

import functools

import numpy as np

from viva.case import case


def layers_of(rng, count, d=3):
    """Layers X -> tanh(W X), with a random W each."""
    return [functools.partial(_layer, W) for W in rng.normal(size=(count, d, d))]


def _layer(W, X):
    return np.tanh(W @ X)


def answer(found):
    """The final state and the list of parts, as arrays."""
    final, parts = found
    return np.array(final, float), [np.array(part, float) for part in parts]


@case("residual_contributions")
def by_hand(rng, residual_contributions):
    """X0 = (1, 2), layers 2 X and X + 1: final (7, 13), parts (1, 2), (2, 4), (4, 7)"""
    layers = [lambda X: 2 * X, lambda X: X + 1]
    return answer(residual_contributions(np.array([[1.0], [2.0]]), layers))


@case("residual_contributions")
def three_layers(rng, residual_contributions):
    """three layers on a stream (3, 4)"""
    return answer(residual_contributions(rng.normal(size=(3, 4)), layers_of(rng, 3)))


@case("residual_contributions")
def one_layer(rng, residual_contributions):
    """one layer"""
    return answer(residual_contributions(rng.normal(size=(3, 2)), layers_of(rng, 1)))


@case("residual_contributions")
def layers_without_a_copy(rng, residual_contributions):
    """layers that return the very array they are given: each doubles the stream"""
    return answer(residual_contributions(rng.normal(size=(3, 2)), [_same, _same, _same]))


def _same(X):
    return X


@case("residual_contributions")
def no_layers(rng, residual_contributions):
    """no layers: the stream is its only part"""
    return answer(residual_contributions(rng.normal(size=(2, 3)), []))
