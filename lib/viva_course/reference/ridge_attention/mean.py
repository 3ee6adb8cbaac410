"""A mean that is kept up to date."""

import numpy as np


class RunningMean:
    """The mean of the vectors seen so far: mean += (x - mean) / n, O(d) in time and memory.

    n: how many there were; mean: (d,), float64
    """

    def __init__(self):
        self.n, self.mean = 0, 0.0

    def update(self, x):
        """Take in x (d,); returns the new mean (d,), which later updates leave as it is."""
        self.n += 1
        self.mean = self.mean + (np.asarray(x, float) - self.mean) / self.n
        return self.mean
