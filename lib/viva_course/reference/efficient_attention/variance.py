"""Variances of the random features of exp(q . k), and how many features they ask for."""

import math

import numpy as np


def sm_var_positive(q, k, m):
    """exp(2 q.k) (exp(|q + k|^2) - 1) / m.

    q, k (d,), m: the number of features
    returns a float
    """
    q, k = np.asarray(q, float), np.asarray(k, float)
    return float(np.exp(2 * q @ k) * np.expm1(np.sum((q + k) ** 2)) / m)


def sm_var_trig(q, k, m):
    """exp(|q|^2 + |k|^2) (1 - exp(-|q - k|^2))^2 / (2 m).

    q, k (d,), m: the number of frequencies
    returns a float
    """
    q, k = np.asarray(q, float), np.asarray(k, float)
    return float(np.exp(q @ q + k @ k) * np.expm1(-np.sum((q - k) ** 2)) ** 2 / (2 * m))


def features_for_accuracy(q, k, rel_std, kind="positive"):
    """The smallest m >= 1 with standard deviation / exp(q . k) <= rel_std.

    q, k (d,), rel_std > 0, kind "positive" or "trig"; anything else raises ValueError
    returns an int
    """
    if not rel_std > 0 or kind not in ("positive", "trig"):
        raise ValueError("rel_std must be positive, kind 'positive' or 'trig'")
    variance = (sm_var_positive if kind == "positive" else sm_var_trig)(q, k, 1)
    kernel = np.exp(np.dot(q, k))
    return max(1, math.ceil(variance / (rel_std * kernel) ** 2))
