"""A causal convolution by Fourier transforms."""

import numpy as np


def causal_conv_fft(K, u):
    """The first len(u) samples of the linear convolution of K and u.

    K (M,), u (L,) real; an empty one raises ValueError
    returns (L,) float64
    """
    if len(K) == 0 or len(u) == 0:
        raise ValueError("nothing to convolve")
    n = len(K) + len(u) - 1  # the linear convolution fits: nothing wraps around
    return np.fft.irfft(np.fft.rfft(K, n) * np.fft.rfft(u, n), n)[: len(u)]
