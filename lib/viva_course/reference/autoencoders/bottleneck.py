"""The best linear autoencoder is PCA."""

import numpy as np


def pca_autoencoder(X, k):
    """(U_k^T, U_k): the k strongest left singular vectors of X, which is not centred.

    X  (m, n), samples as columns
    k  number of code channels, 1 <= k <= min(m, n)
    Returns (W1 (k, m), W2 (m, k)) with W1 W1^T = W2^T W2 = I; X is not modified.
    """
    U = np.linalg.svd(X, full_matrices=False)[0]
    return U[:, :k].T, U[:, :k]
