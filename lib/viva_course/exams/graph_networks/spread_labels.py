"""Exam of `spread_labels`."""

import numpy as np

from viva.cases.graph_networks.spread_labels import classes
from viva.kits.graph_networks import sbm
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise

spread = Exercise("spread_labels", "a class (0 or 1) for every node: 1 where the spread label is "
                  "positive")

spread.values(2, "Start at the labels, average over neighbours and add the labels, step by step.")


def _evidence(A, y, seeds, steps):
    """x after the steps, node by node."""
    s = [0.0] * len(A)
    for node in seeds:
        s[node] = 1.0 if y[node] else -1.0
    x = list(s)
    for _ in range(steps):
        x = [s[i] + sum(x[j] for j in np.flatnonzero(A[i])) / max(np.count_nonzero(A[i]), 1)
             for i in range(len(A))]
    return np.array(x)


@spread.item(1.5, "Ten graphs of two blocks with two labels each: on average nine of ten nodes are "
             "right.")
def two_communities(exam, spread_labels):
    right = []
    for _ in range(10):
        A, y = sbm(100, 0.2, 0.02, int(exam.rng.integers(2**31)))
        order = exam.rng.permutation(100)
        A, y = A[np.ix_(order, order)], y[order]
        seeds = np.concatenate([np.flatnonzero(y == c)[:2] for c in (0, 1)])
        hidden = np.where(np.isin(np.arange(100), seeds), y, 1 - y)  # misleading elsewhere
        right.append((classes(spread_labels(A, hidden, seeds)) == y).mean())
    exam.true(np.mean(right) > 0.9, f"only {np.mean(right):.0%} are right on average")


@spread.item(1, "y is read at the seeds only: what stands elsewhere changes nothing.")
def labels_of_others_unread(exam, spread_labels):
    A, y = sbm(40, 0.3, 0.05, int(exam.rng.integers(2**31)))
    seeds = np.array([3, 30])
    sure = np.abs(_evidence(A, y, seeds, 10)) > 1e-9
    expected = (_evidence(A, y, seeds, 10) > 0)[sure].astype(float)
    for _ in range(3):
        other = exam.rng.integers(0, 2, 40)
        other[seeds] = y[seeds]
        exam.same(classes(spread_labels(A, other, seeds))[sure], expected)


@spread.item(1, "x begins at the labels and makes exactly `steps` steps.")
def any_number_of_steps(exam, spread_labels):
    for steps in (0, 1, 2, 5, 25):
        A, y = sbm(30, 0.25, 0.1, int(exam.rng.integers(2**31)))
        seeds = exam.rng.choice(30, 5, replace=False)
        y = exam.rng.integers(0, 2, 30)
        x = _evidence(A, y, seeds, steps)
        unreached = _evidence(A, np.ones(30), seeds, steps) == 0  # sums of positive numbers
        sure = (np.abs(x) > 1e-9) | unreached
        exam.same(classes(spread_labels(A, y, seeds, steps=steps))[sure],
                  (x > 0)[sure].astype(float))


spread.unmodified(0.5, "A, y and seeds must stay as they were.")


def _spread(A, start, steps, degree=None, again=None, own=0.0):
    degree = np.maximum(A.sum(axis=1), 1) if degree is None else degree
    again, x = start if again is None else again, start
    for _ in range(steps):
        x = again + own * x + A @ x / degree
    return (x > 0).astype(int)


def _start(n, y, seeds):
    s = np.zeros(n)
    s[seeds] = 2 * np.asarray(y)[seeds] - 1
    return s


spread.mistakes_of(spread_labels={
    "uses_all_labels": ("The labels of all nodes are used; only those at the seeds are known.",
                        lambda A, y, seeds, steps=10: _spread(A, 2.0 * np.asarray(y) - 1, steps)),
    "no_edges": ("The graph is not used: labels never reach the other nodes.",
                 lambda A, y, seeds, steps=10: (_start(len(A), y, seeds) > 0).astype(int)),
    "one_step": ("One step is made, whatever `steps` says: distant nodes stay at 0.",
                 lambda A, y, seeds, steps=10: _spread(A, _start(len(A), y, seeds), min(steps, 1))),
    "sign": ("The classes are exchanged: class 1 starts with +1.",
             lambda A, y, seeds, steps=10: _spread(A, -_start(len(A), y, seeds), steps)),
    "zero_for_class_0": (
        "A node of class 0 must start with -1; with 0 it says nothing.",
        lambda A, y, seeds, steps=10: _spread(A, np.maximum(_start(len(A), y, seeds), 0), steps)),
    "labels_forgotten": (
        "The labels are added in every step, not only at the start.",
        lambda A, y, seeds, steps=10: _spread(A, _start(len(A), y, seeds), steps, again=0.0)),
    "sum": ("The neighbours are averaged: divide by the degree.",
            lambda A, y, seeds, steps=10: _spread(A, _start(len(A), y, seeds), steps, degree=1.0)),
    "starts_at_zero": (
        "x begins at the labels; from zero one step is lost.",
        lambda A, y, seeds, steps=10: (
            _spread(A, _start(len(A), y, seeds), steps - 1) if steps else np.zeros(len(A), int))),
    "one_step_more": (
        "Exactly `steps` steps are made; here it is one more.",
        lambda A, y, seeds, steps=10: _spread(A, _start(len(A), y, seeds), steps + 1)),
    "keeps_itself": (
        "The old x of a node is not added again: only its label and its neighbours count.",
        lambda A, y, seeds, steps=10: _spread(A, _start(len(A), y, seeds), steps, own=1.0)),
    "damped": (
        "What comes from the neighbours counts in full: here it is damped by a factor.",
        lambda A, y, seeds, steps=10: _spread(
            A, _start(len(A), y, seeds), steps, degree=2 * np.maximum(A.sum(axis=1), 1))),
    "halves": (
        "The label and what comes from the neighbours count in full: here each counts one half.",
        lambda A, y, seeds, steps=10: _spread(
            A, _start(len(A), y, seeds), steps, degree=2 * np.maximum(A.sum(axis=1), 1),
            again=_start(len(A), y, seeds) / 2)),
    "adds_to_itself": (
        "The neighbours' mean is added to the label, not to what the node held before.",
        lambda A, y, seeds, steps=10: _spread(
            A, _start(len(A), y, seeds), steps, again=0.0, own=1.0)),
    "self_loop": (
        "A node is not its own neighbour: the mean is over the others only.",
        lambda A, y, seeds, steps=10: _spread(A + np.eye(len(A)), _start(len(A), y, seeds), steps,
                                              degree=A.sum(axis=1) + 1)),
    "zero_one_half": (
        "A node of class 0 must start with -1; with 0 it says nothing, and a threshold of one half "
        "does not repair it.",
        lambda A, y, seeds, steps=10: _zero_one(A, y, seeds, steps)),
    "plus_minus": (
        "The classes are 0 and 1; these are signs.",
        lambda A, y, seeds, steps=10: 2 * reference.spread_labels(A, y, seeds, steps) - 1),
})


def _zero_one(A, y, seeds, steps):
    b = np.maximum(_start(len(A), y, seeds), 0)
    x = b
    for _ in range(steps):
        x = b + A @ x / np.maximum(A.sum(axis=1), 1)
    return (x > 0.5).astype(int)


@spread.mistake("clamped", "A labelled node adds what its neighbours say to its own label; here "
                "its value is fixed at the label.")
def spread_labels(A, y, seeds, steps=10):
    b, degree = _start(len(A), y, seeds), np.maximum(A.sum(axis=1), 1)
    x = b.copy()
    for _ in range(steps):
        x = A @ x / degree
        x[seeds] = b[seeds]
    return (x > 0).astype(int)


@spread.mistake("signs_only", "x is a number and its size counts: do not replace it by its sign "
                "in every step.")
def spread_labels(A, y, seeds, steps=10):
    b, degree = _start(len(A), y, seeds), np.maximum(A.sum(axis=1), 1)
    x = b
    for _ in range(steps):
        x = np.sign(b + A @ x / degree)
    return (x > 0).astype(int)


@spread.mistake("sender_degree", "A receiver divides by its own degree, not by the sender's.")
def spread_labels(A, y, seeds, steps=10):
    degree = np.maximum(A.sum(axis=1), 1)
    return _spread(A / degree, _start(len(A), y, seeds), steps, degree=1.0)


@spread.mistake("ties_to_one", "A node that nothing has reached has x = 0 and belongs to class 0.")
def spread_labels(A, y, seeds, steps=10):
    s, degree = _start(len(A), y, seeds), np.maximum(A.sum(axis=1), 1)
    x = s
    for _ in range(steps):
        x = s + A @ x / degree
    return (x >= 0).astype(int)


@spread.mistake("nan_isolated", "A node without neighbours divides 0 by 0 and loses its own label.")
def spread_labels(A, y, seeds, steps=10):
    s, x = _start(len(A), y, seeds), _start(len(A), y, seeds)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            x = s + np.nan_to_num(A / A.sum(axis=1, keepdims=True), nan=np.nan) @ np.nan_to_num(x)
        return (x > 0).astype(int)


@spread.mistake("in_place", "y belongs to the caller: do not write predictions into it.")
def spread_labels(A, y, seeds, steps=10):
    y[:] = reference.spread_labels(A, y, seeds, steps)
    return y.copy()


@spread.variant("booleans, a matrix of shares")
def spread_labels(A, y, seeds, steps=10):
    shares = np.divide(A, A.sum(axis=1, keepdims=True), out=np.zeros_like(A), where=A > 0)
    s = np.zeros(len(A))
    for node in seeds:
        s[node] = 1 if y[node] == 1 else -1
    x = s.copy()
    for _ in range(steps):
        x = s + shares @ x
    return x > 0


@spread.variant("node by node")
def spread_labels(A, y, seeds, steps=10):
    return (_evidence(A, y, list(seeds), steps) > 0).astype(float)
