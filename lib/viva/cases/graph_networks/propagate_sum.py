"""Public cases of `propagate_sum`: one for every rule that its text states."""

import numpy as np

from viva.case import case
from viva.cases.graph_networks import directed, path, undirected


@case("propagate_sum")
def three_on_a_path(rng, propagate_sum):
    """path 0 - 1 - 2, two layers: node 0 holds (1, 0, 1)"""
    return propagate_sum(path(3), 2)


@case("propagate_sum")
def four_on_a_path(rng, propagate_sum):
    """path 0 - 1 - 2 - 3, three layers: node 0 holds (0, 2, 0, 1)"""
    return propagate_sum(path(4), 3)


@case("propagate_sum")
def triangle(rng, propagate_sum):
    """a triangle, three layers: two walks lead back to each node"""
    return propagate_sum(np.ones((3, 3)) - np.eye(3), 3)


@case("propagate_sum")
def both_directions(rng, propagate_sum):
    """an undirected graph of six nodes, four layers"""
    return propagate_sum(undirected(rng, 6), 4)


@case("propagate_sum")
def one_direction(rng, propagate_sum):
    """a directed graph of five nodes, three layers"""
    return propagate_sum(directed(rng, 5), 3)


@case("propagate_sum")
def weights(rng, propagate_sum):
    """a directed graph with weights, two layers"""
    return propagate_sum(directed(rng, 5) * rng.uniform(0.5, 2, (5, 5)), 2)


@case("propagate_sum")
def loops(rng, propagate_sum):
    """a directed graph with loops at two nodes, three layers"""
    A = directed(rng, 5)
    A[[1, 3], [1, 3]] = 1
    return propagate_sum(A, 3)


@case("propagate_sum")
def zero_and_one_layer(rng, propagate_sum):
    """a directed graph, no layer and one layer"""
    A = directed(rng, 4)
    return propagate_sum(A, 0), propagate_sum(A, 1)
