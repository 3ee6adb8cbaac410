"""One step of SGD on data that can be fitted exactly; coordinates with the solution at 0."""

import numpy as np


def expected_next_loss(X, w, eta):
    """mean_i ||X (w - 2 eta x_i x_i^T w)||^2 over the rows x_i of X.

    X    (n, d)
    w    (d,)
    eta  number
    Returns a number; X and w are not modified.
    """
    X, w = np.asarray(X, float), np.asarray(w, float)
    after = w - 2 * eta * (X @ w)[:, None] * X  # (n, d), row i: the weights if sample i is drawn
    return np.mean(np.sum((after @ X.T) ** 2, axis=1))


def sgd_constants(X):
    """(c1, c2, c1 / (2 c2)) of E[L_next] <= (1 - c1 eta + c2 eta^2) L.

    c1 = 4 sigma_min^2 / n, c2 = 4 sigma_max^2 max_i ||x_i||^2 / n
    X  (n, d) of full rank: sigma_min is the smallest of its min(n, d) singular values
    Returns a tuple of three numbers.
    """
    X = np.asarray(X, float)
    sigmas = np.linalg.svd(X, compute_uv=False)
    c1 = 4 * sigmas[-1] ** 2 / len(X)
    c2 = 4 * sigmas[0] ** 2 * np.max(np.sum(X**2, axis=1)) / len(X)
    return c1, c2, c1 / (2 * c2)
