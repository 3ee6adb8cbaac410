"""The answer to `relative_spread`."""

import numpy as np


def relative_spread(S):
    """The length of the differences from the mean row, as a part of the length of all of S.

    S (n, d): states in rows, of any size; all zeros give 0
    returns a number from 0 to 1
    """
    largest = np.abs(S).max()
    if largest == 0:
        return 0.0
    scaled = S / largest  # squares of 1e-200 would be 0
    return float(np.linalg.norm(scaled - scaled.mean(axis=0)) / np.linalg.norm(scaled))
