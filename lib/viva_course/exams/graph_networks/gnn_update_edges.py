"""Exam of `gnn_update_edges`."""

import numpy as np

from viva.cases.graph_networks import directed, edges_of, problem, undirected
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise, unmodified

listed = Exercise("gnn_update_edges", "each state plus W1 times the mean of the messages tanh(W2 "
                  "s) that arrive, (n, d)")

listed.values(4, "A message goes from edges[0, e] to edges[1, e]; receivers take the mean.")


def _by_edges(S, edges, W1, W2):
    """Edge by edge."""
    arrived = [[] for _ in S]
    for source, target in edges.T:
        arrived[target].append(np.tanh(W2 @ S[source]))
    return np.array([s + W1 @ np.mean(each, axis=0) if each else s
                     for s, each in zip(S, arrived, strict=True)])


@listed.item(2.5, "Messages go from source to target, and only that way.", name="directed")
def ask_directed(exam, gnn_update_edges):
    S, W1, W2 = problem(exam.rng, 8, 3, 5)
    edges = edges_of(directed(exam.rng, 8, 0.15))
    exam.same(gnn_update_edges(S, edges, W1, W2), _by_edges(S, edges, W1, W2))
    exam.same(gnn_update_edges(S, edges[::-1].copy(), W1, W2), _by_edges(S, edges[::-1], W1, W2))


@listed.item(2, "An edge that is listed twice counts twice, in the sum and the number of messages; "
             "the order of the list does not matter.")
def repeated_edges(exam, gnn_update_edges):
    S, W1, W2 = problem(exam.rng, 4)
    edges = exam.rng.integers(0, 4, (2, 25))  # 25 edges among 16 possible: some repeat
    expected = _by_edges(S, edges, W1, W2)
    exam.same(gnn_update_edges(S, edges, W1, W2), expected)
    exam.same(gnn_update_edges(S, edges[:, exam.rng.permutation(25)], W1, W2), expected)


@listed.item(1, "Without edges, or without edges at the last node, nothing changes there.")
def no_edges(exam, gnn_update_edges):
    S, W1, W2 = problem(exam.rng, 5)
    some = np.array([[4, 1], [0, 0]])  # no message to the last nodes
    exam.same(gnn_update_edges(S, some, W1, W2), _by_edges(S, some, W1, W2))
    exam.same(gnn_update_edges(S, np.zeros((2, 0), np.int64), W1, W2), S)


@listed.item(1.5, "No n x n matrix: 12,000 nodes and 18,000 edges in less than 40 MB.")
def memory(exam, gnn_update_edges):
    n = 12000  # the floats of a dense matrix take 1152 MB, its booleans 144, all else below 4
    S, W1, W2 = problem(exam.rng, n)
    edges = exam.rng.integers(0, n, (2, 18000))
    found = exam.within(40, gnn_update_edges, S, edges, W1, W2)
    exam.same(found, _by_edges(S, edges, W1, W2))


@listed.item(1, "S and edges must stay as they were.")
def arguments_unchanged(exam, gnn_update_edges):
    S, W1, W2 = problem(exam.rng, 4)
    edges = edges_of(undirected(exam.rng, 4))
    exam.same(gnn_update_edges(S, edges, W1, W2), _by_edges(S, edges, W1, W2))
    unmodified(exam, gnn_update_edges)


def _average(total, target):
    return total / np.maximum(np.bincount(target, minlength=len(total)), 1)[:, None]


def _arrived(S, edges, W2):
    total = np.zeros((len(S), len(W2)))
    np.add.at(total, edges[1], np.tanh(S @ W2.T)[edges[0]])
    return total


@listed.mistake("fancy_assign", "total[target] += messages writes a repeated target only once: all "
                "but one of its messages are lost.")
def gnn_update_edges(S, edges, W1, W2):
    total = np.zeros((len(S), len(W2)))
    total[edges[1]] += np.tanh(S @ W2.T)[edges[0]]
    return S + _average(total, edges[1]) @ W1.T


listed.mistakes_of(gnn_update_edges={
    "reversed": ("edges[0] sends and edges[1] receives; here it is the other way round.",
                 lambda S, edges, W1, W2: reference.gnn_update_edges(S, edges[::-1], W1, W2)),
    "unique_edges": (
        "An edge that is listed twice counts twice; here it counts once.",
        lambda S, edges, W1, W2: reference.gnn_update_edges(S, np.unique(edges, axis=1), W1, W2)),
    "out_degree": ("Divide by the number of edges that arrive at a node, not by the number that "
                   "leave it.",
                   lambda S, edges, W1, W2: S + _average(_arrived(S, edges, W2), edges[0]) @ W1.T),
    "sum": ("The messages are averaged: divide by the number that arrived.",
            lambda S, edges, W1, W2: S + _arrived(S, edges, W2) @ W1.T),
    "divide_by_E": (
        "The mean is over the messages that arrive at the node, not all edges.",
        lambda S, edges, W1, W2: S + _arrived(S, edges, W2) / max(edges.shape[1], 1) @ W1.T),
    "both_ways": ("A message goes one way only; here every edge is used in both.",
                  lambda S, edges, W1, W2: (
                      reference.gnn_update_edges(S, np.hstack([edges, edges[::-1]]), W1, W2))),
    "no_minlength": (
        "np.bincount ends at the largest receiver: with minlength there is one count for each of "
        "the n nodes, also if the last ones receive nothing.",
        lambda S, edges, W1, W2: (S + _arrived(S, edges, W2)
                                  / np.maximum(np.bincount(edges[1]), 1)[:, None] @ W1.T)),
    "own_state": (
        "The message is made from the sender's state, edges[0]; here it is the receiver's own.",
        lambda S, edges, W1, W2: reference.gnn_update_edges(S, edges[[1, 1]], W1, W2)),
    "no_residual": ("The new state is the old one plus the message; the old is lost.",
                    lambda S, edges, W1, W2: _average(_arrived(S, edges, W2), edges[1]) @ W1.T),
})


@listed.mistake("dense", "This builds an n x n matrix; a list of edges needs none.",
                hidden_only="memory shows with thousands of nodes")
def gnn_update_edges(S, edges, W1, W2):
    A = np.zeros((len(S), len(S)))
    np.add.at(A, (edges[1], edges[0]), 1)
    return S + A @ np.tanh(S @ W2.T) / np.maximum(A.sum(axis=1, keepdims=True), 1) @ W1.T


@listed.mistake("distinct_degree", "The divisor is the number of messages that arrived, repeated "
                "ones included.")
def gnn_update_edges(S, edges, W1, W2):
    degree = np.bincount(np.unique(edges, axis=1)[1], minlength=len(S))
    return S + _arrived(S, edges, W2) / np.maximum(degree, 1)[:, None] @ W1.T


@listed.mistake("nan_isolated", "A node that receives nothing divides 0 by 0; it keeps its state.")
def gnn_update_edges(S, edges, W1, W2):
    with np.errstate(all="ignore"):
        degree = np.bincount(edges[1], minlength=len(S))
        return S + _arrived(S, edges, W2) / degree[:, None] @ W1.T


@listed.mistake("tanh_of_mean", "Each message is tanh(W2 s); the mean is taken after the tanh.")
def gnn_update_edges(S, edges, W1, W2):
    total = np.zeros((len(S), len(W2)))
    np.add.at(total, edges[1], (S @ W2.T)[edges[0]])
    return S + np.tanh(_average(total, edges[1])) @ W1.T


@listed.mistake("sequential", "All messages are made from the old states; here an edge sees what "
                "earlier edges have changed.")
def gnn_update_edges(S, edges, W1, W2):
    new, degree = S.copy(), np.bincount(edges[1], minlength=len(S))
    for source, target in edges.T:
        new[target] += W1 @ np.tanh(W2 @ new[source]) / degree[target]
    return new


@listed.mistake("in_place", "S += writes into the caller's array; add into a new one.")
def gnn_update_edges(S, edges, W1, W2):
    S += _average(_arrived(S, edges, W2), edges[1]) @ W1.T
    return S


@listed.variant("edge by edge")
def gnn_update_edges(S, edges, W1, W2):
    total, count = np.zeros((len(S), W1.shape[1])), np.zeros(len(S))
    for source, target in zip(edges[0].tolist(), edges[1].tolist(), strict=True):
        total[target] += np.tanh(W2 @ S[source])
        count[target] += 1
    new = S.copy()
    new[count > 0] += (total[count > 0] / count[count > 0, None]) @ W1.T
    return new


@listed.variant("bincount for every feature")
def gnn_update_edges(S, edges, W1, W2):
    messages, n = np.tanh(S[edges[0]] @ W2.T), len(S)  # (E, h)
    total = np.stack([np.bincount(edges[1], m, minlength=n) for m in messages.T], axis=1)
    degree = np.bincount(edges[1], minlength=n)
    return S + total / np.where(degree == 0, 1, degree)[:, None] @ W1.T
