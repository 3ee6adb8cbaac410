"""Exam of `conv2d_valid` and its gradients."""

import numpy as np
import torch

from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise

ROUTINES = ("F.conv2d", "F.conv_transpose2d", "nn.Conv2d", "scipy.signal.correlate2d",
            "scipy.signal.convolve2d", "scipy.ndimage.correlate", "scipy.ndimage.convolve",
            "scipy.signal.fftconvolve", "scipy.signal.oaconvolve", "np.convolve", "np.correlate",
            "torch.conv2d", "F.conv1d", "F.conv_transpose1d", "nn.ConvTranspose2d", "F.fold")

correlation = Exercise(
    "conv2d_valid", forbidden=ROUTINES,
    expects={
        "conv2d_valid": "(H - k + 1, W - l + 1): the kernel laid on every place where it fits",
        "conv2d_grad_w": "the derivative of L by every weight, in the shape of the kernel",
        "conv2d_grad_x": "the derivative of L by every pixel, in the shape of the image",
    },
)

correlation.values(2.5, "Each output is the sum of pixel times weight, kernel not flipped, no "
                   "padding.", only=("by_hand", "rectangles", "extremes"), name="forward")
correlation.values(2.5, "A weight meets a pixel at every output: sum over the outputs.",
                   only=("weight_gradient", "weight_gradient_extremes"), name="weight gradient")
correlation.values(2.5, "A pixel gets something from every output that looked at it.",
                   only=("input_gradient", "input_gradient_extremes"), name="input gradient")


def _sizes(rng):
    """Image and kernel, no two sides equal."""
    k, width = (int(n) for n in rng.permutation([1, 2, 3, 4])[:2])
    return (k + int(rng.integers(2, 5)), width + int(rng.integers(5, 9))), (k, width)


@correlation.item(2, "sum dY * conv(X, w) is linear in w and in X: both gradients must give it "
                  "back.")
def one_bilinear_form(exam, conv2d_valid, conv2d_grad_w, conv2d_grad_x):
    for _ in range(3):
        image, kernel = _sizes(exam.rng)
        X, w = exam.rng.normal(size=image), exam.rng.normal(size=kernel)
        Y = reference.conv2d_valid(X, w)
        dY = exam.rng.normal(size=Y.shape)
        exam.same(conv2d_valid(X, w), Y)
        total = float((dY * Y).sum())
        exam.same(float((conv2d_grad_w(X, dY) * w).sum()), total)
        exam.same(float((conv2d_grad_x(w, dY) * X).sum()), total)


@correlation.item(2, "A shifted image gives a shifted output, and the gradient by a shifted dY is "
                  "shifted too.")
def shifts(exam, conv2d_valid, conv2d_grad_w, conv2d_grad_x):
    X, w = exam.rng.normal(size=(8, 9)), exam.rng.normal(size=(2, 3))
    Y = conv2d_valid(X, w)
    exam.same(Y, reference.conv2d_valid(X, w))
    exam.same(conv2d_valid(np.roll(X, (1, 2), (0, 1)), w)[1:, 2:], Y[:-1, :-2])
    dY = np.zeros((7, 7))
    dY[2, 3] = 1.5
    expected = np.zeros((8, 9))
    expected[2:4, 3:6] = 1.5 * w
    exam.same(conv2d_grad_x(w, dY), expected)
    exam.same(conv2d_grad_w(X, dY), 1.5 * X[2:4, 3:6])


correlation.unmodified(0.5, "X, w and dY must stay as they were.")


correlation.mistakes_of(conv2d_valid={
    "true_convolution": ("This flips the kernel; a layer of a network does not.",
                         lambda X, w: reference.conv2d_valid(X, w[::-1, ::-1])),
    "transpose": ("Rows of the kernel go with rows of the image.",
                  lambda X, w: reference.conv2d_valid(X, w.T)),
    "transposed_output": ("Rows of the output are rows of the image.",
                          lambda X, w: reference.conv2d_valid(X, w).T),
    "one_place_short": ("The kernel also fits at the last row and column: H - k + 1 places.",
                        lambda X, w: reference.conv2d_valid(X, w)[:-1, :-1]),
    "averages": ("Sum over the kernel; do not divide by its size.",
                 lambda X, w: reference.conv2d_valid(X, w) / w.size),
    "integer_output": ("An image of integers must not make the output integer.",
                       lambda X, w: reference.conv2d_valid(X, w).astype(X.dtype)),
    "integer_terms": ("An image of integers must not make the sum integer.",
                      lambda X, w: sum(
                          reference.conv2d_valid(X, w * (np.arange(w.size) == n).reshape(w.shape))
                          .astype(X.dtype) for n in range(w.size))),
})
correlation.mistakes_of(conv2d_grad_w={
    "grad_w_mean": ("A weight is used at every output: add what they ask for, do not average.",
                    lambda X, dY: reference.conv2d_grad_w(X, dY) / dY.size),
    "grad_w_flipped": ("Nothing is flipped in the gradient of the kernel: weight (r, s) meets "
                       "pixel (i + r, j + s).",
                       lambda X, dY: reference.conv2d_grad_w(X, dY)[::-1, ::-1]),
    "grad_w_flipped_dY": ("dY is laid on the image as it is, not flipped.",
                          lambda X, dY: reference.conv2d_valid(X, dY[::-1, ::-1])),
    "grad_w_transposed": ("Rows of the gradient are rows of the kernel.",
                          lambda X, dY: reference.conv2d_grad_w(X, dY).T),
    "grad_w_squared": ("Multiply pixels by dY, not by its square or its sign.",
                       lambda X, dY: reference.conv2d_grad_w(X, np.sign(dY))),
})


@correlation.mistake("same_padding", "No padding: the kernel stays inside the image.")
def conv2d_valid(X, w):
    k, width = w.shape
    rows, columns = (k // 2, k - 1 - k // 2), (width // 2, width - 1 - width // 2)
    return reference.conv2d_valid(np.pad(X, (rows, columns)), w)


@correlation.mistake("full_padding", "No padding: the kernel stays inside the image.")
def conv2d_valid(X, w):
    k, width = w.shape
    return reference.conv2d_valid(np.pad(X, ((k - 1,) * 2, (width - 1,) * 2)), w)


@correlation.mistake("square_only", "Images and kernels need not be square: use both of their "
                     "sides.")
def conv2d_valid(X, w):
    m, k = X.shape[0] - w.shape[0] + 1, w.shape[0]
    return np.array([[(X[i : i + k, j : j + k] * w).sum() for j in range(m)] for i in range(m)])


@correlation.mistake("product", "Lay the whole kernel on the image and sum.")
def conv2d_valid(X, w):
    m, n = np.subtract(X.shape, w.shape) + 1
    return X[:m, :n] * w.sum()


def _full(w, dY):
    k, width = w.shape
    return reference.conv2d_valid(np.pad(dY, ((k - 1,) * 2, (width - 1,) * 2)), w)


correlation.mistakes_of(conv2d_grad_x={
    "grad_x_no_flip": ("Pixel (i, j) meets weight (r, s) in output (i - r, j - s): the kernel runs "
                       "backwards.",
                       lambda w, dY: _full(w, dY)),
    "grad_x_half_flip": ("The kernel is flipped in both directions.",
                         lambda w, dY: _full(w[::-1], dY)),
    "grad_x_same": ("The gradient has the shape of the image, which is larger than dY.",
                    lambda w, dY: _full(w[::-1, ::-1], dY)[: dY.shape[0], : dY.shape[1]]),
})


@correlation.mistake("grad_x_transpose", "Flipping both axes is not transposing.")
def conv2d_grad_x(w, dY):
    dX = np.zeros((dY.shape[0] + w.shape[0] - 1, dY.shape[1] + w.shape[1] - 1))
    full = _full(w.T, dY)
    rows, columns = (min(a, b) for a, b in zip(dX.shape, full.shape, strict=True))
    dX[:rows, :columns] = full[:rows, :columns]
    return dX


@correlation.mistake("grad_x_overwrites", "A pixel is seen by several outputs: add up, do not "
                     "overwrite.")
def conv2d_grad_x(w, dY):
    k, width = w.shape
    dX = np.zeros((dY.shape[0] + k - 1, dY.shape[1] + width - 1))
    for i, j in np.ndindex(*dY.shape):
        dX[i : i + k, j : j + width] = dY[i, j] * w
    return dX


@correlation.mistake("grad_x_last_weight", "A pixel is seen by several outputs: add up, do not "
                     "overwrite.")
def conv2d_grad_x(w, dY):
    dX = np.zeros((dY.shape[0] + w.shape[0] - 1, dY.shape[1] + w.shape[1] - 1))
    for r, s in np.ndindex(*w.shape):
        dX[r : r + dY.shape[0], s : s + dY.shape[1]] = w[r, s] * dY
    return dX


@correlation.variant("loops over outputs")
def conv2d_valid(X, w):
    k, width = w.shape
    Y = np.empty((X.shape[0] - k + 1, X.shape[1] - width + 1))
    for i, j in np.ndindex(*Y.shape):
        Y[i, j] = (X[i : i + k, j : j + width] * w).sum()
    return Y


@correlation.variant("loops over the kernel")
def conv2d_grad_w(X, dY):
    m, n = dY.shape
    return np.array([[(X[h : h + m, j : j + n] * dY).sum() for j in range(X.shape[1] - n + 1)]
                     for h in range(X.shape[0] - m + 1)])


@correlation.variant("scatter")
def conv2d_grad_x(w, dY):
    k, width = w.shape
    dX = np.zeros((dY.shape[0] + k - 1, dY.shape[1] + width - 1))
    for h, j in np.ndindex(k, width):
        dX[h : h + dY.shape[0], j : j + dY.shape[1]] += w[h, j] * dY
    return dX


@correlation.variant("torch unfold")
def conv2d_valid(X, w):
    image = torch.as_tensor(np.asarray(X, float))
    windows = image.unfold(0, w.shape[0], 1).unfold(1, w.shape[1], 1)
    return (windows * torch.as_tensor(w)).sum(dim=(-1, -2)).numpy()
