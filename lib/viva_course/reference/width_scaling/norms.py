"""Sizes that do not depend on the number of entries: RMS of vectors and of maps."""

import numpy as np


def rms(x, axis=-1):
    """sqrt(mean of x^2) along an axis.

    x: array of any shape; returns an array without this axis (a number for a vector)
    """
    return np.sqrt(np.mean(np.square(np.asarray(x, float)), axis=axis))


def rms_operator_norm(A):
    """max rms(A x) / rms(x) = sqrt(d_in / d_out) ||A||_2.

    A (d_out, d_in); returns a float
    """
    d_out, d_in = np.shape(A)
    return float(np.sqrt(d_in / d_out) * np.linalg.norm(A, 2))
