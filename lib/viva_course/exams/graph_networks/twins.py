"""Exam of `mean_twins` and `sum_twins`."""

import numpy as np

from viva.cases.graph_networks.twins import about
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise

twins = Exercise(
    "mean_twins",
    expects={
        "mean_twins": "two graphs of n nodes that a network with means cannot tell apart, and one "
                      "with sums can",
        "sum_twins": "two graphs of n nodes that no network with sums can tell apart, and that are "
                     "not the same graph renumbered",
    },
)


MEANS_BLIND = "means do not, sums tell them apart"
SUMS_BLIND = "two different graphs, sums do not"


@twins.item(2.5, "Two graphs of n nodes that means of equal states cannot tell apart, and sums "
            "can.")
def means_are_blind(exam, mean_twins, sum_twins):
    for n in (3, 5, 8, int(exam.rng.integers(9, 13))):
        found = about(mean_twins(n), n, mean=True)
        exam.true(found == MEANS_BLIND, f"n = {n}: {found}")


@twins.item(2.5, "Two graphs of n nodes that no sums of equal states can tell apart, and that no "
            "renumbering makes equal.")
def sums_are_blind(exam, mean_twins, sum_twins):
    for n in (6, 7, 8, int(exam.rng.integers(9, 12))):
        found = about(sum_twins(n), n, mean=False)
        exam.true(found == SUMS_BLIND, f"n = {n}: {found}")


@twins.item(1, "Below 3 nodes, and below 6 for sums, there are no such graphs: ValueError.")
def too_few_nodes(exam, mean_twins, sum_twins):
    exam.true(about(mean_twins(4), 4, mean=True) == MEANS_BLIND, "n = 4 has such graphs")
    exam.true(about(sum_twins(6), 6, mean=False) == SUMS_BLIND, "n = 6 has such graphs")
    for n in (1, 2):
        exam.raises(ValueError, mean_twins, n)
    for n in (2, 4, 5):
        exam.raises(ValueError, sum_twins, n)


def _cycle(n):
    step = np.roll(np.eye(n), 1, axis=1)
    return np.minimum(step + step.T, 1) * (1 - np.eye(n))


def _path(n):
    return np.eye(n, k=1) + np.eye(n, k=-1)


def _star(n):
    A = np.zeros((n, n))
    A[0, 1:] = A[1:, 0] = 1
    return A


def _refusing(smallest, make):
    def pair(n):
        if n < smallest:
            raise ValueError
        return make(n)

    return pair


def _beside(n, first):
    """A cycle of `first` nodes and one of the others."""
    A = np.zeros((n, n))
    A[:first, :first], A[first:, first:] = _cycle(first), _cycle(n - first)
    return A


def _turned(A):
    order = np.roll(np.arange(len(A)), 1)
    order[:2] = order[:2][::-1]
    return A[np.ix_(order, order)]


def _padded(A, n):
    """A graph and nodes without an edge."""
    B = np.zeros((n, n))
    B[:len(A), :len(A)] = A
    return B


# Mistakes that answer alike: one sentence must be true of both.
DEGREES = ("Sums must tell the two graphs apart, and sums over equal states count neighbours: some "
           "degrees must differ.")
SAME = "This is one graph with its nodes renumbered; two different graphs are asked for."
TOLD = ("Sums tell these two apart: the degrees differ, or those of the neighbours. Think of "
        "graphs in which all nodes have the same degree.")
LONELY = "A node is left without a neighbour: every node must have at least one, for every n."

twins.mistakes_of(
    mean_twins={
        "mean_same_graph": (DEGREES,
                            _refusing(3, lambda n: (_path(n), _turned(_path(n))))),
        "mean_alike_for_sums": (DEGREES,
                                _refusing(3, lambda n: (reference.sum_twins(n) if n > 5 else
                                                        (_cycle(n), _turned(_cycle(n)))))),
        "mean_lonely": (LONELY,
                        _refusing(3, lambda n: (_cycle(n), _padded(1 - np.eye(n - 1), n)))),
        "mean_loops": ("a loop is an edge from a node to itself; keep the diagonal "
                       "zero.",
                       _refusing(3, lambda n: (np.ones((n, n)), _path(n)))),
        "mean_one_way": ("undirected means symmetric: every edge in both directions.",
                         _refusing(3, lambda n: (np.eye(n, k=1) + np.eye(n, k=1 - n), _path(n)))),
        "mean_path_and_star": ("With three nodes a path and a star are one graph: sums must tell "
                               "the two apart for every n.",
                               _refusing(3, lambda n: (_path(n), _star(n)))),
        "mean_never_refuses": ("for fewer than three nodes there are no such graphs: "
                               "raise ValueError.",
                               lambda n: (_cycle(n), _path(n))),
        "mean_n_ignored": ("the graphs must have n nodes, for every n.",
                           _refusing(3, lambda n: (_cycle(4), _path(4)))),
        "mean_refuses_three": ("three nodes are enough for two such graphs.",
                               _refusing(4, lambda n: (_cycle(n), _path(n)))),
    },
    sum_twins={
        "sum_same_graph": (SAME,
                           _refusing(6, lambda n: (_cycle(n), _turned(_cycle(n))))),
        "sum_mean_twins": (TOLD,
                           _refusing(6, lambda n: (_cycle(n), _path(n)))),
        "sum_lonely": (LONELY,
                       _refusing(6, lambda n: (_padded(_cycle(6), n),
                                               _padded(_beside(6, 3), n)))),
        "sum_six_only": ("the graphs must have n nodes, for every n from 6 on.",
                         _refusing(6, lambda n: (_cycle(6), _beside(6, 3)))),
        "sum_halves": (LONELY,
                       _refusing(6, lambda n: (_padded(_cycle(n // 2 * 2), n),
                                               _padded(_beside(n // 2 * 2, n // 2), n)))),
        "sum_never_refuses": ("for fewer than six nodes there are no such graphs: "
                              "raise ValueError.",
                              lambda n: (_cycle(n), _beside(n, 3) if n > 5 else _cycle(n))),
        "sum_same_degrees_only": (TOLD,
                                  _refusing(6, lambda n: _same_degrees(n))),
        "sum_cycle_of_two": ("A cycle has at least three nodes: with two its one edge would count "
                             "twice.",
                             _refusing(6, lambda n: (_cycle(n), _with_double_edge(n)))),
        "sum_star": (TOLD,
                     _refusing(6, lambda n: (_star(n), _cycle(n)))),
        "sum_refuses_six": ("six nodes are enough for two such graphs.",
                            _refusing(7, lambda n: (_cycle(n), _beside(n, 3)))),
    },
)


def _with_double_edge(n):
    A = _beside(n, n - 2)
    A[n - 2, n - 1] = A[n - 1, n - 2] = 2
    return A


def _same_degrees(n):
    """A path with a leaf at its second node or at its third: equal degrees, other neighbours."""
    graphs = []
    for place in (1, 2):
        A = _padded(_path(n - 1), n)
        A[place, n - 1] = A[n - 1, place] = 1
        graphs.append(A)
    return tuple(graphs)


def _mobius(n):
    """For even n two graphs of degree three: a ladder that is closed, straight or twisted."""
    half = n // 2
    straight, twisted = np.zeros((n, n)), _cycle(n)
    for i in range(half):
        for j in ((i + 1) % half, i + half):
            straight[i, j] = straight[j, i] = 1
        straight[i + half, (i + 1) % half + half] = straight[(i + 1) % half + half, i + half] = 1
        twisted[i, i + half] = twisted[i + half, i] = 1
    return straight, twisted


twins.variants_of(
    mean_twins={"star and all friends": _refusing(3, lambda n: (_star(n), 1 - np.eye(n))),
                "lists of booleans": _refusing(3, lambda n: [_path(n) > 0, 1 - np.eye(n) > 0])},
    sum_twins={"ladders where n is even": _refusing(6, lambda n: (
        _mobius(n) if n % 2 == 0 else (_cycle(n), _beside(n, n - 3)))),
        "whole numbers": _refusing(6, lambda n: (_beside(n, 3).astype(int),
                                                 _cycle(n).astype(int)))},
)
