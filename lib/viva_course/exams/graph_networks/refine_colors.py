"""Exam of `refine_colors`."""

from collections import Counter

import numpy as np

from viva.cases.graph_networks import directed, undirected
from viva.cases.graph_networks.refine_colors import named
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise, unmodified

refinement = Exercise(
    "refine_colors",
    expects="(n,) whole numbers: equal where two nodes had equal colours and read every colour "
            "equally often, numbered in the order of their first node",
)

refinement.values(4, "Nodes stay alike if they were alike and read every colour equally often.")


def by_pairs(A, colors, rounds):
    """The same by comparing every node with every earlier one."""
    colors = list(colors)
    for step in range(rounds + 1):
        reads = [Counter(colors[j] for j in np.flatnonzero(row)) if step else None for row in A]
        old, colors = colors, []
        for i in range(len(A)):
            twin = next((j for j in range(i) if old[i] == old[j] and reads[i] == reads[j]), None)
            colors.append(max(colors, default=-1) + 1 if twin is None else colors[twin])
    return np.array(colors)


@refinement.item(2, "Directed graphs: node i reads the nodes of row i, and only the old colours.")
def directed_graphs(exam, refine_colors):
    for n, rounds in ((7, 1), (9, 2), (9, 3)):
        A, colors = directed(exam.rng, n, 0.05), exam.rng.integers(0, 2, n)
        exam.same(named(refine_colors(A, colors, rounds)), by_pairs(A, colors, rounds), dtype=False)


@refinement.item(1.5, "Every round is made, and further rounds change nothing once the colours "
                 "have settled.")
def many_rounds(exam, refine_colors):
    n = int(exam.rng.integers(11, 15))
    A = np.eye(n, k=1) + np.eye(n, k=-1)
    for rounds in (0, 3, n // 2, 3 * n):
        same = np.zeros(n, int)
        exam.same(named(refine_colors(A, same, rounds)), by_pairs(A, same, rounds), dtype=False)


@refinement.item(1.5, "Renumbering the nodes gives the same groups, and a node's own colour, of "
                 "whatever number, is never forgotten.")
def own_colours(exam, refine_colors):
    A, colors = undirected(exam.rng, 9, 0.1), 10 + 7 * exam.rng.integers(0, 4, 9)
    order = exam.rng.permutation(9)
    for B, c in ((A, colors), (A[np.ix_(order, order)], colors[order]),
                 (np.zeros((9, 9)), colors)):
        exam.same(named(refine_colors(B, c, 2)), by_pairs(B, c, 2), dtype=False)


@refinement.item(1, "A and colors must stay as they were.")
def arguments_unchanged(exam, refine_colors):
    A, colors = undirected(exam.rng, 6, 0.2), exam.rng.integers(3, 6, 6)
    exam.same(named(refine_colors(A, colors, 2)), by_pairs(A, colors, 2), dtype=False)
    unmodified(exam, refine_colors)


def _numbered(signatures):
    names = {}
    return [names.setdefault(each, len(names)) for each in signatures]


def _refined(A, colors, rounds, sign, number=_numbered):
    """Rounds of `sign(own colour, list of colours read)`, numbered by `number`."""
    colors = number([int(each) for each in colors])
    for _ in range(rounds):
        colors = number([sign(own, sorted(colors[j] for j in np.flatnonzero(row)))
                         for own, row in zip(colors, A, strict=True)])
    return np.array(colors)


def _by_size(signatures):
    order = sorted(set(signatures))
    return [order.index(each) for each in signatures]


FIRST = "Colours are numbered in the order of their first node: node 0 has colour 0."

refinement.mistakes_of(refine_colors={
    "sets": ("It counts how often a colour is read: a multiset, not a set.",
             lambda A, colors, rounds: _refined(
                 A, colors, rounds, lambda own, read: (own, tuple(sorted(set(read)))))),
    "forgets_own": ("A node's own colour belongs to its new one: nodes that were told apart stay "
                    "apart.",
                    lambda A, colors, rounds: _refined(
                        A, colors, rounds, lambda own, read: tuple(read))),
    "adds_numbers": ("Colours are names, not numbers: 1 and 4 are not the same as 2 and 3, "
                     "although their sums are.",
                     lambda A, colors, rounds: _refined(
                         A, colors, rounds, lambda own, read: (own, sum(read)))),
    "adds_given_numbers": (
        "Colours are names, not numbers: adding up the given ones confuses 1 and 4 with 2 and 3.",
        lambda A, colors, rounds: np.array(_numbered(
            colors.tolist() if rounds == 0 else
            _added(A, colors, rounds)))),
    "order_of_nodes": (
        "Nodes that are read come in no order: here the same colours in another order are another "
        "colour.",
        lambda A, colors, rounds: _in_order(A, colors, rounds)),
    "counts_only": ("It matters which colours are read, not only how many nodes.",
                    lambda A, colors, rounds: _refined(
                        A, colors, rounds, lambda own, read: (own, len(read)))),
    "numbers_by_size": (FIRST, lambda A, colors, rounds: _refined(
        A, colors, rounds, lambda own, read: (own, *read), number=_by_size)),
    "numbers_rounds_by_size": (FIRST, lambda A, colors, rounds: _refined(
        A, _numbered(colors.tolist()), rounds, lambda own, read: (own, tuple(read)),
        number=lambda keys: keys if isinstance(keys[0], int) else _by_size(keys))),
    "numbers_by_counts": (FIRST, lambda A, colors, rounds: _by_counts(A, colors, rounds)),
    "transposed": ("Node i reads the nodes of row i; here it reads those of column i.",
                   lambda A, colors, rounds: reference.refine_colors(A.T, colors, rounds)),
    "one_round": ("One round is made, whatever `rounds` says.",
                  lambda A, colors, rounds: reference.refine_colors(A, colors, min(rounds, 1))),
    "one_round_more": ("Exactly `rounds` rounds are made; here it is one more.",
                       lambda A, colors, rounds: reference.refine_colors(A, colors, rounds + 1)),
    "until_stable": ("Exactly `rounds` rounds are made; here it goes on until nothing changes.",
                     lambda A, colors, rounds: reference.refine_colors(A, colors, 2 * len(A))),
    "one_round_less": ("`rounds` rounds are made; the last one is missing.",
                       lambda A, colors, rounds: reference.refine_colors(
                           A, colors, max(rounds - 1, 0))),
    "colors_ignored": ("The given colours are where it starts; here all nodes start alike.",
                       lambda A, colors, rounds: reference.refine_colors(
                           A, np.zeros(len(A), int), rounds)),
    "start_as_given": ("Without a round the colours are numbered too, in the order of their first "
                       "node.",
                       lambda A, colors, rounds: (reference.refine_colors(A, colors, rounds)
                                                  if rounds else np.array(colors))),
    "reads_itself": ("A node reads its neighbours: its own colour counts once, beside theirs, and "
                     "must not be mixed among them.",
                     lambda A, colors, rounds: _refined(
                         A, colors, rounds, lambda own, read: tuple(sorted([own, *read])))),
})


def _in_order(A, colors, rounds):
    colors = _numbered(colors.tolist())
    for _ in range(rounds):
        colors = _numbered([(own, *(colors[j] for j in np.flatnonzero(row)))
                            for own, row in zip(colors, A, strict=True)])
    return np.array(colors)


def _by_counts(A, colors, rounds):
    colors = np.unique(colors, return_inverse=True)[1].ravel()
    for _ in range(rounds):
        rows = np.column_stack([colors, A @ np.eye(colors.max() + 1)[colors]])
        colors = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    return colors


def _added(A, colors, rounds):
    for _ in range(rounds):
        pairs = list(zip(np.asarray(colors).tolist(), (A @ colors).tolist(), strict=True))
        colors = np.array(_numbered(pairs))
    return colors.tolist()


@refinement.mistake("sequential", "All nodes change at once: a round reads the old colours only.")
def refine_colors(A, colors, rounds):
    colors = _numbered([int(each) for each in colors])
    for _ in range(rounds):
        for i, row in enumerate(A):
            colors[i] = (colors[i], tuple(sorted(map(str, (colors[j] for j in
                                                           np.flatnonzero(row))))))
        colors = _numbered(colors)
    return np.array(colors)


@refinement.mistake("in_place", "colors belongs to the caller: do not write into it.")
def refine_colors(A, colors, rounds):
    colors[:] = reference.refine_colors(A, colors, rounds)
    return colors.copy()


@refinement.variant("counts in a matrix")
def refine_colors(A, colors, rounds):
    colors = np.asarray(_numbered(colors.tolist()))
    for _ in range(rounds):
        kinds = np.eye(colors.max() + 1)[colors]  # (n, colours)
        rows = np.column_stack([colors, A @ kinds])
        _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        colors = np.argsort(np.argsort(first))[inverse.ravel()]
    return colors


refinement.variants_of(refine_colors={
    "a list": lambda A, colors, rounds: by_pairs(A, colors, rounds).tolist(),
    "by pairs": lambda A, colors, rounds: by_pairs(A, colors, rounds),
})
