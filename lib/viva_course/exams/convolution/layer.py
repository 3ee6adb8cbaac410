"""Exam of `conv_layer` and `conv_layer_backward`."""

import numpy as np
import torch

from viva.cases.convolution.layer import gradient
from viva.cases.convolution.layer import layer as drawn
from viva_course.exams.convolution.correlation import ROUTINES
from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise, then

layer = Exercise(
    "conv_layer", forbidden=ROUTINES,
    expects={
        "conv_layer": "(N, F, H', W'): each filter on every patch of all channels, plus its bias",
        "conv_layer_backward": "(dX (N, C, H, W), dw (F, C, k, l), db (F,)), all float64",
    },
)

layer.values(3, "Each output is the sum over channels, rows and columns of a patch, plus the bias.",
             only=("row_by_hand", "channels", "padded", "strided"), name="forward")
layer.values(4, "Every weight, pixel and bias collects from all outputs in which it took part.",
             only=("backward_by_hand", "backward_channels", "backward_padded", "backward_strided",
                   "backward_with_holes"), name="backward")


def _drawn(rng):
    """A layer with stride and padding, no two sizes equal."""
    kernel = tuple(int(n) for n in rng.permutation([1, 2, 3, 4])[:2])
    image = int(rng.integers(6, 9)), int(rng.integers(9, 12))
    return *drawn(rng, image, kernel), int(rng.integers(1, 4)), int(rng.integers(0, 3))


@layer.item(2.5, "For any stride and padding the output and the gradients are those of torch.")
def as_torch(exam, conv_layer, conv_layer_backward):
    for _ in range(4):
        X, w, b, S, P = _drawn(exam.rng)
        dY = gradient(exam.rng, X, w, S, P)
        given = [torch.tensor(each, requires_grad=True) for each in (X, w, b)]
        Y = torch.nn.functional.conv2d(*given, stride=S, padding=P)
        Y.backward(torch.tensor(dY))
        exam.same(conv_layer(X, w, b, S, P), Y.detach().numpy())
        exam.same(conv_layer_backward(dY, X, w, S, P), tuple(each.grad.numpy() for each in given))


@layer.item(2, "A pixel that no kernel has seen gets 0; a shift of the image by the stride shifts "
            "the output by one place.")
def holes_and_shifts(exam, conv_layer, conv_layer_backward):
    X, w, b = drawn(exam.rng, (9, 11), (2, 1))
    Y = conv_layer(X, w, b, 3)
    exam.same(Y, reference.conv_layer(X, w, b, 3))
    exam.same(conv_layer(np.roll(X, (3, 6), (2, 3)), w, b, 3)[:, :, 1:, 2:], Y[:, :, :-1, :-2])
    dX = conv_layer_backward(np.ones_like(Y), X, w, 3)[0]
    exam.same(dX, reference.conv_layer_backward(np.ones_like(Y), X, w, 3)[0])
    exam.same(dX[:, :, 2::3], np.zeros((2, 3, 3, 11)))
    exam.same(dX[..., 1::3], np.zeros((2, 3, 9, 4)))


layer.unmodified(0.5, "X, w, b and dY must stay as they were.")


def _forward(X, w, b, S=1, P=0, **other):
    """The layer with a single thing done otherwise."""
    X = np.pad(np.asarray(X, float), ((0, 0), (0, 0), *[other.get("pad", (P, P))] * 2),
               mode=other.get("mode", "constant"))
    windows = np.lib.stride_tricks.sliding_window_view(X, w.shape[2:], axis=(2, 3))
    rows, columns = other.get("steps", (S, S))
    Y = np.einsum("ncijrs,fcrs->nfij", windows[:, :, ::rows, ::columns], w)
    return Y + other.get("bias", b)[:, None, None]


layer.mistakes_of(conv_layer={
    "flips": ("This flips the kernel; a layer of a network does not.",
              lambda X, w, b, S=1, P=0: _forward(X, w[..., ::-1, ::-1], b, S, P)),
    "no_bias": ("The bias of its filter is added to every output.",
                lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, bias=0 * b)),
    "bias_per_channel": ("The bias is added once, not once for every input channel.",
                         lambda X, w, b, S=1, P=0: _forward(X, w, b * w.shape[1], S, P)),
    "mean_over_channels": ("The channels are added, not averaged.",
                           lambda X, w, b, S=1, P=0: _forward(X, w / w.shape[1], b, S, P)),
    "one_channel": ("Every filter looks at all input channels, not only at the first.",
                    lambda X, w, b, S=1, P=0: _forward(X[:, :1], w[:, :1], b, S, P)),
    "mean_over_kernel": ("The products are added, not averaged.",
                         lambda X, w, b, S=1, P=0: (
                             _forward(X, w / w[0].size, b, S, P))),
    "no_stride": ("The kernel moves by S pixels at a time.",
                  lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, steps=(1, 1))),
    "stride_of_rows": ("The stride counts in both directions, down and to the right.",
                       lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, steps=(S, 1))),
    "stride_of_columns": ("The stride counts in both directions, down and to the right.",
                          lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, steps=(1, S))),
    "stride_of_rows_cut": (
        "The stride counts in both directions, down and to the right.",
        lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, steps=(S, 1))[
            ..., : (X.shape[3] - w.shape[3] + 2 * P) // S + 1]),
    "no_padding": ("P rows and columns of zeros are put around the image.",
                   lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, pad=(0, 0))),
    "padded_once": ("The image is padded on all four sides, not at two of them.",
                    lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, pad=(P, 0))),
    "padded_behind": ("The image is padded on all four sides, not at two of them.",
                      lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, pad=(0, P))),
    "padded_by_the_rim": ("The padding is made of zeros, not of copies of the rim.",
                          lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P, mode="edge")),
    "padded_late": ("Pad the image before the kernel is laid on it, not the output.",
                    lambda X, w, b, S=1, P=0: np.pad(
                        _forward(X, w, b, S), ((0, 0), (0, 0), (P, P), (P, P)))),
    "transposed_images": ("Rows of the kernel go with rows of the image.",
                          lambda X, w, b, S=1, P=0: _forward(X.swapaxes(2, 3), w, b, S, P)),
    "transposed_kernel": ("Rows of the kernel go with rows of the image.",
                          lambda X, w, b, S=1, P=0: _forward(X, w.swapaxes(2, 3), b, S, P)),
    "channels_last": ("The order of the axes is images, filters, rows, columns.",
                      lambda X, w, b, S=1, P=0: np.moveaxis(_forward(X, w, b, S, P), 1, -1)),
    "filters_first": ("The order of the axes is images, filters, rows, columns.",
                      lambda X, w, b, S=1, P=0: np.moveaxis(_forward(X, w, b, S, P), 1, 0)),
    "integer_output": ("An image of integers must not make the output integer.",
                       lambda X, w, b, S=1, P=0: _forward(X, w, b, S, P).astype(X.dtype)),
    "images_averaged": ("Every image is treated by itself: nothing is averaged over the batch.",
                        lambda X, w, b, S=1, P=0: 0 * _forward(X, w, b, S, P)
                        + _forward(X, w, b, S, P).mean(axis=0)),
})


def _back(dY, X, w, S=1, P=0):
    return reference.conv_layer_backward(dY, X, w, S, P)


def _painted(dY, X, w, S=1, P=0, add=True, step=None):
    """dX on the padded image, the patch of every output painted at its place."""
    step = S if step is None else step
    dX = np.zeros((*X.shape[:2], X.shape[2] + 2 * P, X.shape[3] + 2 * P))
    for i, j in np.ndindex(*dY.shape[2:]):
        patch = np.einsum("nf,fcrs->ncrs", dY[:, :, i, j], w)
        place = dX[:, :, i * step : i * step + w.shape[2], j * step : j * step + w.shape[3]]
        place[:] = patch + place if add else patch
    return dX


def _inside(dX, X, P):
    return dX[:, :, P : P + X.shape[2], P : P + X.shape[3]]


layer.mistakes_of(conv_layer_backward={
    "dX_keeps_padding": ("dX has the shape of X: cut the padding off again.",
                         lambda dY, X, w, S=1, P=0: (
                             _painted(dY, X, w, S, P), *_back(dY, X, w, S, P)[1:])),
    "dX_padding_at_corner": ("The image lies in the middle of its padding: cut P off on all sides.",
                             lambda dY, X, w, S=1, P=0: (
                                 _inside(_painted(dY, X, w, S, P), X, 0),
                                 *_back(dY, X, w, S, P)[1:])),
    "dX_no_stride": ("Neighbouring outputs looked at patches that lie S pixels apart.",
                     lambda dY, X, w, S=1, P=0: (
                         _inside(_painted(dY, X, w, S, P, step=1), X, P),
                         *_back(dY, X, w, S, P)[1:])),
    "dX_overwrites": ("A pixel lies in several patches: add up, do not overwrite.",
                      lambda dY, X, w, S=1, P=0: (
                          _inside(_painted(dY, X, w, S, P, add=False), X, P),
                          *_back(dY, X, w, S, P)[1:])),
    "dX_flipped": ("This flips the kernel once too often: pixel (i S + r, j S + s) meets weight "
                   "(r, s) in output (i, j).",
                   lambda dY, X, w, S=1, P=0: (
                       _back(dY, X, w[..., ::-1, ::-1], S, P)[0], *_back(dY, X, w, S, P)[1:])),
    "dX_one_filter": ("A pixel gets something from every filter.",
                      lambda dY, X, w, S=1, P=0: (
                          _back(dY[:, :1], X, w[:1], S, P)[0], *_back(dY, X, w, S, P)[1:])),
    "dX_integer": ("Gradients are float64, also for an image of integers.",
                   lambda dY, X, w, S=1, P=0: (
                       _back(dY, X, w, S, P)[0].astype(X.dtype), *_back(dY, X, w, S, P)[1:])),
    "means_of_images": ("All images share the weights: sum over the batch, do not average.",
                        then(_back, lambda dX, dw, db: (dX, dw / len(dX), db / len(dX)))),
    "db_mean_of_images": ("All images share the bias: sum over the batch, do not average.",
                          then(_back, lambda dX, dw, db: (dX, dw, db / len(dX)))),
    "dw_mean_of_images": ("All images share the weights: sum over the batch, do not average.",
                          then(_back, lambda dX, dw, db: (dX, dw / len(dX), db))),
    "rim_cut_to_minus_P": ("The rim is cut off by the slice P:-P, which is empty for P = 0: cut "
                           "from P to P plus the side.",
                           lambda dY, X, w, S=1, P=0: (
                               _painted(dY, X, w, S, P)[:, :, P:-P, P:-P],
                               *_back(dY, X, w, S, P)[1:])),
    "dw_flipped": ("Nothing is flipped in the gradient of the kernel.",
                   then(_back, lambda dX, dw, db: (dX, dw[..., ::-1, ::-1], db))),
    "order": ("Return dX, dw, db in this order.",
              then(_back, lambda dX, dw, db: (dw, db, dX))),
    "db_per_place": ("A filter has one bias for all places: sum over them as well.",
                     lambda dY, X, w, S=1, P=0: (*_back(dY, X, w, S, P)[:2], dY.sum(axis=0))),
    "db_per_image": ("All images share the bias: sum over the batch as well.",
                     lambda dY, X, w, S=1, P=0: (*_back(dY, X, w, S, P)[:2], dY.sum(axis=(2, 3)))),
    "db_one_image": ("Every image moves the bias: sum over the whole batch.",
                     lambda dY, X, w, S=1, P=0: (
                         *_back(dY, X, w, S, P)[:2], dY[0].sum(axis=(1, 2)))),
    "order_dw_first": ("Return dX, dw, db in this order.",
                       then(_back, lambda dX, dw, db: (dw, dX, db))),
    "db_mean": ("The bias serves every place: sum over the places, do not average.",
                lambda dY, X, w, S=1, P=0: (
                    *_back(dY, X, w, S, P)[:2], dY.mean(axis=(2, 3)).sum(axis=0))),
    "dw_mean": ("A weight is used at every place: sum over the places, do not average.",
                then(_back, lambda dX, dw, db: (dX, dw / dX[0, 0].size, db))),
})


@layer.mistake("dw_unpadded", "A weight at the rim also met the zeros of the padding: take the "
               "patches from the padded image.")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, _, db = _back(dY, X, w, S, P)
    moved = np.pad(np.asarray(X, float), ((0, 0), (0, 0), (0, 2 * P), (0, 2 * P)))
    return dX, _back(dY, moved, w, S, 0)[1], db


@layer.mistake("dX_cropped", "dX has the shape of X: rows and columns that no kernel has seen get "
               "0.")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _back(dY, X, w, S, P)
    rows, columns = (S * (n - 1) + k - P for n, k in zip(dY.shape[2:], w.shape[2:], strict=True))
    return dX[:, :, :rows, :columns], dw, db


@layer.mistake("in_place", "w belongs to the caller: multiply into a new array.")
def conv_layer_backward(dY, X, w, S=1, P=0):
    answer = _back(dY, X, w, S, P)
    w *= 0
    return answer


@layer.variant("one matrix product per image")
def conv_layer(X, w, b, S=1, P=0):
    F, C, k, width = w.shape
    X = np.pad(X, ((0, 0), (0, 0), (P, P), (P, P)))
    rows, columns = (X.shape[2] - k) // S + 1, (X.shape[3] - width) // S + 1
    Y = []
    for image in X:
        patches = np.stack([image[:, i * S : i * S + k, j * S : j * S + width].ravel()
                            for i in range(rows) for j in range(columns)])  # (H' W', C k l)
        Y.append((patches @ w.reshape(F, -1).T + b).T.reshape(F, rows, columns))
    return np.stack(Y)


@layer.variant("painting patch by patch")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dw = np.zeros(w.shape)
    padded = np.pad(X, ((0, 0), (0, 0), (P, P), (P, P)))
    for i, j in np.ndindex(*dY.shape[2:]):
        patch = padded[:, :, i * S : i * S + w.shape[2], j * S : j * S + w.shape[3]]
        dw += np.einsum("nf,ncrs->fcrs", dY[:, :, i, j], patch)
    return [_inside(_painted(dY, X, w, S, P), X, P), dw, dY.sum((0, 2, 3))]


@layer.variant("torch unfold and autograd")
def conv_layer_backward(dY, X, w, S=1, P=0):
    x, kernel = (torch.tensor(np.asarray(each, float), requires_grad=True) for each in (X, w))
    bias = torch.zeros(len(w), dtype=torch.float64, requires_grad=True)
    image = torch.nn.functional.pad(x, (P, P, P, P))
    patches = image.unfold(2, w.shape[2], S).unfold(3, w.shape[3], S)
    Y = torch.einsum("ncijrs,fcrs->nfij", patches, kernel) + bias[:, None, None]
    Y.backward(torch.tensor(dY))
    return tuple(each.grad.numpy() for each in (x, kernel, bias))
