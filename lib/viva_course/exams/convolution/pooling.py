"""Exam of `max_pool_backward` and `avg_pool_backward`."""

import numpy as np
import torch

from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise

pooling = Exercise(
    "max_pool_backward",
    expects={
        "max_pool_backward": "(H, W) float64: dy at the first maximum of each window, else zero",
        "avg_pool_backward": "(H, W) float64: the same share of dy at every pixel of a window",
    },
    forbidden=("F.max_pool2d", "F.avg_pool2d", "nn.MaxPool2d", "nn.AvgPool2d",
               "torch.max_pool2d"),
)

pooling.values(3, "The pixel that was passed on gets the gradient, the others get nothing.",
               only=("four_blocks", "max_with_border"), name="maximum")
pooling.values(1.5, "Among equal pixels the first in reading order gets all of it.",
               only=("ties",), name="ties")
pooling.values(1, "Gradients are float64, whatever the pixels are.", only=("integer_pixels",),
               name="integers")
pooling.values(2.5, "Each of the K x K pixels gets the same share.",
               only=("spread", "avg_with_border"), name="average")


@pooling.item(1.5, "The gradients of a window add up to its dy; max pooling gives it to one pixel, "
              "average pooling to all.")
def nothing_is_lost(exam, max_pool_backward, avg_pool_backward):
    for K in (2, 3, 4):
        H, W = (int(n) for n in exam.rng.integers(2 * K, 5 * K, 2))
        X = exam.rng.integers(0, 3, (H, W)).astype(float)  # many ties
        dY = exam.rng.uniform(0.5, 2, (H // K, W // K))
        for pool, hit in ((max_pool_backward, 1), (avg_pool_backward, K * K)):
            dX = pool(X, dY, K)
            exam.true(isinstance(dX, np.ndarray) and dX.shape == X.shape, "dX has the shape of X")
            exam.same(float(dX.sum()), float(dY.sum()))
            exam.true(int((dX != 0).sum()) == hit * dY.size,
                      f"{int((dX != 0).sum())} pixels got a gradient instead of {hit * dY.size}")


pooling.unmodified(0.5, "X and dY must stay as they were.")


def _windows(X, dY, K, give):
    dX = np.zeros(X.shape)
    for i, j in np.ndindex(*dY.shape):
        here = np.s_[i * K : (i + 1) * K, j * K : (j + 1) * K]
        dX[here] = give(X[here], dY[i, j])
    return dX


pooling.mistakes_of(max_pool_backward={
    "ties_split": (
        "X == max marks every equal pixel: only the first one was passed on.",
        lambda X, dY, K: _windows(X, dY, K, lambda window, dy: dy * (window == window.max()))),
    "ties_by_column": ("Reading order goes along the rows, not down the columns.",
                       lambda X, dY, K: reference.max_pool_backward(X.T, dY.T, K).T),
    "max_spread": ("Max pooling passes dy to one pixel; this spreads it.",
                   lambda X, dY, K: reference.avg_pool_backward(X, dY, K)),
    "argmin": ("The largest pixel was passed on, not the smallest.",
               lambda X, dY, K: reference.max_pool_backward(-X, dY, K)),
    "absolute": ("The maximum is the largest pixel, not the largest in absolute value.",
                 lambda X, dY, K: reference.max_pool_backward(np.abs(X), dY, K)),
    "times_pixel": ("The derivative of the maximum is 1, not the pixel.",
                    lambda X, dY, K: X * reference.max_pool_backward(X, dY, K)),
    "int_dtype": ("The gradient must not take the integer type of the image.",
                  lambda X, dY, K: reference.max_pool_backward(X, dY, K).astype(X.dtype)),
    "cropped": ("Pixels that no window covers get zero; the shape stays that of X.",
                lambda X, dY, K: (
                    reference.max_pool_backward(X, dY, K)[: dY.shape[0] * K, : dY.shape[1] * K])),
})
pooling.mistakes_of(avg_pool_backward={
    "avg_no_div": ("An average passes on a K^2-th of each pixel.",
                   lambda X, dY, K: reference.avg_pool_backward(X, dY, K) * K**2),
    "avg_div_K": ("A window has K^2 pixels, not K.",
                  lambda X, dY, K: reference.avg_pool_backward(X, dY, K) * K),
    "avg_int": ("The gradient must not take the integer type of the image.",
                lambda X, dY, K: reference.avg_pool_backward(X, dY, K).astype(X.dtype)),
    "avg_cropped": (
        "Pixels that no window covers get zero; the shape stays that of X.",
        lambda X, dY, K: (
            reference.avg_pool_backward(X, dY, K)[: dY.shape[0] * K, : dY.shape[1] * K])),
    "avg_weighted": ("The derivative of an average does not depend on the pixels.",
                     lambda X, dY, K: X * reference.avg_pool_backward(X, dY, K)),
})


@pooling.mistake("ties_shared", "Among equal pixels the first gets all of dy; it is not shared.")
def max_pool_backward(X, dY, K):
    def give(window, dy):
        mask = window == window.max()
        return dy * mask / mask.sum()
    return _windows(X, dY, K, give)


@pooling.mistake("ties_last", "Among equal pixels it is the first, in reading order, not the last.")
def max_pool_backward(X, dY, K):
    def give(window, dy):
        out = np.zeros(window.size)
        out[window.size - 1 - np.argmax(window.ravel()[::-1])] = dy
        return out.reshape(window.shape)
    return _windows(X, dY, K, give)


@pooling.mistake("column_for_row", "The place of the maximum is row first, column second: they are "
                 "exchanged here.")
def max_pool_backward(X, dY, K):
    def give(window, dy):
        out = np.zeros(window.shape)
        column, row = divmod(int(window.argmax()), K)
        out[row, column] = dy
        return out
    return _windows(X, dY, K, give)


@pooling.mistake("blocks_swapped", "Window (i, j) belongs to dY[i, j]: rows first.")
def max_pool_backward(X, dY, K):
    if dY.shape[0] != dY.shape[1]:
        raise IndexError("index out of bounds")
    return reference.max_pool_backward(X, dY.T, K)


@pooling.mistake("in_place", "X belongs to the caller: write into a new array.")
def max_pool_backward(X, dY, K):
    answer = reference.max_pool_backward(X, dY, K)
    X[:] = 0
    return answer


@pooling.mistake("avg_border", "Pixels that no window covers had no part in the output: they get "
                 "zero.")
def avg_pool_backward(X, dY, K):
    rows, columns = (np.minimum(np.arange(n) // K, m - 1) for n, m in zip(X.shape, dY.shape,
                                                                          strict=True))
    return dY[rows[:, None], columns] / K**2


@pooling.mistake("avg_tiled", "Neighbouring pixels share a gradient: repeat each dy, do not tile "
                 "the whole of dY.")
def avg_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    dX[: dY.shape[0] * K, : dY.shape[1] * K] = np.tile(dY, (K, K)) / K**2
    return dX


@pooling.variant("reshaped blocks")
def max_pool_backward(X, dY, K):
    m, n = dY.shape
    blocks = X[: m * K, : n * K].reshape(m, K, n, K).swapaxes(1, 2).reshape(m, n, K * K)
    onehot = np.arange(K * K) == blocks.argmax(axis=-1)[..., None]  # (m, n, K K)
    dX = np.zeros(X.shape)
    dX[: m * K, : n * K] = (onehot * dY[..., None]).reshape(m, n, K, K).swapaxes(1, 2).reshape(
        m * K, n * K)
    return dX


@pooling.variant("loops")
def avg_pool_backward(X, dY, K):
    return _windows(X, dY, K, lambda window, dy: np.full(window.shape, dy / K**2))


@pooling.variant("autograd")
def avg_pool_backward(X, dY, K):
    x = torch.zeros(X.shape, dtype=torch.float64, requires_grad=True)
    windows = x.unfold(0, K, K).unfold(1, K, K).mean(dim=(-1, -2))
    windows.backward(torch.as_tensor(dY))
    return x.grad.numpy()
