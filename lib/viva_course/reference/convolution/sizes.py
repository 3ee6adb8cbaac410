"""Sizes, parameters and receptive fields of convolutional layers."""


def conv_shape(W, H, C, K, P, S, F):
    """floor((W - K + 2P) / S) + 1 and the same for H; F K^2 C weights, F biases.

    W, H, C: width, height, channels of the input; K: kernel; P: padding on every side; S: stride
    F: number of filters
    returns ((W', H', F), weights, biases), all integers
    """
    size = ((W - K + 2 * P) // S + 1, (H - K + 2 * P) // S + 1, F)
    return size, F * K * K * C, F


def pool_shape(W, H, C, K, S):
    """The shape (W', H', C) after pooling with windows of K x K and stride S, no padding."""
    return (W - K) // S + 1, (H - K) // S + 1, C


def receptive_field(layers):
    """1 + sum_l (K_l - 1) prod_{j < l} S_j: how many input pixels (in a row) one output sees.

    layers: pairs (K, S), the first layer first; no layers see one pixel
    """
    field, jump = 1, 1
    for kernel, stride in layers:
        field += (kernel - 1) * jump
        jump *= stride
    return field
