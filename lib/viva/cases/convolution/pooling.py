"""Cases of `max_pool_backward` and `avg_pool_backward`."""

import numpy as np

from viva.case import case

BLOCKS = np.array([[1.0, 5, 2, 0], [3, 4, 8, 7], [9, 6, 1, 2], [0, 7, 3, 4]])
GRADIENT = np.array([[10.0, 20], [30, 40]])


@case("max_pool_backward")
def four_blocks(rng, max_pool_backward):
    """a 4 x 4 image, K=2: each gradient goes to the largest pixel of its block"""
    return max_pool_backward(BLOCKS, GRADIENT, 2)


@case("max_pool_backward")
def max_with_border(rng, max_pool_backward):
    """a 7 x 8 image, K=3: the last row and the last two columns get nothing; negative pixels"""
    return max_pool_backward(rng.normal(size=(7, 8)) - 3, rng.normal(size=(2, 2)), 3)


@case("max_pool_backward")
def ties(rng, max_pool_backward):
    """equal maxima: the first in reading order gets everything"""
    X = np.array([[0.0, 2, 1, 1], [2, 2, 1, 1]])
    return max_pool_backward(X, np.array([[0.5, -3.0]]), 2)


@case("max_pool_backward")
def integer_pixels(rng, max_pool_backward):
    """an image of integers: the gradient is still float64"""
    return max_pool_backward(rng.permutation(24).reshape(4, 6), rng.normal(size=(2, 3)), 2)


@case("max_pool_backward")
def spread(rng, avg_pool_backward):
    """a 4 x 4 image, K=2: a quarter of each gradient for every pixel"""
    return avg_pool_backward(BLOCKS, GRADIENT, 2)


@case("max_pool_backward")
def avg_with_border(rng, avg_pool_backward):
    """a 7 x 8 image of integers, K=3: the border gets nothing"""
    return avg_pool_backward(rng.integers(0, 9, (7, 8)), rng.normal(size=(2, 2)), 3)
