"""Exam of `gnn_update`."""

import numpy as np

from viva.cases.graph_networks import directed, problem, undirected
from viva_course.rubric import Exercise, unmodified


def loop(S, A, W1, W2):
    """The update node by node and neighbour by neighbour."""
    new = S.copy()
    for i in range(len(S)):
        neighbours = [j for j in range(len(S)) if A[i, j]]
        if neighbours:
            new[i] += W1 @ sum(np.tanh(W2 @ S[j]) for j in neighbours) / len(neighbours)
    return new


update = Exercise("gnn_update", "each state plus W1 times the mean of its neighbours' messages "
                  "tanh(W2 s_j), (n, d)")

update.values(6, "The new states must be those of a loop over nodes and neighbours.")


@update.item(3.5, "Nodes that are numbered differently give the same states in their new order: "
             "all nodes read the old states at once.")
def equivariance(exam, gnn_update):
    S, W1, W2 = problem(exam.rng, 7)
    A, order = directed(exam.rng, 7, 0.3), exam.rng.permutation(7)
    new = gnn_update(S, A, W1, W2)
    exam.same(new, loop(S, A, W1, W2))
    exam.same(gnn_update(S[order], A[np.ix_(order, order)], W1, W2), np.asarray(new)[order])


@update.item(3, "Every node divides by the number of its own neighbours; without neighbours "
             "nothing changes, and nothing is NaN.")
def own_degree(exam, gnn_update):
    S, W1, W2 = problem(exam.rng, 6)
    A = np.zeros((6, 6))
    A[0, [1, 2, 3]] = A[1, [4, 5]] = A[2, [0]] = 1  # three, two, one and no neighbours
    exam.same(gnn_update(S, A, W1, W2), loop(S, A, W1, W2))
    exam.same(gnn_update(S, np.zeros((6, 6)), W1, W2), S)


@update.item(2, "d and h are whatever W1 (d, h) and W2 (h, d) say; W1 = 0 changes nothing.")
def any_shapes(exam, gnn_update):
    for n, d, h in ((5, 1, 3), (3, 6, 2), (4, 3, 3), (8, 2, 1)):
        S, W1, W2 = problem(exam.rng, n, d, h)
        A = undirected(exam.rng, n)
        exam.same(gnn_update(S, A, W1, W2), loop(S, A, W1, W2))
        exam.same(gnn_update(S, A, 0 * W1, W2), S)


@update.item(1.5, "S and A must stay as they were.")
def arguments_unchanged(exam, gnn_update):
    S, W1, W2 = problem(exam.rng, 4)
    A = undirected(exam.rng, 4)
    exam.same(gnn_update(S, A, W1, W2), loop(S, A, W1, W2))  # the identity changes nothing either
    unmodified(exam, gnn_update)


def _mean(A, messages):
    return A @ messages / np.maximum(A.sum(axis=1, keepdims=True), 1)


update.mistakes_of(gnn_update={
    "no_residual": ("The new state is the old one plus the message; the old is lost.",
                    lambda S, A, W1, W2: _mean(A, np.tanh(S @ W2.T)) @ W1.T),
    "fixed_divisor_3": ("A node divides by the number of its own neighbours, not by 3.",
                        lambda S, A, W1, W2: S + A @ np.tanh(S @ W2.T) / 3 @ W1.T),
    "tanh_of_mean": ("Each message is tanh(W2 s_j); the mean is taken after the tanh.",
                     lambda S, A, W1, W2: S + np.tanh(_mean(A, S @ W2.T)) @ W1.T),
    "includes_self": ("A node is not its own neighbour: it sends itself no message.",
                      lambda S, A, W1, W2: S + _mean(A + np.eye(len(A)), np.tanh(S @ W2.T)) @ W1.T),
    "in_degree": ("The neighbours of i are in row i of A, not in column i.",
                  lambda S, A, W1, W2: S + _mean(A.T, np.tanh(S @ W2.T)) @ W1.T),
    "column_degree": (
        "The number of neighbours of i is the sum of row i; this divides by the sum of column i.",
        lambda S, A, W1, W2: (
            S + A @ np.tanh(S @ W2.T) / np.maximum(A.sum(axis=0), 1)[:, None] @ W1.T)),
    "divide_by_n": ("The mean is over the neighbours, not over all nodes.",
                    lambda S, A, W1, W2: S + A @ np.tanh(S @ W2.T) / len(A) @ W1.T),
    "sum": ("The messages are averaged: divide by the number of neighbours.",
            lambda S, A, W1, W2: S + A @ np.tanh(S @ W2.T) @ W1.T),
    "degree_plus_one": (
        "The divisor is the number of neighbours, without the node.",
        lambda S, A, W1, W2: S + A @ np.tanh(S @ W2.T) / (A.sum(axis=1, keepdims=True) + 1) @ W1.T),
    "no_tanh": ("The message is tanh(W2 s_j); the tanh is missing.",
                lambda S, A, W1, W2: S + _mean(A, S @ W2.T) @ W1.T),
    "tanh_last": ("The tanh belongs to the message, before W1; here it comes last.",
                  lambda S, A, W1, W2: S + np.tanh(_mean(A, S @ W2.T) @ W1.T)),
    "constant_in_degree": (
        "A constant is added to the number of neighbours: it changes every value. Treat the nodes "
        "without neighbours on their own.",
        lambda S, A, W1, W2: (
            S + A @ np.tanh(S @ W2.T) / (A.sum(axis=1, keepdims=True) + 1e-6) @ W1.T)),
    "not_transposed": (
        "States are rows, and the formula is for columns: both weights are transposed. With "
        "d = h the shapes fit either way.",
        lambda S, A, W1, W2: (S + _mean(A, np.tanh(S @ W2)) @ W1 if len(W1) == len(W2)
                              else S + _mean(A, np.tanh(S @ W2.T)) @ W1.T)),
    "W2_not_transposed": (
        "States are rows, and the formula is for columns: W2 is transposed. With d = h the shapes "
        "fit either way.",
        lambda S, A, W1, W2: S + _mean(A, np.tanh(S @ (W2 if len(W1) == len(W2) else W2.T)))
        @ W1.T),
    "W1_not_transposed": (
        "Means are rows, and the formula is for columns: W1 is transposed. With d = h the shapes "
        "fit either way.",
        lambda S, A, W1, W2: S + _mean(A, np.tanh(S @ W2.T))
        @ (W1 if len(W1) == len(W2) else W1.T)),
    "lonely_erased": (
        "A node without neighbours keeps its state; here it becomes 0.",
        lambda S, A, W1, W2: (S + _mean(A, np.tanh(S @ W2.T)) @ W1.T) * A.any(axis=1)[:, None]),
    "own_message": (
        "The message comes from the neighbour's state s_j, not from s_i.",
        lambda S, A, W1, W2: S + (A.sum(axis=1, keepdims=True) > 0) * np.tanh(S @ W2.T) @ W1.T),
})


@update.mistake("nan_isolated", "A node without neighbours divides 0 by 0; it keeps its state.")
def gnn_update(S, A, W1, W2):
    with np.errstate(all="ignore"):
        return S + A @ np.tanh(S @ W2.T) / A.sum(axis=1, keepdims=True) @ W1.T


@update.mistake("isolated_to_zero", "A node without neighbours keeps its state; here it becomes 0.")
def gnn_update(S, A, W1, W2):
    with np.errstate(all="ignore"):
        return np.nan_to_num(S + A @ np.tanh(S @ W2.T) / A.sum(axis=1, keepdims=True) @ W1.T)


@update.mistake("sequential", "All nodes read the old states; here later nodes see new ones.")
def gnn_update(S, A, W1, W2):
    new = S.copy()
    for i in range(len(S)):
        near = np.flatnonzero(A[i])
        if len(near):
            new[i] = new[i] + W1 @ np.tanh(new[near] @ W2.T).mean(axis=0)
    return new


@update.mistake("symmetric_norm", "This divides by the square roots of both degrees; the mean "
                "divides by the receiver's own.")
def gnn_update(S, A, W1, W2):
    root = np.sqrt(np.maximum(A.sum(axis=1), 1))
    return S + (A / np.outer(root, root)) @ np.tanh(S @ W2.T) @ W1.T


@update.mistake("in_place", "S += writes into the caller's array; add into a new one.")
def gnn_update(S, A, W1, W2):
    S += _mean(A, np.tanh(S @ W2.T)) @ W1.T
    return S


update.variants_of(gnn_update={"node by node": lambda S, A, W1, W2: loop(S, A, W1, W2)})


@update.variant("einsum, W1 first")
def gnn_update(S, A, W1, W2):
    messages = np.einsum("dk,jk->jd", W1, np.tanh(np.einsum("kd,jd->jk", W2, S)))
    degree = np.count_nonzero(A, axis=1)
    share = np.divide(1.0, degree, out=np.zeros(len(A)), where=degree > 0)
    return S + np.einsum("i,ij,jd->id", share, A, messages)
