"""Exams of gnn_update and gnn_update_edges: one layer of message passing."""

import numpy as np

from viva.cases.graph_networks.updates import edges_of, problem
from viva.cases.graph_networks.walks import directed, undirected
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise, unmodified


def loop(S, A, W1, W2):
    """The update node by node and neighbour by neighbour."""
    new = S.copy()
    for i in range(len(S)):
        neighbours = [j for j in range(len(S)) if A[i, j]]
        if neighbours:
            new[i] += W1 @ sum(np.tanh(W2 @ S[j]) for j in neighbours) / len(neighbours)
    return new


update = Exercise(
    "gnn_update", points=18, reference=(reference.gnn_update,),
    expects="each state plus W1 times the mean of its neighbours' messages tanh(W2 s_j), (n, d)",
)

update.values(7, "The new states must be those of a loop over nodes and neighbours.")


@update.item("equivariance", 4, "Nodes that are numbered differently give the same states in "
             "their new order: all nodes read the old states at once.")
def _(exam, gnn_update):
    S, W1, W2 = problem(exam.rng, 7)
    A, order = directed(exam.rng, 7, 0.3), exam.rng.permutation(7)
    new = gnn_update(S, A, W1, W2)
    exam.same(new, loop(S, A, W1, W2))
    exam.same(gnn_update(S[order], A[np.ix_(order, order)], W1, W2), np.asarray(new)[order])


@update.item("own degree", 3, "Every node divides by the number of its own neighbours; without "
             "neighbours nothing changes, and nothing is NaN.")
def _(exam, gnn_update):
    S, W1, W2 = problem(exam.rng, 6)
    A = np.zeros((6, 6))
    A[0, [1, 2, 3]] = A[1, [4, 5]] = A[2, [0]] = 1  # three, two, one and no neighbours
    exam.same(gnn_update(S, A, W1, W2), loop(S, A, W1, W2))
    exam.same(gnn_update(S, np.zeros((6, 6)), W1, W2), S)


@update.item("any shapes", 2, "d and k are whatever W1 (d, k) and W2 (k, d) say; W1 = 0 changes "
             "nothing.")
def _(exam, gnn_update):
    for n, d, k in ((5, 1, 3), (3, 6, 2), (4, 3, 3), (8, 2, 1)):
        S, W1, W2 = problem(exam.rng, n, d, k)
        A = undirected(exam.rng, n)
        exam.same(gnn_update(S, A, W1, W2), loop(S, A, W1, W2))
        exam.same(gnn_update(S, A, 0 * W1, W2), S)


@update.item("arguments unchanged", 2, "S and A must stay as they were.")
def _(exam, gnn_update):
    S, W1, W2 = problem(exam.rng, 4)
    A = undirected(exam.rng, 4)
    exam.same(gnn_update(S, A, W1, W2), loop(S, A, W1, W2))  # the identity changes nothing either
    unmodified(exam, gnn_update)


def _mean(A, messages):
    return A @ messages / np.maximum(A.sum(axis=1, keepdims=True), 1)


@update.mistake("no_residual", "The new state is the old one plus the message; the old is lost.")
def gnn_update(S, A, W1, W2):
    return _mean(A, np.tanh(S @ W2.T)) @ W1.T


@update.mistake("fixed_divisor_3", "A node divides by the number of its own neighbours, not by 3.")
def gnn_update(S, A, W1, W2):
    return S + A @ np.tanh(S @ W2.T) / 3 @ W1.T


@update.mistake("tanh_of_mean", "Each message is tanh(W2 s_j); the mean is taken after the tanh.")
def gnn_update(S, A, W1, W2):
    return S + np.tanh(_mean(A, S @ W2.T)) @ W1.T


@update.mistake("includes_self", "A node is not its own neighbour: it sends itself no message.")
def gnn_update(S, A, W1, W2):
    return S + _mean(A + np.eye(len(A)), np.tanh(S @ W2.T)) @ W1.T


@update.mistake("nan_isolated", "A node without neighbours divides 0 by 0; it keeps its state.")
def gnn_update(S, A, W1, W2):
    with np.errstate(all="ignore"):
        return S + A @ np.tanh(S @ W2.T) / A.sum(axis=1, keepdims=True) @ W1.T


@update.mistake("isolated_to_zero", "A node without neighbours keeps its state; here it becomes 0.")
def gnn_update(S, A, W1, W2):
    with np.errstate(all="ignore"):
        return np.nan_to_num(S + A @ np.tanh(S @ W2.T) / A.sum(axis=1, keepdims=True) @ W1.T)


@update.mistake("in_degree", "The neighbours of i are in row i of A, not in column i.")
def gnn_update(S, A, W1, W2):
    return S + _mean(A.T, np.tanh(S @ W2.T)) @ W1.T


@update.mistake("column_degree", "The number of neighbours of i is the sum of row i; this divides "
                "by the sum of column i.")
def gnn_update(S, A, W1, W2):
    return S + A @ np.tanh(S @ W2.T) / np.maximum(A.sum(axis=0), 1)[:, None] @ W1.T


@update.mistake("divide_by_n", "The mean is over the neighbours, not over all nodes.")
def gnn_update(S, A, W1, W2):
    return S + A @ np.tanh(S @ W2.T) / len(A) @ W1.T


@update.mistake("sum", "The messages are averaged: divide by the number of neighbours.")
def gnn_update(S, A, W1, W2):
    return S + A @ np.tanh(S @ W2.T) @ W1.T


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


@update.mistake("degree_plus_one", "The divisor is the number of neighbours, without the node.")
def gnn_update(S, A, W1, W2):
    return S + A @ np.tanh(S @ W2.T) / (A.sum(axis=1, keepdims=True) + 1) @ W1.T


@update.mistake("no_tanh", "The message is tanh(W2 s_j); the tanh is missing.")
def gnn_update(S, A, W1, W2):
    return S + _mean(A, S @ W2.T) @ W1.T


@update.mistake("tanh_last", "The tanh belongs to the message, before W1; here it comes last.")
def gnn_update(S, A, W1, W2):
    return S + np.tanh(_mean(A, S @ W2.T) @ W1.T)


@update.mistake("own_message", "The message comes from the neighbour's state s_j, not from s_i.")
def gnn_update(S, A, W1, W2):
    return S + (A.sum(axis=1, keepdims=True) > 0) * np.tanh(S @ W2.T) @ W1.T


@update.mistake("in_place", "S += writes into the caller's array; add into a new one.")
def gnn_update(S, A, W1, W2):
    S += _mean(A, np.tanh(S @ W2.T)) @ W1.T
    return S


@update.variant("node by node")
def gnn_update(S, A, W1, W2):
    return loop(S, A, W1, W2)


@update.variant("einsum, W1 first")
def gnn_update(S, A, W1, W2):
    messages = np.einsum("dk,jk->jd", W1, np.tanh(np.einsum("kd,jd->jk", W2, S)))
    degree = np.count_nonzero(A, axis=1)
    share = np.divide(1.0, degree, out=np.zeros(len(A)), where=degree > 0)
    return S + np.einsum("i,ij,jd->id", share, A, messages)


# ---- gnn_update_edges

listed = Exercise(
    "gnn_update_edges", points=14, reference=(reference.gnn_update_edges,),
    expects="each state plus W1 times the mean of the messages tanh(W2 s) that arrive, (n, d)",
)

listed.values(5, "A message goes from edges[0, e] to edges[1, e]; receivers take the mean.")


def _by_edges(S, edges, W1, W2):
    """Edge by edge."""
    arrived = [[] for _ in S]
    for source, target in edges.T:
        arrived[target].append(np.tanh(W2 @ S[source]))
    return np.array([s + W1 @ np.mean(each, axis=0) if each else s
                     for s, each in zip(S, arrived, strict=True)])


@listed.item("directed", 3, "Messages go from source to target, and only that way.")
def _(exam, gnn_update_edges):
    S, W1, W2 = problem(exam.rng, 8, 3, 5)
    edges = edges_of(directed(exam.rng, 8, 0.15))
    exam.same(gnn_update_edges(S, edges, W1, W2), _by_edges(S, edges, W1, W2))
    exam.same(gnn_update_edges(S, edges[::-1].copy(), W1, W2), _by_edges(S, edges[::-1], W1, W2))


@listed.item("repeated edges", 2, "An edge that is listed twice counts twice, in the sum and the "
             "number of messages; the order of the list does not matter.")
def _(exam, gnn_update_edges):
    S, W1, W2 = problem(exam.rng, 4)
    edges = exam.rng.integers(0, 4, (2, 25))  # 25 edges among 16 possible: some repeat
    expected = _by_edges(S, edges, W1, W2)
    exam.same(gnn_update_edges(S, edges, W1, W2), expected)
    exam.same(gnn_update_edges(S, edges[:, exam.rng.permutation(25)], W1, W2), expected)


@listed.item("no edges", 1, "Without edges, or without edges at the last node, nothing changes "
             "there.")
def _(exam, gnn_update_edges):
    S, W1, W2 = problem(exam.rng, 5)
    some = np.array([[4, 1], [0, 0]])  # no message to the last nodes
    exam.same(gnn_update_edges(S, some, W1, W2), _by_edges(S, some, W1, W2))
    exam.same(gnn_update_edges(S, np.zeros((2, 0), np.int64), W1, W2), S)


@listed.item("memory", 2, "No n x n matrix: 12,000 nodes and 18,000 edges in less than 40 MB.")
def _(exam, gnn_update_edges):
    n = 12000  # the floats of a dense matrix take 1152 MB, its booleans 144, all else below 4
    S, W1, W2 = problem(exam.rng, n)
    edges = exam.rng.integers(0, n, (2, 18000))
    found = exam.within(40, gnn_update_edges, S, edges, W1, W2)
    exam.same(found, _by_edges(S, edges, W1, W2))


@listed.item("arguments unchanged", 1, "S and edges must stay as they were.")
def _(exam, gnn_update_edges):
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


@listed.mistake("reversed", "edges[0] sends and edges[1] receives; here it is the other way round.")
def gnn_update_edges(S, edges, W1, W2):
    return reference.gnn_update_edges(S, edges[::-1], W1, W2)


@listed.mistake("dense", "This builds an n x n matrix; a list of edges needs none.",
                hidden_only="memory shows with thousands of nodes")
def gnn_update_edges(S, edges, W1, W2):
    A = np.zeros((len(S), len(S)))
    np.add.at(A, (edges[1], edges[0]), 1)
    return S + A @ np.tanh(S @ W2.T) / np.maximum(A.sum(axis=1, keepdims=True), 1) @ W1.T


@listed.mistake("unique_edges", "An edge that is listed twice counts twice; here it counts once.")
def gnn_update_edges(S, edges, W1, W2):
    return reference.gnn_update_edges(S, np.unique(edges, axis=1), W1, W2)


@listed.mistake("distinct_degree", "The divisor is the number of messages that arrived, repeated "
                "ones included.")
def gnn_update_edges(S, edges, W1, W2):
    degree = np.bincount(np.unique(edges, axis=1)[1], minlength=len(S))
    return S + _arrived(S, edges, W2) / np.maximum(degree, 1)[:, None] @ W1.T


@listed.mistake("out_degree", "Divide by the number of edges that arrive at a node, not by the "
                "number that leave it.")
def gnn_update_edges(S, edges, W1, W2):
    return S + _average(_arrived(S, edges, W2), edges[0]) @ W1.T


@listed.mistake("sum", "The messages are averaged: divide by the number that arrived.")
def gnn_update_edges(S, edges, W1, W2):
    return S + _arrived(S, edges, W2) @ W1.T


@listed.mistake("divide_by_E", "The mean is over the messages that arrive at the node, not all "
                "edges.")
def gnn_update_edges(S, edges, W1, W2):
    return S + _arrived(S, edges, W2) / max(edges.shape[1], 1) @ W1.T


@listed.mistake("both_ways", "A message goes one way only; here every edge is used in both.")
def gnn_update_edges(S, edges, W1, W2):
    return reference.gnn_update_edges(S, np.hstack([edges, edges[::-1]]), W1, W2)


@listed.mistake("no_residual", "The new state is the old one plus the message; the old is lost.")
def gnn_update_edges(S, edges, W1, W2):
    return _average(_arrived(S, edges, W2), edges[1]) @ W1.T


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
    messages, n = np.tanh(S[edges[0]] @ W2.T), len(S)  # (E, k)
    total = np.stack([np.bincount(edges[1], m, minlength=n) for m in messages.T], axis=1)
    degree = np.bincount(edges[1], minlength=n)
    return S + total / np.where(degree == 0, 1, degree)[:, None] @ W1.T
