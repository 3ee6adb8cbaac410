"""Exams of bce_loss and spread_labels."""

import math

import numpy as np

from viva.cases.graph_networks.labels import classes
from viva.kits.graph_networks import sbm
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise, unmodified

loss = Exercise(
    "bce_loss", points=10, reference=(reference.bce_loss,),
    expects="the mean over nodes of -[y log p + (1 - y) log(1 - p)], p the logistic function of "
            "the logit",
)

loss.values(4, "The mean cross-entropy of labels and logits, in nats.")


def _entropy(z, y):
    """Node by node, in ordinary numbers; for |z| below 30."""
    p = [1 / (1 + math.exp(-a)) for a in z]
    terms = [-(b * math.log(a) + (1 - b) * math.log(1 - a)) for a, b in zip(p, y, strict=True)]
    return sum(terms) / len(terms)


@loss.item("never negative", 2, "The loss is positive, grows with a wrong logit and vanishes for "
           "confident right ones.")
def _(exam, bce_loss):
    z = np.sort(exam.rng.normal(0, 3, 8))
    ones = [bce_loss(np.array([a]), np.array([1.0])) for a in z]
    zeros = [bce_loss(np.array([a]), np.array([0.0])) for a in z]
    exam.true(bool(min(ones) > 0 and min(zeros) > 0), "a loss is not positive")
    exam.true(bool((np.diff(ones) < 0).all() and (np.diff(zeros) > 0).all()),
              "a more wrong logit must cost more")
    exam.same(bce_loss(np.array([60.0, -60.0]), np.array([1.0, 0.0])), 0.0, atol=1e-12)
    exam.same(ones[3] - zeros[3], -float(z[3]), atol=1e-8)


@loss.item("large logits", 2, "Logits of 1000 and -1000 give finite losses: 0 where they are "
           "right, 1000 where they are wrong.")
def _(exam, bce_loss):
    big = float(exam.rng.uniform(800, 5000))
    z = np.array([big, -big, big, -big])
    exam.same(bce_loss(z, np.array([1.0, 0.0, 0.0, 1.0])), big / 2)
    exam.same(bce_loss(z[:2], np.array([1.0, 0.0])), 0.0, atol=1e-12)
    exam.same(bce_loss(z, np.full(4, 0.5)), big / 2)


@loss.item("mean, soft labels", 1.5, "The mean over the nodes, whatever their number; labels "
           "between 0 and 1 are allowed.")
def _(exam, bce_loss):
    for n in (1, 3, 11):
        z, y = exam.rng.normal(0, 2, n), exam.rng.uniform(0, 1, n)
        value = _entropy(z, y)
        exam.same(bce_loss(z, y), value)
        exam.same(bce_loss(np.tile(z, 3), np.tile(y, 3)), value)


loss.item("arguments unchanged", 0.5, "Logits and labels must stay as they were.")(unmodified)


@loss.mistake("no_minus", "Without the minus sign it is largest where the prediction is right.")
def bce_loss(logits, y):
    return -reference.bce_loss(logits, y)


def _sigmoid(z):
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-np.asarray(z, float)))


@loss.mistake("naive_log", "For large logits p rounds to 0 or 1 and its logarithm to infinity: "
              "simplify the formula in terms of the logit first.")
def bce_loss(logits, y):
    p = _sigmoid(logits)
    with np.errstate(all="ignore"):
        return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


@loss.mistake("overflow", "exp of a large logit is infinite: use the exponential of the negative "
              "absolute value.")
def bce_loss(logits, y):
    with np.errstate(all="ignore"):
        return np.mean(np.log1p(np.exp(logits)) - logits * y)


@loss.mistake("clipped", "Clipping p caps the loss: a logit that is wrong by 1000 costs 1000.")
def bce_loss(logits, y):
    p = np.clip(_sigmoid(logits), 1e-12, 1 - 1e-12)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


@loss.mistake("epsilon", "A constant inside the logarithm caps the loss and changes every value.")
def bce_loss(logits, y):
    p = _sigmoid(logits)
    return -np.mean(y * np.log(p + 1e-7) + (1 - y) * np.log(1 - p + 1e-7))


@loss.mistake("sum", "The loss is the mean over the nodes, not the sum.")
def bce_loss(logits, y):
    return reference.bce_loss(logits, y) * len(logits)


@loss.mistake("only_positive", "Nodes of class 0 count too: the (1 - y) term is missing.")
def bce_loss(logits, y):
    return np.mean(y * np.logaddexp(0, -logits))


@loss.mistake("only_negative", "Nodes of class 1 count too: the y term is missing.")
def bce_loss(logits, y):
    return np.mean((1 - y) * np.logaddexp(0, logits))


@loss.mistake("base2", "These are bits; the natural logarithm gives nats.")
def bce_loss(logits, y):
    return reference.bce_loss(logits, y) / np.log(2)


@loss.mistake("classes_swapped", "The logit is that of class 1; here it is taken for class 0.")
def bce_loss(logits, y):
    return reference.bce_loss(-np.asarray(logits), y)


@loss.mistake("probabilities", "The arguments are logits, not probabilities: apply the logistic "
              "function.")
def bce_loss(logits, y):
    with np.errstate(all="ignore"):
        return -np.mean(y * np.log(logits) + (1 - y) * np.log(1 - logits))


@loss.mistake("rounded_labels", "Labels between 0 and 1 are allowed: do not round or compare them.")
def bce_loss(logits, y):
    return np.mean(np.logaddexp(0, np.where(y > 0.5, -logits, logits)))


@loss.mistake("squared", "This is the squared error of the probability, not the cross-entropy.")
def bce_loss(logits, y):
    return np.mean((_sigmoid(logits) - y) ** 2)


@loss.mistake("per_node", "One number for all nodes is asked for: take the mean.")
def bce_loss(logits, y):
    return np.logaddexp(0, logits) - logits * y


@loss.mistake("in_place", "The logits belong to the caller: do not write into them.")
def bce_loss(logits, y):
    expected = reference.bce_loss(logits, y)
    np.negative(logits, out=logits, where=np.asarray(y) == 1)
    logits -= 1
    return expected


@loss.mistake("small_epsilon", "A constant inside the logarithm caps the loss and changes every "
              "value.")
def bce_loss(logits, y):
    p = _sigmoid(logits)
    return -np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))


@loss.mistake("clipped_logits", "Clipping the logits caps the loss: a logit that is wrong by 1000 "
              "costs 1000.")
def bce_loss(logits, y):
    return reference.bce_loss(np.clip(logits, -30, 30), y)


@loss.mistake("label_is_one", "Labels between 0 and 1 are allowed: do not round or compare them.")
def bce_loss(logits, y):
    return np.mean(np.logaddexp(0, np.where(np.asarray(y) == 1, -logits, logits)))


@loss.variant("logaddexp")
def bce_loss(logits, y):
    return float(np.mean(np.logaddexp(0, logits) - y * logits))


@loss.variant("two log-sigmoids")
def bce_loss(logits, y):
    total = 0.0
    for z, label in zip(logits, y, strict=True):
        tail = math.log1p(math.exp(-abs(z)))
        total += label * (max(-z, 0) + tail) + (1 - label) * (max(z, 0) + tail)
    return total / len(logits)


# ---- spread_labels

spread = Exercise(
    "spread_labels", points=10, reference=(reference.spread_labels,),
    expects="a class (0 or 1) for every node: 1 where the spread label is positive",
)

spread.values(4, "Start at the labels, average over neighbours and add the labels, step by step.")


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


@spread.item("two communities", 2.5, "Ten graphs of two blocks with two labels each: on average "
             "nine of ten nodes are right.")
def _(exam, spread_labels):
    right = []
    for _ in range(10):
        A, y = sbm(100, 0.2, 0.02, int(exam.rng.integers(2**31)))
        order = exam.rng.permutation(100)
        A, y = A[np.ix_(order, order)], y[order]
        seeds = np.concatenate([np.flatnonzero(y == c)[:2] for c in (0, 1)])
        hidden = np.where(np.isin(np.arange(100), seeds), y, 1 - y)  # misleading elsewhere
        right.append((classes(spread_labels(A, hidden, seeds)) == y).mean())
    exam.true(bool(np.mean(right) > 0.9), f"only {np.mean(right):.0%} are right on average")


@spread.item("labels of others unread", 2, "y is read at the seeds only: what stands elsewhere "
             "changes nothing.")
def _(exam, spread_labels):
    A, y = sbm(40, 0.3, 0.05, int(exam.rng.integers(2**31)))
    seeds = np.array([3, 30])
    sure = np.abs(_evidence(A, y, seeds, 10)) > 1e-9
    expected = (_evidence(A, y, seeds, 10) > 0)[sure].astype(float)
    for _ in range(3):
        other = exam.rng.integers(0, 2, 40)
        other[seeds] = y[seeds]
        exam.same(classes(spread_labels(A, other, seeds))[sure], expected)


@spread.item("any number of steps", 1, "x begins at the labels and makes exactly `steps` steps.")
def _(exam, spread_labels):
    for steps in (0, 1, 2, 5, 25):
        A, y = sbm(30, 0.25, 0.1, int(exam.rng.integers(2**31)))
        seeds = exam.rng.choice(30, 5, replace=False)
        y = exam.rng.integers(0, 2, 30)
        x = _evidence(A, y, seeds, steps)
        unreached = _evidence(A, np.ones(30), seeds, steps) == 0  # sums of positive numbers
        sure = (np.abs(x) > 1e-9) | unreached
        exam.same(classes(spread_labels(A, y, seeds, steps=steps))[sure],
                  (x > 0)[sure].astype(float))


spread.item("arguments unchanged", 0.5, "A, y and seeds must stay as they were.")(unmodified)


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


@spread.mistake("uses_all_labels", "The labels of all nodes are used; only those at the seeds are "
                "known.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, 2.0 * np.asarray(y) - 1, steps)


@spread.mistake("no_edges", "The graph is not used: labels never reach the other nodes.")
def spread_labels(A, y, seeds, steps=10):
    return (_start(len(A), y, seeds) > 0).astype(int)


@spread.mistake("one_step", "One step is made, whatever `steps` says: distant nodes stay at 0.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, _start(len(A), y, seeds), min(steps, 1))


@spread.mistake("sign", "The classes are exchanged: class 1 starts with +1.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, -_start(len(A), y, seeds), steps)


@spread.mistake("zero_for_class_0", "A node of class 0 must start with -1; with 0 it says nothing.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, np.maximum(_start(len(A), y, seeds), 0), steps)


@spread.mistake("labels_forgotten", "The labels are added in every step, not only at the start.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, _start(len(A), y, seeds), steps, again=0.0)


@spread.mistake("sum", "The neighbours are averaged: divide by the degree.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, _start(len(A), y, seeds), steps, degree=1.0)


@spread.mistake("sender_degree", "A receiver divides by its own degree, not by the sender's.")
def spread_labels(A, y, seeds, steps=10):
    degree = np.maximum(A.sum(axis=1), 1)
    return _spread(A / degree, _start(len(A), y, seeds), steps, degree=1.0)


@spread.mistake("starts_at_zero", "x begins at the labels; from zero one step is lost.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, _start(len(A), y, seeds), steps - 1) if steps else np.zeros(len(A), int)


@spread.mistake("one_step_more", "Exactly `steps` steps are made; here it is one more.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, _start(len(A), y, seeds), steps + 1)


@spread.mistake("keeps_itself", "The old x of a node is not added again: only its label and its "
                "neighbours count.")
def spread_labels(A, y, seeds, steps=10):
    return _spread(A, _start(len(A), y, seeds), steps, own=1.0)


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


@spread.mistake("plus_minus", "The classes are 0 and 1; these are signs.")
def spread_labels(A, y, seeds, steps=10):
    return 2 * reference.spread_labels(A, y, seeds, steps) - 1


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
