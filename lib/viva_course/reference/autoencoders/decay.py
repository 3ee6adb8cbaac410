"""A linear autoencoder with weight decay."""

import numpy as np


def regularised_ae(X, k, lam):
    """The minimiser of ||X - W2 W1 X||_F^2 / n + lam ||W1||_F^2 + lam ||W2||_F^2.

    W1 = diag(sqrt(t)) U_k^T and W2 = W1^T with gains t_i = max(0, 1 - lam n / sigma_i^2)
    X    (m, n), samples as columns
    k    number of code channels, 1 <= k <= min(m, n)
    lam  number > 0
    Returns (W1 (k, m), W2 (m, k)); X is not modified.
    """
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = np.maximum(0, 1 - lam * X.shape[1] / np.maximum(s[:k], 1e-150) ** 2)
    W1 = np.sqrt(gains)[:, None] * U[:, :k].T
    return W1, W1.T.copy()
