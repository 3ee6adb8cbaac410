"""Public cases of `spread_labels`: one for every rule that its text states."""

import numpy as np

from viva.case import case
from viva.cases.graph_networks import path
from viva.kits.graph_networks import sbm


def classes(found):
    """A prediction as floats, so that True and 1 are the same answer."""
    return np.asarray(found).astype(float)


@case("spread_labels")
def two_ends(rng, spread_labels):
    """path of seven nodes, labels at 0 (class 1) and 5 (class 0)"""
    return classes(spread_labels(path(7), np.array([1, 0, 1, 0, 1, 0, 1]), np.array([0, 5])))


@case("spread_labels")
def few_steps(rng, spread_labels):
    """path of six nodes, node 0 is of class 1: after 0, 1 and 3 steps"""
    y, seeds = np.array([1, 0, 0, 0, 0, 0]), np.array([0])
    return [classes(spread_labels(path(6), y, seeds, steps=k)) for k in (0, 1, 3)]


@case("spread_labels")
def mean_not_sum(rng, spread_labels):
    """a hub of class 0 among eight leaves, joined to a node of class 1 by a path"""
    A = np.zeros((12, 12))
    for leaf in range(1, 9):
        A[0, leaf] = A[leaf, 0] = 1
    for i, j in ((0, 9), (9, 10), (10, 11)):
        A[i, j] = A[j, i] = 1
    return classes(spread_labels(A, (np.arange(12) == 11).astype(int), np.array([0, 11])))


@case("spread_labels")
def outvoted(rng, spread_labels):
    """node 0 is of class 1 among four friends of class 0, all labelled: after 1, 2 and 10 steps"""
    A, y = np.ones((6, 6)) - np.eye(6), np.array([1, 0, 0, 0, 0, 0])
    A[5, :4] = A[:4, 5] = 0  # node 5 has one friend, and no label
    return [classes(spread_labels(A, y, np.arange(5), steps=k)) for k in (1, 2, 10)]


@case("spread_labels")
def labelled_and_lonely(rng, spread_labels):
    """path of four nodes, and two nodes without edges, one of them labelled"""
    A = np.zeros((6, 6))
    A[:4, :4] = path(4)
    return classes(spread_labels(A, np.array([0, 0, 0, 0, 1, 1]), np.array([0, 4])))


@case("spread_labels")
def unlabelled_unread(rng, spread_labels):
    """two blocks of 50 nodes, four labels; the other 96 entries of y are noise"""
    A, y = sbm(100, 0.2, 0.02, int(rng.integers(2**31)))
    seeds, noise = np.array([0, 1, 50, 51]), rng.integers(0, 2, 100)
    noise[seeds] = y[seeds]
    return classes(spread_labels(A, noise, seeds))
