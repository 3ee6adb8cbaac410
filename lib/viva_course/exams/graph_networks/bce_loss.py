"""Exam of `bce_loss`."""

import math

import numpy as np

from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise

loss = Exercise("bce_loss", "the mean over nodes of -[y log p + (1 - y) log(1 - p)], p the "
                "logistic function of the logit")

loss.values(2, "The mean cross-entropy of labels and logits, in nats.")


def _entropy(z, y):
    """Node by node, in ordinary numbers; for |z| below 30."""
    p = [1 / (1 + math.exp(-a)) for a in z]
    terms = [-(b * math.log(a) + (1 - b) * math.log(1 - a)) for a, b in zip(p, y, strict=True)]
    return sum(terms) / len(terms)


@loss.item(1, "The loss is positive, grows with a wrong logit and vanishes for confident right "
           "ones.")
def never_negative(exam, bce_loss):
    z = np.sort(exam.rng.normal(0, 3, 8))
    ones = [bce_loss(np.array([a]), np.array([1.0])) for a in z]
    zeros = [bce_loss(np.array([a]), np.array([0.0])) for a in z]
    exam.true(min(ones) > 0 and min(zeros) > 0, "a loss is not positive")
    exam.true((np.diff(ones) < 0).all() and (np.diff(zeros) > 0).all(),
              "a more wrong logit must cost more")
    exam.same(bce_loss(np.array([60.0, -60.0]), np.array([1.0, 0.0])), 0.0, atol=1e-12)
    exam.same(ones[3] - zeros[3], -float(z[3]), atol=1e-8)


@loss.item(1.5, "Logits of 1000 and -1000 give finite losses: 0 where they are right, 1000 where "
           "they are wrong.")
def large_logits(exam, bce_loss):
    big = float(exam.rng.uniform(800, 5000))
    z = np.array([big, -big, big, -big])
    exam.same(bce_loss(z, np.array([1.0, 0.0, 0.0, 1.0])), big / 2)
    exam.same(bce_loss(z[:2], np.array([1.0, 0.0])), 0.0, atol=1e-12)
    exam.same(bce_loss(z, np.full(4, 0.5)), big / 2)


@loss.item(1, "The mean over the nodes, whatever their number; labels between 0 and 1 are "
           "allowed.", name="mean, soft labels")
def mean_soft_labels(exam, bce_loss):
    for n in (1, 3, 11):
        z, y = exam.rng.normal(0, 2, n), exam.rng.uniform(0, 1, n)
        value = _entropy(z, y)
        exam.same(bce_loss(z, y), value)
        exam.same(bce_loss(np.tile(z, 3), np.tile(y, 3)), value)


loss.unmodified(0.5, "Logits and labels must stay as they were.")


loss.mistakes_of(bce_loss={
    "no_minus": ("Without the minus sign it is largest where the prediction is right.",
                 lambda logits, y: -reference.bce_loss(logits, y)),
    "sum": ("The loss is the mean over the nodes, not the sum.",
            lambda logits, y: reference.bce_loss(logits, y) * len(logits)),
    "only_positive": ("Nodes of class 0 count too: the (1 - y) term is missing.",
                      lambda logits, y: np.mean(y * np.logaddexp(0, -logits))),
    "only_negative": ("Nodes of class 1 count too: the y term is missing.",
                      lambda logits, y: np.mean((1 - y) * np.logaddexp(0, logits))),
    "base2": ("These are bits; the natural logarithm gives nats.",
              lambda logits, y: reference.bce_loss(logits, y) / np.log(2)),
    "classes_swapped": ("The logit is that of class 1; here it is taken for class 0.",
                        lambda logits, y: reference.bce_loss(-np.asarray(logits), y)),
    "label_added": ("The logit times the label is subtracted, not added: a large logit is cheap "
                    "where the label is 1.",
                    lambda logits, y: reference.bce_loss(logits, y) + 2 * np.mean(logits * y)),
    "rounded_labels": (
        "Labels between 0 and 1 are allowed: do not round or compare them.",
        lambda logits, y: np.mean(np.logaddexp(0, np.where(y > 0.5, -logits, logits)))),
    "squared": ("This is the squared error of the probability, not the cross-entropy.",
                lambda logits, y: np.mean((_sigmoid(logits) - y) ** 2)),
    "per_node": ("One number for all nodes is asked for: take the mean.",
                 lambda logits, y: np.logaddexp(0, logits) - logits * y),
    "clipped_logits": ("Clipping the logits caps the loss: a logit that is wrong by 1000 costs "
                       "1000.",
                       lambda logits, y: reference.bce_loss(np.clip(logits, -30, 30), y)),
    "label_is_one": (
        "Labels between 0 and 1 are allowed: do not round or compare them.",
        lambda logits, y: np.mean(np.logaddexp(0, np.where(np.asarray(y) == 1, -logits, logits)))),
})


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


@loss.mistake("probabilities", "The arguments are logits, not probabilities: apply the logistic "
              "function.")
def bce_loss(logits, y):
    with np.errstate(all="ignore"):
        return -np.mean(y * np.log(logits) + (1 - y) * np.log(1 - logits))


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
