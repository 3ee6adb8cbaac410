"""Graphs of the homework `graph_networks`, and what draws and trains on them."""

import numpy as np

from viva.kits.graph_networks.club import CLUB_EDGES, CLUB_LABELS, CLUB_PLACES
from viva.kits.graph_networks.drawing import draw_graph
from viva.kits.graph_networks.training import train_networks

__all__ = ["CLUB_PLACES", "draw_graph", "karate_club", "path_graph", "sbm", "train_networks"]


def karate_club():
    """Zachary's karate club (1977): who met whom outside the club, and how it split.

    Returns (A (34, 34) symmetric, of zeros and ones, y (34,) int64). Node 0 is the instructor
    ("Mr. Hi"), node 33 the club's officer ("John A."); y is 1 for members who followed the officer.
    """
    A = np.zeros((34, 34))
    i, j = np.array(CLUB_EDGES).T
    A[i, j] = A[j, i] = 1.0
    return A, np.array(CLUB_LABELS, np.int64)


def path_graph(n: int):
    """The undirected path 0 - 1 - ... - (n - 1) as a matrix (n, n)."""
    return np.eye(n, k=1) + np.eye(n, k=-1)


def sbm(n: int, p: float, q: float, seed: int):
    """A stochastic block model: two halves, edges with probability p inside, q across.

    Returns (A (n, n) symmetric, of zeros and ones, y (n,) int64: 0 for the first half, 1 for the
    second).
    """
    rng = np.random.default_rng(seed)
    y = (np.arange(n) >= n // 2).astype(np.int64)
    chance = np.where(y[:, None] == y[None, :], p, q)
    upper = np.triu(rng.uniform(size=(n, n)) < chance, 1)
    return (upper | upper.T).astype(float), y
