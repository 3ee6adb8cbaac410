"""Public cases of section 1: the two forms of a recurrent network."""

import numpy as np

from viva.case import case


def relu(z):
    return np.maximum(z, 0.0)


def network(rng, n=3, d=2, T=5):
    """W, U, b, X and a first state; n, d and T differ."""
    W, U, b = rng.normal(size=(n, n)), rng.normal(size=(n, d)), rng.normal(size=n)
    return W, U, b, rng.normal(size=(T, d)), rng.normal(size=n)


ONE = np.array([[2.0]]), np.array([[1.0]]), np.array([0.5]), np.array([[1.0]])


@case("rnn_preact")
def scalar_pre(rng, rnn_preact):
    """one step by hand: 2 tanh(0.3) + 1.5 = 2.082625"""
    return rnn_preact(*ONE, np.array([0.3]), np.tanh)


@case("rnn_preact")
def five_pre(rng, rnn_preact):
    """pre-activation, three units, two inputs, five steps, tanh"""
    return rnn_preact(*network(rng), np.tanh)


@case("rnn_preact")
def relu_pre(rng, rnn_preact):
    """pre-activation, four units, three inputs, six steps, relu"""
    return rnn_preact(*network(rng, 4, 3, 6), relu)


@case("rnn_preact")
def empty_pre(rng, rnn_preact):
    """the shape of the pre-activation states after no step at all: (0, 3)"""
    return np.shape(rnn_preact(*network(rng, T=0), np.tanh))


@case("rnn_preact")
def scalar_post(rng, rnn_postact):
    """one step by hand: tanh(2 * 0.3 + 1.5) = 0.970452"""
    return rnn_postact(*ONE, np.array([0.3]), np.tanh)


@case("rnn_preact")
def five_post(rng, rnn_postact):
    """post-activation, three units, two inputs, five steps, tanh"""
    return rnn_postact(*network(rng), np.tanh)


@case("rnn_preact")
def relu_post(rng, rnn_postact):
    """post-activation, four units, three inputs, six steps, relu"""
    return rnn_postact(*network(rng, 4, 3, 6), relu)


@case("rnn_preact")
def rank_one_post(rng, rnn_postact):
    """post-activation with a W of rank one, which has no inverse"""
    _, U, b, X, g0 = network(rng)
    return rnn_postact(np.outer(rng.normal(size=3), rng.normal(size=3)), U, b, X, g0, np.tanh)


@case("rnn_preact")
def empty_post(rng, rnn_postact):
    """the shape of the post-activation states after no step at all: (0, 3)"""
    return np.shape(rnn_postact(*network(rng, T=0), np.tanh))
