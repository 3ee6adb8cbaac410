"""Inputs that several sections share."""

import numpy as np


def tokens(rng, *sizes, c=2, d=3, scale=1.0):
    """Queries (..., Nq, d), keys (..., Nk, d) and values (..., Nk, c); sizes: ..., Nq, Nk."""
    *batch, Nq, Nk = sizes
    shapes = (Nq, d), (Nk, d), (Nk, c)
    Q, K, V = (rng.normal(size=(*batch, *shape)) for shape in shapes)
    return scale * Q, scale * K, V


def any_numbers(rng, *shapes):
    """An array of each shape with few digits: a list, then float32, then integers, and so on."""
    arrays = [rng.integers(-3, 4, shape) for shape in shapes]
    kinds = (lambda x: (x / 4).tolist(), lambda x: (x / 4).astype(np.float32), lambda x: x)
    return [kinds[i % 3](array) for i, array in enumerate(arrays)]


def fresh(rng):
    """A new generator: a candidate draws from it without advancing the case's own."""
    return np.random.default_rng(int(rng.integers(2**32)))
