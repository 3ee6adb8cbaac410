"""Ridge attention of a whole sequence."""

import numpy as np


def ridge_attention(Q, K, V, lam, causal=False):
    """Row i is q_i^T W, W fitted to all pairs, or to the pairs 0 .. i if causal.

    Q (Nq, d), K (n, d), V (n, m), lam > 0; causal: Nq = n
    returns (Nq, m), float64; nothing of size n x n is built
    """
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    d, m = K.shape[1], V.shape[1]
    if not causal:
        return Q @ np.linalg.solve(lam * np.eye(d) + K.T @ K, K.T @ V)
    P, H, rows = np.eye(d) / lam, np.zeros((d, m)), []
    for q, k, v in zip(Q, K, V, strict=True):
        Pk = P @ k
        P = P - np.outer(Pk, Pk) / (1 + k @ Pk)
        H = H + np.outer(k, v)
        rows.append(H.T @ (P @ q))
    return np.array(rows)
