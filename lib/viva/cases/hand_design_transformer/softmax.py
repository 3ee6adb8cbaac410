"""Cases of stable_softmax."""
import numpy as np

from viva.case import case


@case("stable_softmax", rtol=1e-12, atol=1e-12)      # three exponentials: a few roundings
def worked_example(rng, stable_softmax):
    """scores 1, 2, 3"""
    return stable_softmax(np.array([1.0, 2.0, 3.0]))


@case("stable_softmax")
def every_axis(rng, stable_softmax):
    """every axis of a (2, 3, 4) array"""
    scores = rng.normal(size=(2, 3, 4))
    return [stable_softmax(scores, axis=axis) for axis in (0, 1, 2, -1)]
