"""The answer to `is_permutation_invariant`."""

import numpy as np


def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    """Whether agg(X) stays the same, within tol, when the rows of random X are permuted.

    agg: function of (n, d) that returns a number or an array
    rng: numpy Generator
    returns bool
    """
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        gap = np.abs(np.asarray(agg(X)) - np.asarray(agg(X[rng.permutation(n)])))
        if gap.max() > tol:
            return False
    return True
