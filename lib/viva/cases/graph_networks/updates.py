"""Cases of gnn_update and gnn_update_edges. d = 4 features, k = 3 hidden ones."""

import numpy as np

from viva.case import case
from viva.cases.graph_networks.walks import directed, undirected


def problem(rng, n, d=4, k=3):
    """States (n, d), and weights W1 (d, k), W2 (k, d)."""
    return rng.normal(size=(n, d)), rng.normal(size=(d, k)), rng.normal(size=(k, d))


def edges_of(A):
    """The messages of gnn_update as a list: from each neighbour j to i, (2, E) int64."""
    target, source = np.nonzero(A)
    return np.stack([source, target]).astype(np.int64)


# ---- gnn_update

@case("gnn_update")
def by_loop(rng, gnn_update):
    """an undirected graph of six nodes, d = 4, k = 3"""
    S, W1, W2 = problem(rng, 6)
    return gnn_update(S, undirected(rng, 6, 0.3), W1, W2)


@case("gnn_update")
def one_neighbour(rng, gnn_update):
    """node 3 has one neighbour, node 5: s_3 + W1 tanh(W2 s_5)"""
    S, W1, W2 = problem(rng, 6)
    A = directed(rng, 6)
    A[3], A[:, 3] = 0, 0
    A[3, 5] = 1
    return gnn_update(S, A, W1, W2)[3]


@case("gnn_update")
def row_is_receiver(rng, gnn_update):
    """a directed graph of five nodes: row i names the neighbours of i"""
    S, W1, W2 = problem(rng, 5)
    return gnn_update(S, directed(rng, 5), W1, W2)


@case("gnn_update")
def lonely(rng, gnn_update):
    """nodes 1 and 4 have no neighbours and keep their states"""
    S, W1, W2 = problem(rng, 6)
    A = undirected(rng, 6)
    A[[1, 4]] = 0
    A[:, [1, 4]] = 0
    return gnn_update(S, A, W1, W2)


@case("gnn_update")
def silent(rng, gnn_update):
    """W1 = 0: nothing changes"""
    S, W1, W2 = problem(rng, 4)
    return gnn_update(S, undirected(rng, 4), 0 * W1, W2)


@case("gnn_update")
def wider_inside(rng, gnn_update):
    """d = 2, k = 5"""
    S, W1, W2 = problem(rng, 4, 2, 5)
    return gnn_update(S, undirected(rng, 4), W1, W2)


# ---- gnn_update_edges

@case("gnn_update_edges")
def as_by_matrix(rng, gnn_update_edges):
    """an undirected graph of six nodes, each edge in both directions"""
    S, W1, W2 = problem(rng, 6)
    return gnn_update_edges(S, edges_of(undirected(rng, 6, 0.3)), W1, W2)


@case("gnn_update_edges")
def one_way(rng, gnn_update_edges):
    """messages 0 -> 2, 1 -> 2 and 2 -> 3 among five nodes"""
    S, W1, W2 = problem(rng, 5)
    return gnn_update_edges(S, np.array([[0, 1, 2], [2, 2, 3]]), W1, W2)


@case("gnn_update_edges")
def twice(rng, gnn_update_edges):
    """the edge 0 -> 2 is listed twice, 1 -> 2 once"""
    S, W1, W2 = problem(rng, 3)
    return gnn_update_edges(S, np.array([[0, 1, 0], [2, 2, 2]]), W1, W2)


@case("gnn_update_edges")
def no_edges(rng, gnn_update_edges):
    """no edge at all: nothing changes"""
    S, W1, W2 = problem(rng, 3)
    return gnn_update_edges(S, np.zeros((2, 0), np.int64), W1, W2)


@case("gnn_update_edges")
def any_order(rng, gnn_update_edges):
    """the same edges in another order"""
    S, W1, W2 = problem(rng, 7)
    edges = edges_of(directed(rng, 7))
    return gnn_update_edges(S, edges[:, rng.permutation(edges.shape[1])], W1, W2)
