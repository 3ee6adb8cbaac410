"""A recurrence without a loop over time: a scan."""

import numpy as np


def linear_scan(a, b):
    """h_t = a_t h_{t-1} + b_t along axis 0, h before the first step zero, by recursive doubling.

    a, b (T, ...) of one shape, else ValueError
    returns h, of the same shape
    """
    a, b = np.array(a, float), np.array(b, float)
    if a.shape != b.shape:
        raise ValueError("a and b have one shape")
    shift = 1
    while shift < len(a):
        b[shift:] = a[shift:] * b[:-shift] + b[shift:]
        a[shift:] = a[shift:] * a[:-shift]
        shift *= 2
    return b
