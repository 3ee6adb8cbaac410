"""Public cases of `propagate_max`: one for every rule that its text states."""

import numpy as np

from viva.case import case
from viva.cases.graph_networks import path


@case("propagate_max", dtype=False)
def max_on_a_path(rng, propagate_max):
    """path 0 - 1 - 2, two layers: node 0 holds (1, 0, 1)"""
    return propagate_max(path(3), 2)


@case("propagate_max", dtype=False)
def max_both_directions(rng, propagate_max):
    """a tree of six nodes, four layers"""
    A = np.zeros((6, 6))
    for node in range(1, 6):
        parent = int(rng.integers(node))
        A[node, parent] = A[parent, node] = 1
    return propagate_max(A, 4)


@case("propagate_max", dtype=False)
def max_one_direction(rng, propagate_max):
    """a directed cycle of seven nodes with one shortcut, three layers"""
    A = np.roll(np.eye(7), 1, axis=1)
    A[0, int(rng.integers(2, 6))] = 1
    return propagate_max(A, 3)


@case("propagate_max", dtype=False)
def max_zero_and_one_layer(rng, propagate_max):
    """a directed cycle of five nodes, no layer and one layer"""
    A = np.roll(np.eye(5), 1, axis=1)
    return propagate_max(A, 0), propagate_max(A, 1)


@case("propagate_max", dtype=False)
def max_isolated(rng, propagate_max):
    """node 3 has no edge: after one layer it holds nothing"""
    A = np.zeros((4, 4))
    A[:3, :3] = path(3)
    return propagate_max(A, 1)


@case("propagate_max", dtype=False)
def max_self_loops(rng, propagate_max):
    """a path of five nodes with a loop at each, two layers: everything within distance two"""
    return propagate_max(path(5) + np.eye(5), 2)
