"""Exam of `propagate_sum`."""

import itertools

import numpy as np

from viva.cases.graph_networks import directed, undirected
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise

total = Exercise(
    "propagate_sum",
    expects="an (n, n) array: row j is what node j holds, entry (j, i) the walks from i to j",
    survivors={"propagate_sum: states = A.T @ states -> states = states @ A.T":
               "powers of one matrix commute"},
)

total.values(3, "After k layers of sums row j must be the state of node j.")


def walks(A, k):
    """Entry (j, i): the weights of all walks of k edges from i to j, one walk after the other."""
    n = len(A)
    found = np.zeros((n, n))
    for stops in itertools.product(range(n), repeat=k + 1):
        found[stops[-1], stops[0]] += np.prod([A[a, b] for a, b in itertools.pairwise(stops)])
    return found


@total.item(2, "Entry (j, i) is the number of walks of exactly k edges from i to j; a walk may "
            "come back to a node.")
def counts_walks(exam, propagate_sum):
    for k in (2, 3, 4):
        A = undirected(exam.rng, 5)
        exam.same(propagate_sum(A, k), walks(A, k))
    exam.same(propagate_sum(np.ones((3, 3)) - np.eye(3), 3), walks(1 - np.eye(3), 3))


@total.item(2.5, "A message travels along its edge: j receives from the i with an edge from i to "
            "j. Weights multiply along a walk.")
def directed_edges(exam, propagate_sum):
    for k in (1, 2, 4):
        A = directed(exam.rng, 4, loops=True)
        exam.same(propagate_sum(A, k), walks(A, k))
        A = A * exam.rng.uniform(-2, 2, (4, 4))
        exam.same(propagate_sum(A, k), walks(A, k), rtol=1e-8)


@total.item(1.5, "Without a layer each node holds its own one-hot vector; twelve layers are twelve "
            "products.", name="no layer, many layers")
def no_layer_many_layers(exam, propagate_sum):
    A = directed(exam.rng, 6)
    exam.same(propagate_sum(A, 0), np.eye(6))
    power = np.eye(6)
    for _ in range(12):
        power = power @ A
    exam.same(propagate_sum(A, 12), power.T.copy(), rtol=1e-8)


total.unmodified(1, "A must stay as it was.")


total.mistakes_of(propagate_sum={
    "A_not_T": ("Node j receives along the edges that arrive at j: column j of A, not row j. On a "
                "directed graph these differ.",
                lambda A, k: np.linalg.matrix_power(A, k)),
    "self_loops": ("A node keeps nothing of its own between layers unless an edge leads back to "
                   "it: no self loops are added.",
                   lambda A, k: np.linalg.matrix_power(A.T + np.eye(len(A)), k)),
    "normalised": (
        "The messages are added up, not averaged.",
        lambda A, k: np.linalg.matrix_power(A.T / np.maximum(A.sum(axis=0), 1e-300)[:, None], k)),
    "normalised_by_sender": (
        "A sender does not share its state out among its edges: every neighbour receives all of "
        "it.",
        lambda A, k: np.linalg.matrix_power(A.T / np.maximum(A.sum(axis=1), 1e-300), k)),
    "elementwise": ("** takes the power of every entry; a layer is a matrix product.",
                    lambda A, k: A.T**k if k else np.eye(len(A))),
    "binary": ("This says whether a walk exists; the sum says how many there are.",
               lambda A, k: (np.linalg.matrix_power(A.T, k) != 0).astype(float)),
    "cumulative": ("These are the walks of up to k edges; only those of exactly k count.",
                   lambda A, k: sum(np.linalg.matrix_power(A.T, t) for t in range(k + 1))),
    "one_layer_more": ("k layers are k products, beginning with the one-hot vectors.",
                       lambda A, k: np.linalg.matrix_power(A.T, k + 1)),
    "one_layer_less": ("k layers are k products; the last one is missing.",
                       lambda A, k: np.linalg.matrix_power(A.T, max(k - 1, 0))),
    "starts_with_A": ("Without a layer each node holds its own one-hot vector, not its edges.",
                      lambda A, k: np.linalg.matrix_power(A.T, max(k, 1))),
    "weights_ignored": ("The weight of an edge multiplies what travels along it.",
                        lambda A, k: np.linalg.matrix_power((A.T != 0).astype(float), k)),
    "half_precision": ("Counts grow quickly: keep float64.",
                       lambda A, k: reference.propagate_sum(A, k).astype(np.float32)),
    "loops_removed": ("A loop is an edge too: its node hears itself.",
                      lambda A, k: np.linalg.matrix_power(A.T - np.diag(np.diag(A)), k)),
})


@total.mistake("simple_paths", "A walk may visit a node twice; these are paths without repetition.")
def propagate_sum(A, k):
    n = len(A)
    found = np.zeros((n, n))
    for stops in itertools.permutations(range(n), min(k + 1, n)):
        if k + 1 <= n:
            found[stops[-1], stops[0]] += np.prod([A[a, b] for a, b in itertools.pairwise(stops)])
    return found


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
