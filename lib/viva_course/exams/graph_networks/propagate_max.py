"""Exam of `propagate_max`."""

import numpy as np

from viva.cases.graph_networks import directed, path, undirected
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise, unmodified

largest = Exercise(
    "propagate_max", points=10, reference=(reference.propagate_max,),
    expects="an (n, n) array of zeros and ones: 1 where a walk of k edges leads from i to j",
)

largest.values(4, "After k layers of maxima row j must be the state of node j.")


@largest.item("a walk of exactly k", 3, "Entry (j, i) is 1 where a walk of exactly k edges leads "
              "from i to j, on directed and undirected graphs, k = 0 to 5.")
def _(exam, propagate_max):
    for k in range(6):
        for A in (directed(exam.rng, 6, 0.1), undirected(exam.rng, 6, 0.1),
                  np.roll(np.eye(6), 1, axis=1), path(6)):
            exam.same(propagate_max(A, k), (walks_counted(A, k) > 0).astype(float), dtype=False)


def walks_counted(A, k):
    power = np.eye(len(A))
    for _ in range(k):
        power = power @ A
    return power.T


@largest.item("loops and lonely nodes", 2, "A node without incoming edges holds nothing after one "
              "layer; with a loop at every node, distance at most k is what counts.")
def _(exam, propagate_max):
    n = 7
    A = path(n)
    A[3], A[:, 3] = 0, 0
    exam.same(propagate_max(A, 1), A, dtype=False)
    exam.true(not np.any(np.asarray(propagate_max(A, 2))[3]), "node 3 has no edges")
    for k in (1, 2, 3):
        near = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= k
        exam.same(propagate_max(path(n) + np.eye(n), k), near.astype(float), dtype=False)


@largest.item("arguments unchanged", 1, "A must stay as it was.")
def _(exam, propagate_max):
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


@largest.mistake("sum", "The entries count walks; a maximum of zeros and ones is 0 or 1.")
def propagate_max(A, k):
    return np.linalg.matrix_power(A.T, k)


@largest.mistake("max_entry", "These are counts divided by the largest; every walk weighs the same "
                 "in a maximum.")
def propagate_max(A, k):
    counts = np.linalg.matrix_power(A.T, k)
    return counts / max(counts.max(), 1)


@largest.mistake("A_not_T", "Node j receives along the edges that arrive at j: column j of A, not "
                 "row j.")
def propagate_max(A, k):
    return reference.propagate_max(A.T, k)


@largest.mistake("one_layer_more", "k layers are k maxima, beginning with the one-hot vectors.")
def propagate_max(A, k):
    return reference.propagate_max(A, k + 1)


@largest.mistake("one_layer_less", "k layers are k maxima; the last one is missing.")
def propagate_max(A, k):
    return reference.propagate_max(A, max(k - 1, 0))


@largest.mistake("starts_with_A", "Without a layer each node holds its own one-hot vector.")
def propagate_max(A, k):
    return reference.propagate_max(A, max(k, 1))


@largest.mistake("max_over_content", "The maximum runs over the senders, entry by entry; this one "
                 "mixes the entries of a state.")
def propagate_max(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        states = A.T * states.max(axis=1)
    return states


@largest.mistake("undirected", "An edge leads one way; the graph is made symmetric here.")
def propagate_max(A, k):
    return reference.propagate_max(np.maximum(A, A.T), k)


@largest.mistake("shortest_only", "A node at distance 1 is reached again by a walk of 3 edges: "
                 "walks may turn back, and shorter distances count too.")
def propagate_max(A, k):
    reached = np.eye(len(A)) if k == 0 else _within(A, k) - _within(A, k - 1)
    return reached


@largest.mistake("in_place", "A belongs to the caller: do not write into it.")
def propagate_max(A, k):
    expected = reference.propagate_max(A, k)
    A[:] = A.T
    A[0] = 1
    return expected


@largest.mistake("always_one_layer", "This is one layer, whatever k says: repeat it k times.")
def propagate_max(A, k):
    return (A.T > 0).astype(float)


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
