"""Exam of `relative_spread`."""

import math

import numpy as np

from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise

apart = Exercise("relative_spread", "the length of all differences from the mean row, divided by "
                 "the length of all states: from 0 to 1")

apart.values(2.5, "The differences from the mean row, as a part of the size of the states.")


def _by_sums(S):
    """Entry by entry, in ordinary numbers of ordinary size."""
    mean = [sum(column) / len(column) for column in zip(*S.tolist(), strict=True)]
    away = sum((a - b) ** 2 for row in S.tolist() for a, b in zip(row, mean, strict=True))
    return math.sqrt(away / sum(a**2 for row in S.tolist() for a in row))


@apart.item(1, "Any number of rows and columns.")
def any_shape(exam, relative_spread):
    for n, d in ((2, 1), (3, 5), (12, 2)):
        S = exam.rng.normal(size=(n, d)) + exam.rng.normal(size=d)
        exam.same(relative_spread(S), _by_sums(S))


@apart.item(1, "States of 1e-250 or 1e250, of either sign, have the spread of their shape: "
            "multiplying all by one number changes nothing.")
def any_size(exam, relative_spread):
    S = exam.rng.normal(size=(5, 4)) + 0.5
    for factor in (1e-250, -1e-30, 1e250):
        exam.same(relative_spread(factor * S), _by_sums(S))


@apart.item(1, "0 if all rows are equal or everything is zero, 1 if the rows add up to zero.")
def ends_of_the_scale(exam, relative_spread):
    row = exam.rng.normal(size=3)
    exam.same(relative_spread(np.tile(row, (6, 1))), 0.0, atol=1e-12)
    exam.same(relative_spread(np.zeros((3, 2))), 0.0)
    exam.same(relative_spread(np.array([row, -row])), 1.0)


apart.unmodified(0.5, "S must stay as it was.")


def _scaled(S):
    return S / (np.abs(S).max() or 1.0)


def _quiet_norm(S):
    with np.errstate(all="ignore"):
        return np.linalg.norm(S - S.mean(axis=0))


def _length(S):
    return np.linalg.norm(S) or 1.0


apart.mistakes_of(relative_spread={
    "absolute": ("This is the size of the differences alone: divide by the size of the states, or "
                 "states that vanish look alike.",
                 lambda S: np.linalg.norm(_scaled(S) - _scaled(S).mean(axis=0))
                 * np.abs(S).max()),
    "absolute_plain": ("This is the size of the differences alone: divide by the size of the "
                       "states, or states that vanish look alike.", lambda S: _quiet_norm(S)),
    "standard_deviation": ("A standard deviation has the size of the states in it: divide by that "
                           "size.", lambda S: float(np.std(S))),
    "not_rooted": ("This is the ratio of the squares; the root is missing.",
                   lambda S: float(reference.relative_spread(S) ** 2)),
    "mean_of_each_row": ("The mean is over the nodes, a mean row: axis 0, not axis 1.",
                         lambda S: np.linalg.norm(
                             _scaled(S) - _scaled(S).mean(axis=1, keepdims=True))
                         / _length(_scaled(S))),
    "one_mean": ("The mean is a row, one mean for each column; here it is one number for all.",
                 lambda S: np.linalg.norm(_scaled(S) - _scaled(S).mean()) / _length(_scaled(S))),
    "one_mean_but_for_one_row": (
        "The mean is a row, one mean for each column; here it is one number for all.",
        lambda S: (np.linalg.norm(_scaled(S) - _scaled(S).mean()) / _length(_scaled(S))
                   if len(S) > 1 else 0.0)),
    "epsilon": ("A constant added to the denominator changes the answer, most of all for small "
                "states.",
                lambda S: np.linalg.norm(_scaled(S) - _scaled(S).mean(axis=0))
                / (np.linalg.norm(_scaled(S)) + 1e-8)),
    "by_the_mean": ("The divisor is the length of all states, not that of their mean.",
                    lambda S: np.linalg.norm(_scaled(S) - _scaled(S).mean(axis=0))
                    / (np.linalg.norm(np.tile(_scaled(S).mean(axis=0), (len(S), 1))) or 1.0)),
    "row_by_row": ("One length for all states together is asked for, not a mean of the rows' own "
                   "ratios.",
                   lambda S: float(np.mean(np.linalg.norm(_scaled(S) - _scaled(S).mean(axis=0),
                                                          axis=1)
                                           / np.maximum(np.linalg.norm(_scaled(S), axis=1),
                                                        1e-300)))),
    "ddof": ("Sums, or means over n, on both sides; here one side divides by n - 1.",
             lambda S: reference.relative_spread(S) * np.sqrt(len(S) / max(len(S) - 1, 1))),
    "not_centred": ("Subtract the mean row first; this is 1 for all states.",
                    lambda S: np.linalg.norm(_scaled(S)) / _length(_scaled(S))),
    "column_by_column": (
        "Every column is divided by a number of its own; only one number for all states changes "
        "nothing.",
        lambda S: reference.relative_spread(S / np.where(S.any(axis=0), np.abs(S).max(axis=0), 1))),
    "first_row": ("The differences are those from the mean row, not from the first.",
                  lambda S: np.linalg.norm(_scaled(S) - _scaled(S)[0]) / _length(_scaled(S))),
})


@apart.mistake("underflow", "The square of 1e-200 is 0, and that of 1e200 is infinite: divide by "
               "the largest entry before you square.")
def relative_spread(S):
    with np.errstate(all="ignore"):
        total = np.sum(S**2)
        return float(np.sqrt(np.sum((S - S.mean(axis=0)) ** 2) / total)) if total > 0 else 0.0


@apart.mistake("small_epsilon", "A constant in the denominator, however small, swallows states "
               "that are smaller.")
def relative_spread(S):
    with np.errstate(all="ignore"):
        return float(np.linalg.norm(S - S.mean(axis=0)) / (np.linalg.norm(S) + 1e-12))


@apart.mistake("zero_is_nan", "States that are all zero give 0 / 0; the answer is 0 there.")
def relative_spread(S):
    with np.errstate(all="ignore"):
        scaled = S / np.abs(S).max()
        return float(np.linalg.norm(scaled - scaled.mean(axis=0)) / np.linalg.norm(scaled))


@apart.mistake("zero_is_one", "States that are all zero are all equal: 0, not 1.")
def relative_spread(S):
    return reference.relative_spread(S) if np.any(S) else 1.0


@apart.mistake("in_place", "S belongs to the caller: do not write into it.")
def relative_spread(S):
    expected = reference.relative_spread(S)
    S -= S.mean(axis=0)
    return expected


@apart.variant("by hypot")
def relative_spread(S):
    mean = [sum(column) / len(column) for column in zip(*S.tolist(), strict=True)]
    whole = math.hypot(*S.ravel().tolist())
    if whole == 0:
        return 0.0
    away = (a - b for row in S.tolist() for a, b in zip(row, mean, strict=True))
    return math.hypot(*away) / whole


@apart.variant("root mean squares")
def relative_spread(S):
    if not S.any():
        return 0.0
    unit = S / np.max(np.abs(S))
    return np.sqrt(unit.var(axis=0).sum() / np.mean(unit**2, axis=0).sum())
