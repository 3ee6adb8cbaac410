"""A convolution layer as it is used: many images and channels, strides, padding, its gradients."""

import numpy as np


def _patches(X, k, width, S, P):
    """The image under every position of the kernel: (N, C, H', W', k, width), a view."""
    padded = np.pad(np.asarray(X, float), ((0, 0), (0, 0), (P, P), (P, P)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (k, width), axis=(2, 3))
    return windows[:, :, ::S, ::S]


def conv_layer(X, w, b, S=1, P=0):
    """y_nfij = b_f + sum_crs x_nc(iS+r-P)(jS+s-P) w_fcrs; pixels outside the image are 0.

    X (N, C, H, W), w (F, C, k, l), b (F,); stride S, padding P
    returns (N, F, (H - k + 2P) // S + 1, (W - l + 2P) // S + 1), float64
    """
    return np.einsum("ncijrs,fcrs->nfij", _patches(X, *w.shape[2:], S, P), w) + b[:, None, None]


def conv_layer_backward(dY, X, w, S=1, P=0):
    """dw meets the same patches as w; dX collects w dy at places S apart, without the padding.

    dY (N, F, H', W'), X (N, C, H, W), w (F, C, k, l)
    returns (dX (N, C, H, W), dw (F, C, k, l), db (F,)), float64
    """
    (N, C, H, W), (k, width), (rows, columns) = X.shape, w.shape[2:], dY.shape[2:]
    dw = np.einsum("nfij,ncijrs->fcrs", dY, _patches(X, k, width, S, P))
    dX = np.zeros((N, C, H + 2 * P, W + 2 * P))
    for r, s in np.ndindex(k, width):
        dX[:, :, r : r + S * rows : S, s : s + S * columns : S] += np.einsum(
            "nfij,fc->ncij", dY, w[:, :, r, s])
    return dX[:, :, P : P + H, P : P + W], dw, dY.sum(axis=(0, 2, 3))
