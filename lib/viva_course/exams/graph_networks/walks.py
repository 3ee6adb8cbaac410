"""Exams of propagate_sum and propagate_max: walks of exactly k edges."""

import itertools

import numpy as np

from viva.cases.graph_networks.walks import directed, path, undirected
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise, unmodified

total = Exercise(
    "propagate_sum", points=14, reference=(reference.propagate_sum,),
    expects="an (n, n) array: row j is what node j holds, entry (j, i) the walks from i to j",
    survivors={"propagate_sum: states = A.T @ states -> states = states @ A.T":
               "powers of one matrix commute"},
)

total.values(5, "After k layers of sums row j must be the state of node j.")


def walks(A, k):
    """Entry (j, i): the weights of all walks of k edges from i to j, one walk after the other."""
    n = len(A)
    found = np.zeros((n, n))
    for stops in itertools.product(range(n), repeat=k + 1):
        found[stops[-1], stops[0]] += np.prod([A[a, b] for a, b in itertools.pairwise(stops)])
    return found


@total.item("counts walks", 3, "Entry (j, i) is the number of walks of exactly k edges from i to "
            "j; a walk may come back to a node.")
def _(exam, propagate_sum):
    for k in (2, 3, 4):
        A = undirected(exam.rng, 5)
        exam.same(propagate_sum(A, k), walks(A, k))
    exam.same(propagate_sum(np.ones((3, 3)) - np.eye(3), 3), walks(1 - np.eye(3), 3))


@total.item("directed edges", 3, "A message travels along its edge: j receives from the i with an "
            "edge from i to j. Weights multiply along a walk.")
def _(exam, propagate_sum):
    for k in (1, 2, 4):
        A = directed(exam.rng, 4, loops=True)
        exam.same(propagate_sum(A, k), walks(A, k))
        A = A * exam.rng.uniform(-2, 2, (4, 4))
        exam.same(propagate_sum(A, k), walks(A, k), rtol=1e-8)


@total.item("no layer, many layers", 2, "Without a layer each node holds its own one-hot vector; "
            "twelve layers are twelve products.")
def _(exam, propagate_sum):
    A = directed(exam.rng, 6)
    exam.same(propagate_sum(A, 0), np.eye(6))
    power = np.eye(6)
    for _ in range(12):
        power = power @ A
    exam.same(propagate_sum(A, 12), power.T.copy(), rtol=1e-8)


total.item("arguments unchanged", 1, "A must stay as it was.")(unmodified)


@total.mistake("A_not_T", "Node j receives along the edges that arrive at j: column j of A, not "
               "row j. On a directed graph these differ.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A, k)


@total.mistake("self_loops", "A node keeps nothing of its own between layers unless an edge leads "
               "back to it: no self loops are added.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T + np.eye(len(A)), k)


@total.mistake("normalised", "The messages are added up, not averaged.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T / np.maximum(A.sum(axis=0), 1e-300)[:, None], k)


@total.mistake("normalised_by_sender", "A sender does not share its state out among its edges: "
               "every neighbour receives all of it.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T / np.maximum(A.sum(axis=1), 1e-300), k)


@total.mistake("elementwise", "** takes the power of every entry; a layer is a matrix product.")
def propagate_sum(A, k):
    return A.T**k if k else np.eye(len(A))


@total.mistake("binary", "This says whether a walk exists; the sum says how many there are.")
def propagate_sum(A, k):
    return (np.linalg.matrix_power(A.T, k) != 0).astype(float)


@total.mistake("cumulative", "These are the walks of up to k edges; only those of exactly k count.")
def propagate_sum(A, k):
    return sum(np.linalg.matrix_power(A.T, t) for t in range(k + 1))


@total.mistake("simple_paths", "A walk may visit a node twice; these are paths without repetition.")
def propagate_sum(A, k):
    n = len(A)
    found = np.zeros((n, n))
    for stops in itertools.permutations(range(n), min(k + 1, n)):
        if k + 1 <= n:
            found[stops[-1], stops[0]] += np.prod([A[a, b] for a, b in itertools.pairwise(stops)])
    return found


@total.mistake("one_layer_more", "k layers are k products, beginning with the one-hot vectors.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T, k + 1)


@total.mistake("one_layer_less", "k layers are k products; the last one is missing.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T, max(k - 1, 0))


@total.mistake("starts_with_A", "Without a layer each node holds its own one-hot vector, not its "
               "edges.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T, max(k, 1))


@total.mistake("weights_ignored", "The weight of an edge multiplies what travels along it.")
def propagate_sum(A, k):
    return np.linalg.matrix_power((A.T != 0).astype(float), k)


@total.mistake("sequential", "All nodes send at once: a layer reads the states before it, "
               "never those just written.")
def propagate_sum(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        for j in range(len(A)):
            states[j] = A[:, j] @ states
    return states


@total.mistake("in_place", "A belongs to the caller: do not write the products into it.")
def propagate_sum(A, k):
    expected = reference.propagate_sum(A, k)
    A[:] = A.T @ A
    return expected


@total.mistake("half_precision", "Counts grow quickly: keep float64.")
def propagate_sum(A, k):
    return reference.propagate_sum(A, k).astype(np.float32)


@total.mistake("loops_removed", "A loop is an edge too: its node hears itself.")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T - np.diag(np.diag(A)), k)


@total.variant("a power of the transpose")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A.T, k)


@total.variant("the transpose of a power")
def propagate_sum(A, k):
    power = np.eye(len(A))
    for _ in range(k):
        power = power @ A
    return power.T


@total.variant("loops over edges")
def propagate_sum(A, k):
    n = len(A)
    states = [[float(i == j) for i in range(n)] for j in range(n)]
    for _ in range(k):
        states = [[sum(A[i, j] * states[i][c] for i in range(n)) for c in range(n)]
                  for j in range(n)]
    return np.array(states)


# ---- propagate_max

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
