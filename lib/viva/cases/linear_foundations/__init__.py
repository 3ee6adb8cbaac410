"""Public cases of the homework `linear_foundations`. Rows of X are samples, columns features."""

import numpy as np

SECTIONS = ("scalar", "rates", "paths", "sgd", "noise", "duality", "posterior", "augmented")


def with_singular_values(rng, sigmas, n, d):
    """A random (n, d) matrix with exactly these non-zero singular values."""
    U = np.linalg.qr(rng.normal(size=(n, len(sigmas))))[0]
    V = np.linalg.qr(rng.normal(size=(d, len(sigmas))))[0]
    return (U * np.asarray(sigmas, float)) @ V.T
