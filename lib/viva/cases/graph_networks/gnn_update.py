"""Public cases of `gnn_update`: one for every rule that its text states."""

from viva.case import case
from viva.cases.graph_networks import directed, problem, undirected


@case("gnn_update")
def by_loop(rng, gnn_update):
    """an undirected graph of six nodes, d = 4, h = 3"""
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
def square_weights(rng, gnn_update):
    """d = h = 3, where a transpose too few goes unnoticed by the shapes"""
    S, W1, W2 = problem(rng, 5, 3, 3)
    return gnn_update(S, undirected(rng, 5), W1, W2)


@case("gnn_update")
def wider_inside(rng, gnn_update):
    """d = 2, h = 5"""
    S, W1, W2 = problem(rng, 4, 2, 5)
    return gnn_update(S, undirected(rng, 4), W1, W2)
