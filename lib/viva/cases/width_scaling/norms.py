"""Cases of `rms` and `rms_operator_norm`."""

import numpy as np

from viva.case import case


@case("rms")
def three_four(rng, rms):
    """rms([3, 4]) = sqrt(12.5)"""
    return rms(np.array([3.0, 4.0]))


@case("rms")
def axes(rng, rms):
    """a (2, 3, 5) array along its last axis, its first and its middle one; integers"""
    x = rng.normal(size=(2, 3, 5))
    return [rms(x), rms(x, axis=0), rms(x, axis=1), rms(rng.integers(-5, 9, (4, 3)))]


@case("rms")
def ones(rng, rms_operator_norm):
    """the 2 x 8 matrix of ones: 8; the identity of size 5: 1"""
    return rms_operator_norm(np.ones((2, 8))), rms_operator_norm(np.eye(5))


@case("rms")
def random_maps(rng, rms_operator_norm):
    """a wide, a tall and a square matrix"""
    return [rms_operator_norm(rng.normal(size=shape)) for shape in ((3, 7), (6, 2), (4, 4))]
