"""Ridge attention that forgets."""

import numpy as np


def cholesky_update(L, k, sign=1):
    """The factor of L L^T + sign k k^T, by one rotation (hyperbolic if sign is -1) per column.

    L (d, d): lower triangular with a positive diagonal; k (d,); sign 1 or -1
    returns (d, d), lower triangular with a positive diagonal; LinAlgError if there is none
    """
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if square <= 0:
            raise np.linalg.LinAlgError("not positive definite")
        c, s = L[j, j] / np.sqrt(square), k[j] / np.sqrt(square)
        column = L[j:, j].copy()
        L[j:, j], k[j:] = c * column + sign * s * k[j:], c * k[j:] - s * column
    return L


def windowed_ridge(Q, K, V, lam, window):
    """Row i is q_i^T W, W fitted to the last `window` pairs, i - window + 1 .. i.

    Q, K (n, d), V (n, m), lam > 0, window >= 1
    returns (n, m), float64; a pair that leaves is taken out of L and H again
    """
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    L, H, rows = np.sqrt(lam) * np.eye(K.shape[1]), np.zeros((K.shape[1], V.shape[1])), []
    for i, q in enumerate(Q):
        for j, sign in ((i, 1), (i - window, -1)):
            if j >= 0:
                L = cholesky_update(L, K[j], sign)
                H = H + sign * np.outer(K[j], V[j])
        rows.append(H.T @ np.linalg.solve(L.T, np.linalg.solve(L, q)))
    return np.array(rows)
