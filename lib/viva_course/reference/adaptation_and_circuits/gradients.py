"""What reaches the two factors of an update, and a start that lets the most through."""

import numpy as np


def lora_grads(G, A, B):
    """(dL/dA, dL/dB) = (G B^T, A^T G) for W = W_0 + A B and G = dL/dW (m, l)."""
    G, A, B = (np.asarray(each, float) for each in (G, A, B))
    return G @ B.T, A.T @ G  # (m, k), (k, l)


def svd_init(G, k):
    """(A, B) with A = 0 (m, k) and B (k, l) the first k right singular vectors of G."""
    G = np.asarray(G, float)
    return np.zeros((len(G), k)), np.linalg.svd(G, full_matrices=False)[2][:k]
