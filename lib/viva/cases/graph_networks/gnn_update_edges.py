"""Public cases of `gnn_update_edges`: one for every rule that its text states."""

import numpy as np

from viva.case import case, outcome, rule
from viva.cases.graph_networks import directed, edges_of, problem, undirected


@case("gnn_update_edges")
def as_by_matrix(rng, gnn_update_edges):
    """an undirected graph of six nodes, each edge in both directions"""
    S, W1, W2 = problem(rng, 6)
    return gnn_update_edges(S, edges_of(undirected(rng, 6, 0.3)), W1, W2)


@case("gnn_update_edges")
def one_way(rng, gnn_update_edges):
    """messages from 0 to 2, 1 to 2 and 2 to 3 among five nodes"""
    S, W1, W2 = problem(rng, 5)
    return gnn_update_edges(S, np.array([[0, 1, 2], [2, 2, 3]]), W1, W2)


@case("gnn_update_edges")
def twice(rng, gnn_update_edges):
    """the edge from 0 to 2 is listed twice, that from 1 to 2 once"""
    S, W1, W2 = problem(rng, 3)
    return gnn_update_edges(S, np.array([[0, 1, 0], [2, 2, 2]]), W1, W2)


@case("gnn_update_edges")
def no_edges(rng, gnn_update_edges):
    """no edge at all: nothing changes"""
    S, W1, W2 = problem(rng, 3)
    return gnn_update_edges(S, np.zeros((2, 0), np.int64), W1, W2)


@rule("gnn_update_edges")
def last_hear_nothing(rng, gnn_update_edges):
    """only nodes 0 and 1 of five receive messages: no exception"""
    S, W1, W2 = problem(rng, 5)
    return outcome(gnn_update_edges, S, np.array([[4, 2], [0, 1]]), W1, W2)


@case("gnn_update_edges")
def any_order(rng, gnn_update_edges):
    """the same edges in another order"""
    S, W1, W2 = problem(rng, 7)
    edges = edges_of(directed(rng, 7))
    return gnn_update_edges(S, edges[:, rng.permutation(edges.shape[1])], W1, W2)
