"""A convolution layer with one channel and stride 1, and both of its gradients."""

import numpy as np


def conv2d_valid(X, w):
    """y_ij = sum_rs x_(i+r)(j+s) w_rs, wherever the kernel fits into the image.

    X (H, W), w (k, l); returns (H - k + 1, W - l + 1), float64
    """
    windows = np.lib.stride_tricks.sliding_window_view(np.asarray(X, float), np.shape(w))
    return np.einsum("ijrs,rs->ij", windows, w)


def conv2d_grad_w(X, dY):
    """dL/dw = X correlated with dY: sum_ij x_(i+r)(j+s) dy_ij.

    X (H, W), dY (H - k + 1, W - l + 1); returns (k, l)
    """
    return conv2d_valid(X, dY)


def conv2d_grad_x(w, dY):
    """dL/dx = dY, padded by k - 1 and l - 1 on every side, correlated with the flipped kernel.

    w (k, l), dY (H - k + 1, W - l + 1); returns (H, W)
    """
    k, width = np.shape(w)
    padded = np.pad(np.asarray(dY, float), ((k - 1, k - 1), (width - 1, width - 1)))
    return conv2d_valid(padded, np.asarray(w)[::-1, ::-1])
