"""Cases of propagate_sum and propagate_max."""

import numpy as np

from viva.case import case


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


# ---- propagate_sum

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


# ---- propagate_max: zeros and ones, as floats, integers or booleans

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
