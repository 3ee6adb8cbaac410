"""Cases of `conv2d_valid` and its two gradients.

Default tolerance: float64 sums of at most some hundred terms, in any order.
"""

import numpy as np

from viva.case import case

HAND = np.arange(1.0, 10.0).reshape(3, 3)


@case("conv2d_valid")
def by_hand(rng, conv2d_valid):
    """1 .. 9 in a 3 x 3 image, the kernel [[1, 2], [0, -1]]: [[0, 2], [6, 8]]"""
    return conv2d_valid(HAND, np.array([[1.0, 2.0], [0.0, -1.0]]))


@case("conv2d_valid")
def rectangles(rng, conv2d_valid):
    """a 5 x 8 image, a 2 x 3 kernel"""
    return conv2d_valid(rng.normal(size=(5, 8)), rng.normal(size=(2, 3)))


@case("conv2d_valid")
def extremes(rng, conv2d_valid):
    """a kernel of one pixel; one as large as the image; integer pixels"""
    X = rng.normal(size=(4, 3))
    pixels = rng.integers(0, 9, (4, 5))
    return [conv2d_valid(X, np.array([[2.5]])), conv2d_valid(X, rng.normal(size=(4, 3))),
            conv2d_valid(pixels, rng.normal(size=(2, 2)))]


@case("conv2d_valid")
def weight_gradient(rng, conv2d_grad_w):
    """the gradient of a 2 x 3 kernel on a 5 x 8 image"""
    return conv2d_grad_w(rng.normal(size=(5, 8)), rng.normal(size=(4, 6)))


@case("conv2d_valid")
def weight_gradient_extremes(rng, conv2d_grad_w):
    """one output pixel; a kernel of one pixel"""
    X = rng.normal(size=(3, 4))
    return conv2d_grad_w(X, np.array([[-1.5]])), conv2d_grad_w(X, rng.normal(size=(3, 4)))


@case("conv2d_valid")
def input_gradient(rng, conv2d_grad_x):
    """the gradient of a 5 x 8 image under a 2 x 3 kernel"""
    return conv2d_grad_x(rng.normal(size=(2, 3)), rng.normal(size=(4, 6)))


@case("conv2d_valid")
def input_gradient_extremes(rng, conv2d_grad_x):
    """one output pixel gives dy w; a kernel of one pixel scales"""
    w = rng.normal(size=(3, 2))
    return conv2d_grad_x(w, np.array([[2.0]])), conv2d_grad_x(np.array([[-3.0]]), w)
