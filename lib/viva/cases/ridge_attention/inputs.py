"""Inputs that several sections share."""

import numpy as np


def pairs(rng, n, d=3, m=2, Nq=None):
    """Queries (Nq, d), keys (n, d) and values (n, m); as many queries as keys unless told."""
    shapes = (Nq or n, d), (n, d), (n, m)
    return [rng.normal(size=shape) for shape in shapes]


def any_numbers(rng, *shapes):
    """An array of each shape with few digits: a list, then float32, then integers, and so on."""
    arrays = [rng.integers(-3, 4, shape) for shape in shapes]
    kinds = (lambda x: (x / 4).tolist(), lambda x: (x / 4).astype(np.float32), lambda x: x)
    return [kinds[i % 3](array) for i, array in enumerate(arrays)]


def single(rng, *shapes):
    """An array of each shape in single precision, with all its digits."""
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def copied(value):
    """An array as it is now; anything else unchanged."""
    return value.copy() if isinstance(value, np.ndarray) else value
