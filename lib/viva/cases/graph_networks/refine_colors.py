"""Public cases of `refine_colors`: one for every rule that its text states."""

import numpy as np

from viva.case import case
from viva.cases.graph_networks import directed, path, undirected


def named(found):
    """Colours as an array: a list of whole numbers is the same answer."""
    return np.asarray(found)


@case("refine_colors", dtype=False)
def along_a_path(rng, refine_colors):
    """a path of seven nodes, all of colour 0, after 1, 2 and 3 rounds"""
    return [named(refine_colors(path(7), np.zeros(7, int), k)) for k in (1, 2, 3)]


@case("refine_colors", dtype=False)
def no_round(rng, refine_colors):
    """no round: the colours 7, 3, 7, 5 become 0, 1, 0, 2"""
    return named(refine_colors(path(4), np.array([7, 3, 7, 5]), 0))


@case("refine_colors", dtype=False)
def how_often(rng, refine_colors):
    """one round: node 0 reads one node of colour 2 and two of colour 1, node 1 two and one"""
    A = np.zeros((8, 8))
    A[0, [2, 3, 4]] = A[1, [5, 6, 7]] = 1
    return named(refine_colors(A, np.array([0, 0, 2, 1, 1, 2, 2, 1]), 1))


@case("refine_colors", dtype=False)
def names_not_numbers(rng, refine_colors):
    """one round: node 0 reads colours 1 and 4, node 1 reads 2 and 3, node 2 reads 5 and 0"""
    A = np.zeros((9, 9))
    A[0, [3, 4]] = A[1, [5, 6]] = A[2, [7, 8]] = 1
    return named(refine_colors(A, np.array([0, 0, 0, 1, 4, 2, 3, 5, 0]), 1))


@case("refine_colors", dtype=False)
def own_colour(rng, refine_colors):
    """two rounds: nodes 0 and 1 read the same and have different colours"""
    A = np.zeros((5, 5))
    A[[0, 1], 2] = A[2, 3] = A[3, 4] = 1
    return named(refine_colors(A, np.array([4, 2, 2, 2, 2]), 2))


@case("refine_colors", dtype=False)
def row_reads(rng, refine_colors):
    """a directed graph of nine nodes, two rounds: node i reads the nodes of row i"""
    A = np.zeros((9, 9))
    A[0, [1, 2]] = A[3, [4]] = A[5, [0]] = A[6, [3]] = A[7, [0]] = A[8, [7]] = 1
    return named(refine_colors(A, np.zeros(9, int), 2))


@case("refine_colors", dtype=False)
def molecules(rng, refine_colors):
    """an undirected graph of ten nodes with three colours, one round and two"""
    A, colors = undirected(rng, 10, 0.1), rng.integers(0, 3, 10)
    return [named(refine_colors(A, colors, k)) for k in (1, 2)]


@case("refine_colors", dtype=False)
def until_nothing_changes(rng, refine_colors):
    """directed graphs of eight nodes, twelve rounds: more than are needed"""
    return [named(refine_colors(directed(rng, 8, 0.1), np.zeros(8, int), 12)) for _ in range(2)]
