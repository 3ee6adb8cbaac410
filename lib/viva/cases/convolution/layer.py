"""Cases of `conv_layer` and `conv_layer_backward`.

Default tolerance: float64 sums of at most some hundred terms, in any order.
"""

import numpy as np

from viva.case import case

ROW = np.arange(1.0, 6.0).reshape(1, 1, 1, 5)
KERNEL = np.array([1.0, -1.0, 2.0]).reshape(1, 1, 1, 3)


def layer(rng, image, kernel, N=2, C=3, F=4):
    """X (N, C, *image), w (F, C, *kernel), b (F,)."""
    return (rng.normal(size=(N, C, *image)), rng.normal(size=(F, C, *kernel)),
            rng.normal(size=F) + 2)


def gradient(rng, X, w, S, P):
    """dY in the shape of the output."""
    (N, _, H, W), (F, _, k, width) = X.shape, w.shape
    return rng.normal(size=(N, F, (H - k + 2 * P) // S + 1, (W - width + 2 * P) // S + 1)) + 0.3


@case("conv_layer")
def row_by_hand(rng, conv_layer):
    """1 .. 5 in a row, the kernel 1, -1, 2, the bias 10, S = 2: 15, 19"""
    return conv_layer(ROW, KERNEL, np.array([10.0]), S=2)


@case("conv_layer")
def channels(rng, conv_layer):
    """two images of three channels, four filters of 2 x 3, S = 1, P = 0 by default"""
    return conv_layer(*layer(rng, (5, 7), (2, 3)))


@case("conv_layer")
def padded(rng, conv_layer):
    """padding 1 and 2, stride 1"""
    return [conv_layer(*layer(rng, (4, 6), (3, 2), N=1, C=2, F=3), P=P) for P in (1, 2)]


@case("conv_layer")
def strided(rng, conv_layer):
    """S = 2 and 3, P = 1, where the stride does not divide; pixels are integers once"""
    X, w, b = layer(rng, (6, 9), (3, 2), C=2, F=3)
    pixels = rng.integers(0, 9, (1, 2, 7, 6))
    return [conv_layer(X, w, b, S=2, P=1), conv_layer(X, w, b, 3, 1),
            conv_layer(pixels, w, b, 2, 0)]


@case("conv_layer")
def backward_by_hand(rng, conv_layer_backward):
    """dY = 1, 10 in the example by hand: dX = 1, -1, 12, -10, 20; dw = 31, 42, 53; db = 11"""
    return conv_layer_backward(np.array([1.0, 10.0]).reshape(1, 1, 1, 2), ROW, KERNEL, S=2)


@case("conv_layer")
def backward_channels(rng, conv_layer_backward):
    """dX, dw, db of two images, three channels, four filters of 2 x 3, S = 1, P = 0"""
    X, w, _ = layer(rng, (5, 7), (2, 3))
    return conv_layer_backward(gradient(rng, X, w, 1, 0), X, w)


@case("conv_layer")
def backward_padded(rng, conv_layer_backward):
    """dX, dw, db with P = 2"""
    X, w, _ = layer(rng, (4, 6), (3, 2), C=2, F=3)
    return conv_layer_backward(gradient(rng, X, w, 1, 2), X, w, P=2)


@case("conv_layer")
def backward_strided(rng, conv_layer_backward):
    """dX, dw, db with S = 2 and P = 1; some pixels are seen once, some often, some never"""
    X, w, _ = layer(rng, (7, 8), (2, 3), C=2, F=3)
    return conv_layer_backward(gradient(rng, X, w, 2, 1), X, w, 2, 1)


@case("conv_layer")
def backward_with_holes(rng, conv_layer_backward):
    """a stride of 3 beyond the kernel of 2 x 1, integer pixels: what no kernel saw gets 0"""
    _, w, _ = layer(rng, (7, 8), (2, 1), C=2, F=3)
    pixels = rng.integers(0, 9, (2, 2, 7, 8))
    return conv_layer_backward(gradient(rng, pixels, w, 3, 0), pixels, w, 3)
