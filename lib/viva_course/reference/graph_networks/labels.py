"""Learning the labels of nodes: the loss, and a method that needs no training."""

import numpy as np


def bce_loss(logits, y):
    """Mean of -[y log p + (1 - y) log(1 - p)], p = 1 / (1 + exp(-z)), without overflow.

    logits (n,), y (n,) in [0, 1]
    returns a number
    """
    z = np.asarray(logits, float)
    return np.mean(np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z))))


def spread_labels(A, y, seeds, steps=10):
    """x = s, then `steps` times x <- s + (mean of x over the neighbours); class 1 where x > 0.

    A (n, n) symmetric, of zeros and ones; y (n,) of zeros and ones, read at `seeds` only
    seeds: indices of the labelled nodes
    returns (n,) int64
    """
    s = np.zeros(len(A))
    s[seeds] = 2 * np.asarray(y)[seeds] - 1
    degree = np.maximum(A.sum(axis=1), 1)
    x = s
    for _ in range(steps):
        x = s + A @ x / degree
    return (x > 0).astype(np.int64)
