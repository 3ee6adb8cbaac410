"""Ridge attention that forgets."""

import numpy as np


def windowed_ridge(Q, K, V, lam, window):
    """Row i is q_i^T W, W fitted to the last `window` pairs, i - window + 1 .. i.

    Q, K (n, d), V (n, m), lam > 0, window >= 1
    returns (n, m), float64; a pair that leaves is taken out of P and H again
    """
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    d, m = K.shape[1], V.shape[1]
    P, H, rows = np.eye(d) / lam, np.zeros((d, m)), []
    for i, q in enumerate(Q):
        for j, sign in ((i, 1.0), (i - window, -1.0)):
            if j >= 0:
                Pk = P @ K[j]
                P = P - sign * np.outer(Pk, Pk) / (1 + sign * K[j] @ Pk)
                H = H + sign * np.outer(K[j], V[j])
        rows.append(H.T @ (P @ q))
    return np.array(rows)
