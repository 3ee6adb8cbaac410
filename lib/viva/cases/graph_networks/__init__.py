"""Public cases of the homework `graph_networks`. A (n, n): row i names the edges that leave i."""

import numpy as np

EXERCISES = {
    "propagate_sum": [["propagate_sum"]],
    "propagate_max": [["propagate_max"]],
    "gnn_update": [["gnn_update"]],
    "gnn_update_edges": [["gnn_update_edges"]],
    "is_permutation_invariant": [["is_permutation_invariant"]],
    "refine_colors": [["refine_colors"]],
    "twins": [["mean_twins", "sum_twins"]],
    "bce_loss": [["bce_loss"]],
    "spread_labels": [["spread_labels"]],
    "relative_spread": [["relative_spread"]],
}


def path(n):
    """The undirected path 0 - 1 - ... - (n - 1)."""
    return np.eye(n, k=1) + np.eye(n, k=-1)


def directed(rng, n, p=0.4, loops=False):
    """A random directed graph of zeros and ones; the cycle 0 -> 1 -> ... -> 0 is always in it."""
    A = (rng.uniform(size=(n, n)) < p).astype(float)
    A[np.arange(n), (np.arange(n) + 1) % n] = 1
    if not loops:
        np.fill_diagonal(A, 0)
    return A


def undirected(rng, n, p=0.4):
    """A random undirected graph of zeros and ones, connected by the path 0 - 1 - 2 ..."""
    upper = np.triu(rng.uniform(size=(n, n)) < p, 1) | np.eye(n, k=1, dtype=bool)
    return (upper | upper.T).astype(float)


def problem(rng, n, d=4, h=3):
    """States (n, d), and weights W1 (d, h), W2 (h, d)."""
    return rng.normal(size=(n, d)), rng.normal(size=(d, h)), rng.normal(size=(h, d))


def edges_of(A):
    """The messages of gnn_update as a list: from each neighbour j to i, (2, E) int64."""
    target, source = np.nonzero(A)
    return np.stack([source, target]).astype(np.int64)
