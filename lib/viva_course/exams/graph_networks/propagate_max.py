"""Exam of `propagate_max`."""

import numpy as np

from viva.cases.graph_networks import directed, path, undirected
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise, unmodified

largest = Exercise("propagate_max", "an (n, n) array of zeros and ones: 1 where a walk of k edges "
                   "leads from i to j")

largest.values(2, "After k layers of maxima row j must be the state of node j.")


@largest.item(2, "Entry (j, i) is 1 where a walk of exactly k edges leads from i to j, on directed "
              "and undirected graphs, k = 0 to 5.")
def a_walk_of_exactly_k(exam, propagate_max):
    for k in range(6):
        for A in (directed(exam.rng, 6, 0.1), undirected(exam.rng, 6, 0.1),
                  np.roll(np.eye(6), 1, axis=1), path(6)):
            exam.same(propagate_max(A, k), (walks_counted(A, k) > 0).astype(float), dtype=False)


def walks_counted(A, k):
    power = np.eye(len(A))
    for _ in range(k):
        power = power @ A
    return power.T


@largest.item(1.5, "A node without incoming edges holds nothing after one layer; with a loop at "
              "every node, distance at most k is what counts.")
def loops_and_lonely_nodes(exam, propagate_max):
    n = 7
    A = path(n)
    A[3], A[:, 3] = 0, 0
    exam.same(propagate_max(A, 1), A, dtype=False)
    exam.true(not np.any(np.asarray(propagate_max(A, 2))[3]), "node 3 has no edges")
    for k in (1, 2, 3):
        near = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= k
        exam.same(propagate_max(path(n) + np.eye(n), k), near.astype(float), dtype=False)


@largest.item(0.5, "A must stay as it was.")
def arguments_unchanged(exam, propagate_max):
    exam.same(propagate_max(path(4), 0), np.eye(4), dtype=False)
    exam.same(propagate_max(path(4), 1), path(4), dtype=False)
    unmodified(exam, propagate_max)


EXACTLY = ("This is 1 for every node within distance k. A node forgets what it held: only walks of "
           "exactly k edges count.")


def _within(A, k):
    return (np.linalg.matrix_power(A.T + np.eye(len(A)), k) > 0).astype(float)


@largest.mistake("at_most_k", EXACTLY)
def propagate_max(A, k):
    return _within(A, k)


@largest.mistake("keeps_self", EXACTLY)
def propagate_max(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        states = np.maximum(states, reference.propagate_max(A, 1) @ states > 0).astype(float)
    return states


largest.mistakes_of(propagate_max={
    "sum": ("The entries count walks; a maximum of zeros and ones is 0 or 1.",
            lambda A, k: np.linalg.matrix_power(A.T, k)),
    "A_not_T": ("Node j receives along the edges that arrive at j: column j of A, not row j.",
                lambda A, k: reference.propagate_max(A.T, k)),
    "one_layer_more": ("k layers are k maxima, beginning with the one-hot vectors.",
                       lambda A, k: reference.propagate_max(A, k + 1)),
    "one_layer_less": ("k layers are k maxima; the last one is missing.",
                       lambda A, k: reference.propagate_max(A, max(k - 1, 0))),
    "starts_with_A": ("Without a layer each node holds its own one-hot vector.",
                      lambda A, k: reference.propagate_max(A, max(k, 1))),
    "undirected": ("An edge leads one way; the graph is made symmetric here.",
                   lambda A, k: reference.propagate_max(np.maximum(A, A.T), k)),
    "shortest_only": ("A node at distance 1 is reached again by a walk of 3 edges: walks may turn "
                      "back, and shorter distances count too.",
                      lambda A, k: np.eye(len(A)) if k == 0 else _within(A, k) - _within(A, k - 1)),
    "always_one_layer": ("This is one layer, whatever k says: repeat it k times.",
                         lambda A, k: (A.T > 0).astype(float)),
})


@largest.mistake("max_entry", "These are counts divided by the largest; every walk weighs the same "
                 "in a maximum.")
def propagate_max(A, k):
    counts = np.linalg.matrix_power(A.T, k)
    return counts / max(counts.max(), 1)


@largest.mistake("max_over_content", "The maximum runs over the senders, entry by entry; this one "
                 "mixes the entries of a state.")
def propagate_max(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        states = A.T * states.max(axis=1)
    return states


@largest.mistake("in_place", "A belongs to the caller: do not write into it.")
def propagate_max(A, k):
    expected = reference.propagate_max(A, k)
    A[:] = A.T
    A[0] = 1
    return expected


@largest.variant("counts above zero")
def propagate_max(A, k):
    return np.linalg.matrix_power(A.T, k) > 0


@largest.variant("a search by sets")
def propagate_max(A, k):
    n = len(A)
    found = np.zeros((n, n), int)
    for i in range(n):
        here = {i}
        for _ in range(k):
            here = {j for a in here for j in range(n) if A[a, j]}
        found[list(here), i] = 1
    return found
