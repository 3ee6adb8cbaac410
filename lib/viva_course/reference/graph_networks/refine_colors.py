"""The answer to `refine_colors`."""

import numpy as np


def refine_colors(A, colors, rounds):
    """Colours after some rounds: alike before, and alike in how often each colour is read.

    A (n, n) of zeros and ones: A_ij = 1 where i reads j; colors (n,) whole numbers
    rounds int >= 0
    returns (n,) int64, numbered in the order in which they first appear
    """
    signatures = [int(color) for color in colors]
    for step in range(rounds + 1):
        if step:
            signatures = [(own, tuple(sorted(signatures[j] for j in np.flatnonzero(row))))
                          for own, row in zip(signatures, A, strict=True)]
        names: dict = {}
        signatures = [names.setdefault(each, len(names)) for each in signatures]
    return np.array(signatures, np.int64)
