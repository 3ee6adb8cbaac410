"""Cases of stable_softmax."""
import numpy as np

from viva.case import case, rule


@case("stable_softmax", rtol=1e-12, atol=1e-12)      # three exponentials: a few roundings
def worked_example(rng, stable_softmax):
    """scores 1, 2, 3"""
    return stable_softmax(np.array([1.0, 2.0, 3.0]))


@case("stable_softmax")
def every_axis(rng, stable_softmax):
    """every axis of a (2, 3, 4) array"""
    scores = rng.normal(size=(2, 3, 4))
    return [stable_softmax(scores, axis=axis) for axis in (0, 1, 2, -1)]


@rule("stable_softmax")
def square(rng, stable_softmax):
    """a square array, down its columns and along its rows"""
    scores = rng.normal(size=(3, 3))
    return [stable_softmax(scores, axis=axis) for axis in (0, 1)]


@rule("stable_softmax")
def large_scores(rng, stable_softmax):
    """scores of 10,000 and -10,000"""
    far = np.array([[1e4], [0], [-1e4]])
    return [stable_softmax(np.array([1e4, -1e4])), stable_softmax(rng.normal(size=(3, 4)) + far)]


@rule("stable_softmax")
def masked_scores(rng, stable_softmax):
    """-inf gets weight 0, and a row of -inf only becomes zeros"""
    scores = rng.normal(size=(3, 4))
    scores[0, 2] = -np.inf
    scores[1] = -np.inf
    return stable_softmax(scores)


@rule("stable_softmax", rtol=1e-5, atol=1e-7)        # single precision
def single_precision(rng, stable_softmax):
    """float32 stays float32"""
    return stable_softmax(rng.normal(size=(2, 3)).astype(np.float32))


@rule("stable_softmax")
def whole_numbers(rng, stable_softmax):
    """integers become float64"""
    return stable_softmax(rng.integers(-3, 4, size=(2, 3)))
