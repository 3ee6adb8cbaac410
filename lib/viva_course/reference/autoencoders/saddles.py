"""Critical points of the linear autoencoder that are not minima."""

import numpy as np


def subset_critical_point(X, idx):
    """(U_idx^T, U_idx): the autoencoder that keeps the singular directions idx, in this order.

    X    (m, n), samples as columns
    idx  k different indices of singular directions, 0 the strongest
    Returns (W1 (k, m), W2 (m, k)); X is not modified.
    """
    U = np.linalg.svd(X, full_matrices=False)[0][:, list(idx)]
    return U.T, U


def escape_direction(X, idx, k_missing):
    """(e_j u^T, u e_j^T): the missing direction u goes into row j of the encoder and column j of
    the decoder, where j is the place of the weakest direction of idx.

    X          (m, n), samples as columns
    idx        as above
    k_missing  index of a direction that is not in idx and stronger than the weakest of idx
    Returns (D1 (k, m), D2 (m, k)); X is not modified.
    """
    u = np.linalg.svd(X, full_matrices=False)[0][:, k_missing]
    D1 = np.zeros((len(idx), len(X)))
    D1[np.argmax(idx)] = u
    return D1, D1.T.copy()
