"""One layer of message passing: by an adjacency matrix, and by a list of edges."""

import numpy as np


def gnn_update(S, A, W1, W2):
    """s_i' = s_i + W1 mean_{j in N(i)} tanh(W2 s_j); a node without neighbours keeps its state.

    S (n, d): states in rows
    A (n, n) of zeros and ones: A_ij = 1 where j is a neighbour of i
    W1 (d, k), W2 (k, d)
    returns (n, d), float64
    """
    messages = np.tanh(S @ W2.T)  # (n, k), one per sender
    degree = A.sum(axis=1, keepdims=True)  # (n, 1)
    return S + (A @ messages) / np.maximum(degree, 1) @ W1.T


def gnn_update_edges(S, edges, W1, W2):
    """The same along a list of edges, in memory O(n + E).

    S (n, d): states in rows
    edges (2, E) int64: a message goes from node edges[0, e] to node edges[1, e]
    W1 (d, k), W2 (k, d)
    returns (n, d), float64
    """
    source, target = edges
    messages = np.tanh(S @ W2.T)  # (n, k), one per sender
    total = np.zeros((len(S), len(W2)))
    np.add.at(total, target, messages[source])  # repeated targets add up
    degree = np.bincount(target, minlength=len(S))
    return S + total / np.maximum(degree, 1)[:, None] @ W1.T
