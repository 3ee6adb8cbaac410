"""Public cases of `mean_twins` and `sum_twins`: what the two graphs of an answer are like."""

import numpy as np

from viva.case import case, outcome


def flaw(pair, n):
    """What keeps an answer from being two undirected graphs of n nodes, or "" if nothing does."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        return "not two matrices"
    pair = [np.asarray(each) for each in pair]
    if not all(each.shape == (n, n) and each.dtype.kind in "biuf" for each in pair):
        return "a matrix does not have n rows and n columns"
    flaws = {"an entry is not 0 or 1": lambda A: not np.isin(A, (0, 1)).all(),
             "a matrix is not symmetric": lambda A: (A != A.T).any(),
             "a node has a loop": lambda A: np.diag(A).any(),
             "a node has no neighbour": lambda A: not A.any(axis=1).all()}
    return next((name for name, has in flaws.items() if any(map(has, pair))), "")


def told_apart(A, B, mean):
    """Whether a network with sums (or means) that starts with equal states ends differently."""
    ends = []
    for graph in (np.asarray(A, float), np.asarray(B, float)):
        x, n = np.ones(len(graph)), len(graph)
        divisor = graph.sum(axis=1) if mean else n  # a fixed n keeps the sums small
        for _ in range(n):
            x = np.cos(x + graph @ np.sin(2 * x + 0.7) / divisor)
        ends.append(np.sort(x))
    return bool(np.abs(ends[0] - ends[1]).max() > 1e-9)  # rounding grows to 1e-11 at most


def isomorphic(A, B):
    """Whether some renumbering of B gives A: tried node by node."""
    A, B = np.asarray(A, float), np.asarray(B, float)

    def extend(chosen):
        i = len(chosen)
        if i == len(A):
            return True
        return any(extend([*chosen, j]) for j in range(len(B)) if j not in chosen
                   and (B[j, chosen] == A[i, :i]).all() and B[j].sum() == A[i].sum())

    return extend([])


def about(pair, n, mean):
    """What an answer for n nodes is like, in one sentence."""
    if wrong := flaw(pair, n):
        return wrong
    sums = f"sums {'tell them apart' if told_apart(*pair, mean=False) else 'do not'}"
    if mean:
        return f"means {'tell them apart' if told_apart(*pair, mean=True) else 'do not'}, {sums}"
    return f"{'one graph, renumbered' if isomorphic(*pair) else 'two different graphs'}, {sums}"


@case("mean_twins")
def smallest_for_means(rng, mean_twins):
    """three nodes"""
    return about(mean_twins(3), 3, mean=True)


@case("mean_twins")
def more_for_means(rng, mean_twins):
    """four and seven nodes"""
    return [about(mean_twins(n), n, mean=True) for n in (4, 7)]


@case("mean_twins")
def too_few_for_means(rng, mean_twins):
    """two nodes: ValueError"""
    return outcome(mean_twins, 2)


@case("mean_twins")
def smallest_for_sums(rng, sum_twins):
    """six nodes"""
    return about(sum_twins(6), 6, mean=False)


@case("mean_twins")
def more_for_sums(rng, sum_twins):
    """seven and nine nodes"""
    return [about(sum_twins(n), n, mean=False) for n in (7, 9)]


@case("mean_twins")
def too_few_for_sums(rng, sum_twins):
    """five nodes: ValueError"""
    return outcome(sum_twins, 5)
