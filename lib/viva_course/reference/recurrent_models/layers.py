"""A layer of a state-space model, step by step and as a convolution of matrices."""

import numpy as np


def ssm_forward_unrolled(W, U, b, x):
    """h_{t+1} = W h_t + U x_t + b from h_0 = 0.

    W (H, H), U (H, D), b (H,), x (N, T, D)
    returns h_1 .. h_T, (N, T, H)
    """
    states, h = np.empty((*x.shape[:2], len(b))), np.zeros((len(x), len(b)))
    for t in range(x.shape[1]):
        h = h @ W.T + x[:, t] @ U.T + b
        states[:, t] = h
    return states


def ssm_forward_conv(W, U, b, x):
    """The same as a convolution of the drive U x_t + b with the kernel (I, W, W^2, ..), by FFT.

    W (H, H), U (H, D), b (H,), x (N, T, D)
    returns (N, T, H)
    """
    T = x.shape[1]
    kernel = np.empty((T, *W.shape))
    kernel[0] = np.eye(len(W))
    for t in range(1, T):
        kernel[t] = W @ kernel[t - 1]
    drive = x @ U.T + b  # (N, T, H)
    K, V = np.fft.rfft(kernel, 2 * T, axis=0), np.fft.rfft(drive, 2 * T, axis=1)
    return np.fft.irfft(np.einsum("fij,nfj->nfi", K, V), 2 * T, axis=1)[:, :T]
