"""Exam of `conv_shape`, `pool_shape` and `receptive_field`."""

import math

import torch

from viva.cases.convolution.sizes import conv_sizes
from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise, then

sizes = Exercise(
    "conv_shape",
    expects={
        "conv_shape": "((W', H', F), number of weights, number of biases), whole numbers",
        "pool_shape": "(W', H', C): the windows that fit, and as many channels as before",
        "receptive_field": "the side of the square of input pixels that one output depends on",
    },
)

sizes.values(2, "Sizes count the places where the kernel fits; weights and biases are counted "
             "once per filter.", only=("first_layer", "stride_that_does_not_divide",
                                       "three_layers"), name="convolution")
sizes.values(1, "Pooling counts the windows that fit and leaves the channels alone.",
             only=("pool_two", "pool_with_rest"), name="pooling")
sizes.values(2, "A kernel adds K - 1 pixels, as far apart as the strides before it made them.",
             only=("five_small_kernels", "field_with_strides"), name="receptive field")


@sizes.item(1.5, "Sizes must be those of torch for every width, height, padding and stride.")
def as_torch_does(exam, conv_shape, pool_shape, receptive_field):
    for turn in range(30):
        W, H, C, K, P, S, F = conv_sizes(exam.rng, wide=turn % 2 == 0)
        exam.same(conv_shape(W, H, C, K, P, S, F), reference.conv_shape(W, H, C, K, P, S, F))
        exam.same(pool_shape(W, H, C, K, S), reference.pool_shape(W, H, C, K, S))


def seen(layers, side):
    """How many pixels of a row get a gradient from the middle output of a stack of layers."""
    x = torch.ones(1, 1, side, dtype=torch.float64, requires_grad=True)
    y = x
    for K, S in layers:
        y = torch.nn.functional.conv1d(y, torch.ones(1, 1, K, dtype=torch.float64), stride=S)
    y[0, 0, y.shape[-1] // 2].backward()
    return int((x.grad != 0).sum())


@sizes.item(1.5, "The field is as wide as the pixels that get a gradient from one output.")
def measured_by_gradients(exam, conv_shape, pool_shape, receptive_field):
    for depth in (1, 2, 3, 4):
        layers = [(int(exam.rng.integers(S, 6)), S)  # a stride beyond the kernel leaves holes
                  for S in map(int, exam.rng.integers(1, 4, depth))]
        exam.same(receptive_field(layers), seen(layers, 2 * reference.receptive_field(layers) + 90))


def _conv(W, H, C, K, P, S, F, side=None, weights=None, biases=None):
    side = side or (lambda n: (n - K + 2 * P) // S + 1)
    size = (side(W), side(H), F)
    return size, F * K * K * C if weights is None else weights, F if biases is None else biases


sizes.mistakes_of(conv_shape={
    "round": ("A window that does not fit whole is left out: round down.",
              lambda W, H, C, K, P, S, F: (
                  _conv(W, H, C, K, P, S, F, lambda n: math.floor((n - K + 2 * P) / S + 0.5) + 1))),
    "ceil": ("A last window that hangs over the edge does not count: round down, not up.",
             lambda W, H, C, K, P, S, F: (
                 _conv(W, H, C, K, P, S, F, lambda n: -(-(n - K + 2 * P) // S) + 1))),
    "no_floor": (
        "Sizes are whole numbers: round the quotient down.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, lambda n: (n - K + 2 * P) / S + 1)),
    "pad_once": (
        "Padding is added on both sides of the image.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, lambda n: (n - K + P) // S + 1)),
    "no_plus_one": (
        "The first position of the kernel counts too.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, lambda n: (n - K + 2 * P) // S)),
    "stride_ignored": (
        "The kernel moves by S pixels at a time.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, lambda n: n - K + 2 * P + 1)),
    "divides_whole": (
        "Only the way of the kernel is divided by S, not its first place.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, lambda n: (n - K + 2 * P + 1) // S)),
    "bias_per_pixel": ("A filter has one bias, the same at every output pixel.",
                       then(_conv, lambda size, weights, _: (size, weights, math.prod(size)))),
    "biases_everywhere": ("There is one bias per filter, not one per input channel.",
                          lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, biases=F * C)),
    "channels_forgotten": (
        "A filter has a K x K kernel for every input channel.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, weights=F * K * K)),
    "kernel_is_a_line": ("The kernel has K x K weights, not K.",
                         lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, weights=F * K * C)),
    "weights_with_bias": (
        "Biases are counted apart from the weights.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, weights=F * (K * K * C + 1))),
    "WH_swapped": ("Width comes first, in what is given and in what is returned.",
                   lambda W, H, C, K, P, S, F: _conv(H, W, C, K, P, S, F)),
    "one_filter": (
        "These are the parameters of one filter; there are F of them.",
        lambda W, H, C, K, P, S, F: _conv(W, H, C, K, P, S, F, weights=K * K * C, biases=1)),
})
sizes.mistakes_of(pool_shape={
    "pool_no_floor": ("Only whole windows count: round the quotient down.",
                      lambda W, H, C, K, S: ((W - K) / S + 1, (H - K) / S + 1, C)),
    "pool_ceil": ("A window that hangs over the edge is left out: round down, not up.",
                  lambda W, H, C, K, S: (-(-(W - K) // S) + 1, -(-(H - K) // S) + 1, C)),
    "pool_quotient": ("W / S is right only if K = S: count the places where a window of K fits.",
                      lambda W, H, C, K, S: (W // S, H // S, C)),
    "pool_WH": ("Width comes first, in what is given and in what is returned.",
                lambda W, H, C, K, S: reference.pool_shape(H, W, C, K, S)),
    "pool_channels": ("Each channel is pooled by itself: their number stays.",
                      lambda W, H, C, K, S: (*reference.pool_shape(W, H, C, K, S)[:2], 1)),
    "pool_by_window": ("W / K is right only if K = S: count the places where a window of K fits.",
                       lambda W, H, C, K, S: (W // K, H // K, C)),
})
sizes.mistakes_of(receptive_field={
    "rf_no_stride": ("After a stride, neighbours stand further apart in the image.",
                     lambda layers: 1 + sum(K - 1 for K, _ in layers)),
    "rf_reversed": ("The first layer of the list is the one next to the image.",
                    lambda layers: reference.receptive_field(layers[::-1])),
    "rf_starts_at_zero": ("An output sees at least one pixel: start from 1.",
                          lambda layers: reference.receptive_field(layers) - 1),
    "rf_none_is_zero": ("With no layers an output is a pixel: the field is 1.",
                        lambda layers: reference.receptive_field(layers) if layers else 0),
})


@sizes.mistake("channels_kept", "The output has one channel per filter.")
def conv_shape(W, H, C, K, P, S, F):
    (width, height, _), weights, biases = _conv(W, H, C, K, P, S, F)
    return (width, height, C), weights, biases


@sizes.mistake("rf_LK", "Neighbouring kernels overlap: a layer adds K - 1 pixels, not K.")
def receptive_field(layers):
    field, jump = 0, 1
    for K, S in layers:
        field, jump = field + K * jump, jump * S
    return max(field, 1)


@sizes.mistake("rf_stride_late", "The stride of a layer widens the steps of later layers, not its "
               "own.")
def receptive_field(layers):
    field, jump = 1, 1
    for K, S in layers:
        jump *= S
        field += (K - 1) * jump
    return field


@sizes.mistake("rf_previous_only", "All strides before a layer count, multiplied, not only the "
               "last one.")
def receptive_field(layers):
    field, jump = 1, 1
    for K, S in layers:
        field, jump = field + (K - 1) * jump, S
    return field


@sizes.mistake("rf_strides_added", "Two strides of 3 set neighbours 9 pixels apart: they multiply.")
def receptive_field(layers):
    field, jump = 1, 1
    for K, S in layers:
        field, jump = field + (K - 1) * jump, jump + S - 1
    return field


@sizes.variant("from the output back to the image")
def receptive_field(layers):
    field = 1
    for K, S in reversed(list(layers)):
        field = (field - 1) * S + K
    return field


@sizes.variant("counting the places")
def conv_shape(W, H, C, K, P, S, F):
    size = tuple(len(range(0, n + 2 * P - K + 1, S)) for n in (W, H))
    return [*size, F], F * K**2 * C, F


@sizes.variant("floor of a quotient")
def pool_shape(W, H, C, K, S):
    return [math.floor((n - K) / S) + 1 for n in (W, H)] + [C]
