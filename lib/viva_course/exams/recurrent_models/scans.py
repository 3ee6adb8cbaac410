"""Exam of `linear_scan`."""

import math

import numpy as np

from viva.cases.recurrent_models.scans import chain, fewest
from viva_course.reference import recurrent_models as reference
from viva_course.reference.recurrent_models.scans import join_steps
from viva_course.rubric import Exercise

scan = Exercise(
    "linear_scan", expects="h_t = a_t h_{t-1} + b_t along axis 0, with h = 0 before the first "
    "step; every join by combine(older pair, newer pair)",
    survivors={"linear_scan: while shift < len(a): -> while shift <= len(a):":
               "a shift by the whole length changes nothing"},
)

scan.values(2, "h_t = a_t h_{t-1} + b_t, for every length.",
            only=("by_hand_scan", "many_lengths"), name="recurrence")
scan.values(0.5, "Zeros and tiny values in a are allowed: nothing is divided by them.",
            only=("zeros_in_a",), name="zeros")
scan.values(0.5, "Axis 0 is time; any axes may follow.", only=("three_axes",), name="axes")
scan.values(0.5, "Whatever combine is given joins the steps, the older pair first.",
            only=("another_combine",), name="given combine")


@scan.item(1.5, "No state waits for more than 2 ceil(log2 T) + 1 joins, one after the other, and "
           "every join is made by combine.")
def depth(exam, linear_scan):
    for T in (2, 3, 17, 64, 200):
        a, b = exam.rng.uniform(-1, 1, size=(T, 2)), exam.rng.normal(size=(T, 2))
        exam.same(linear_scan(a, b, combine=join_steps), reference.linear_scan(a, b))
        waits, most = linear_scan(np.zeros(T), np.zeros(T), combine=chain), 2 * math.ceil(
            math.log2(T)) + 1
        exam.true(np.shape(waits) == (T,), "one number for each step")
        exam.true(bool(np.max(waits) <= most),
                  f"T = {T}: a state waits for more than {most} joins, one after the other")
        exam.true(bool(np.all(waits >= fewest(T))), f"T = {T}: not every join is made by combine")


@scan.item(0.5, "50,000 steps.")
def long(exam, linear_scan):
    T = 50_000
    a, b = exam.rng.uniform(0.9, 1.0, size=T), exam.rng.normal(size=T)
    found, h = linear_scan(a, b), 0.0
    expected = np.empty(T)
    for t, (a_t, b_t) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        h = a_t * h + b_t
        expected[t] = h
    exam.same(found, expected, rtol=1e-8, atol=1e-8)


@scan.item(0.5, "a and b of two shapes raise ValueError.")
def shapes(exam, linear_scan):
    a = exam.rng.normal(size=(5, 2))
    exam.same(linear_scan(a, np.ones((5, 2))), reference.linear_scan(a, np.ones((5, 2))))
    exam.raises(ValueError, linear_scan, a, np.ones((5, 1)))
    exam.raises(ValueError, linear_scan, a[:, :1], np.ones((5, 2)))
    exam.raises(ValueError, linear_scan, a[:, 0], np.ones((5, 2)))
    exam.raises(ValueError, linear_scan, a, np.ones((4, 2)))


scan.unmodified(1, "a and b must stay as they were.")


def refuse(a, b):
    if np.shape(a) != np.shape(b):
        raise ValueError


def joined_by(join):
    """The right scan, with another join for its default."""
    return lambda a, b, combine=join: reference.linear_scan(a, b, combine)


def rounds(a, b, combine, more=lambda shift, T: shift < T, keeps_a=False):
    """Doubling, as long as `more` says; keeps_a: always with the first a."""
    refuse(a, b)
    pair, shift = (np.array(a, float), np.array(b, float)), 1
    while more(shift, len(a)):
        joined = combine(tuple(x[:-shift] for x in pair), tuple(x[shift:] for x in pair))
        made = tuple(np.concatenate([x[:shift], y]) for x, y in zip(pair, joined, strict=True))
        pair, shift = (pair[0], made[1]) if keeps_a else made, 2 * shift
    return pair[1]


CHAIN = ("This waits for one join after the other: let every position join with the one 1, 2, 4, "
         "... places before it, all at once.")
OWN = "Every join is made by the combine that is given; this computes a h + b by itself."


@scan.mistake("cumprod", "Dividing by the running product fails where it is zero or tiny.")
def linear_scan(a, b, combine=join_steps):
    refuse(a, b)
    with np.errstate(all="ignore"):
        running = np.cumprod(np.concatenate([np.ones_like(a[:1]), a[1:]]), axis=0)
        return running * np.cumsum(b / running, axis=0)


@scan.mistake("cumprod_of_all", "Dividing by the running product fails where it is zero or tiny.")
def linear_scan(a, b, combine=join_steps):
    refuse(a, b)
    with np.errstate(all="ignore"):
        running = np.cumprod(a, axis=0)
        return running * np.cumsum(b / running, axis=0)


scan.mistakes_of(linear_scan={
    "constant_a": (
        "a changes from step to step: use a_t, not the first one.",
        lambda a, b, combine=join_steps: refuse(a, b) or reference.linear_scan(
            np.broadcast_to(a[:1], np.shape(a)), b, combine)),
    "a_of_the_step_before": (
        "h_{t-1} is multiplied by a_t, not by a_{t-1}.",
        lambda a, b, combine=join_steps: refuse(a, b) or reference.linear_scan(
            np.concatenate([a[:1], a[:-1]]), b, combine)),
    "cumulative_sum": ("This is a plain running sum: a is missing.",
                       lambda a, b, combine=join_steps: refuse(a, b) or np.cumsum(b, axis=0)),
    "last_state_only": ("All T states are asked for, not the last one.",
                        lambda a, b, combine=join_steps: (
                            reference.linear_scan(a, b, combine)[-1])),
    "product_returned": ("This is the running product of a: the states are the second entry of the "
                         "pair.",
                         lambda a, b, combine=join_steps: refuse(a, b) or np.cumprod(a, axis=0)),
    "aliasing": ("b must be updated with the old a: here a is updated first.",
                 joined_by(lambda old, new: (new[0] * old[0], new[0] * old[0] * old[1] + new[1]))),
    "a_not_updated": ("After each doubling a must become the product of both halves.",
                      joined_by(lambda old, new: (new[0], new[0] * old[1] + new[1]))),
    "a_of_the_start": ("After each doubling a must become the product of both halves.",
                       lambda a, b, combine=join_steps: rounds(a, b, combine, keeps_a=True)),
    "first_a_counts": (
        "The state before the first step is zero: a_0 multiplies nothing.",
        lambda a, b, combine=join_steps: refuse(a, b) or reference.linear_scan(
            a, np.concatenate([a[:1] * b[:1], b[1:]]), combine)),
    "starts_at_b": (
        "The state before the first step is zero, not b_0: a_0 multiplies nothing.",
        lambda a, b, combine=join_steps: refuse(a, b) or reference.linear_scan(
            a, np.concatenate([a[:1] * b[:1] + b[:1], b[1:]]), combine)),
    "join_turned": ("The older map is done first: the newer one acts on its result.",
                    joined_by(lambda old, new: (new[0] * old[0], old[0] * new[1] + old[1]))),
    "newer_first": ("combine takes the older pair first, then the newer one.",
                    lambda a, b, combine=join_steps: reference.linear_scan(
                        a, b, (lambda old, new: combine(new, old)) if combine is not join_steps
                        else combine)),
    "stops_early": ("The doubling stops too early: go on while the shift is below T.",
                    lambda a, b, combine=join_steps: rounds(
                        a, b, combine, lambda shift, T: 2 * shift < T)),
    "stops_at_half": ("The doubling stops too early: go on while the shift is below T.",
                      lambda a, b, combine=join_steps: rounds(
                          a, b, combine, lambda shift, T: 2 * shift <= T)),
    "one_step": ("One pass joins neighbours only: double the distance and go on.",
                 lambda a, b, combine=join_steps: rounds(
                     a, b, combine, lambda shift, T: shift < min(T, 2))),
})


@scan.mistake("shift", "h_t includes b_t: this is the state before step t.")
def linear_scan(a, b, combine=join_steps):
    refuse(a, b)
    return np.concatenate([np.zeros_like(b[:1]), reference.linear_scan(a, b, combine)[:-1]])


@scan.mistake("own_join", OWN)
def linear_scan(a, b, combine=join_steps):
    return reference.linear_scan(a, b)


@scan.mistake("loop_without_combine", OWN)
def linear_scan(a, b, combine=join_steps):
    refuse(a, b)
    h = np.array(b, float)
    for t in range(1, len(h)):
        h[t] += a[t] * h[t - 1]
    return h


@scan.mistake("one_join_after_the_other", CHAIN)
def linear_scan(a, b, combine=join_steps):
    refuse(a, b)
    pairs = [(a[0], b[0])]
    for t in range(1, len(a)):
        pairs.append(combine(pairs[-1], (a[t], b[t])))
    return np.array([pair[1] for pair in pairs])


@scan.mistake("last_axis", "Time is the first axis, not the last.")
def linear_scan(a, b, combine=join_steps):
    refuse(a, b)
    return np.moveaxis(reference.linear_scan(
        np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0), combine), 0, -1)


@scan.mistake("starts_at_one", "The state before the first step is zero: a_0 multiplies nothing.")
def linear_scan(a, b, combine=join_steps):
    refuse(a, b)
    start = b.copy()
    start[0] += a[0]
    return reference.linear_scan(a, start, combine)


@scan.mistake("broadcasts", "a and b of two shapes raise ValueError; nothing is broadcast.")
def linear_scan(a, b, combine=join_steps):
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    return reference.linear_scan(np.broadcast_to(a, shape), np.broadcast_to(b, shape), combine)


@scan.mistake("b_broadcasts", "a and b of two shapes raise ValueError; nothing is broadcast.")
def linear_scan(a, b, combine=join_steps):
    return reference.linear_scan(a, np.broadcast_to(b, np.shape(a)), combine)


@scan.mistake("in_place", "a and b belong to the caller: work on copies.")
def linear_scan(a, b, combine=join_steps):
    b[:] = reference.linear_scan(a, b, combine)
    return b


@scan.mistake("in_place_a", "a and b belong to the caller: work on copies.")
def linear_scan(a, b, combine=join_steps):
    h = reference.linear_scan(a, b, combine)
    a[1:] *= a[:-1]
    return h


@scan.variant("halves, recursively")
def linear_scan(a, b, combine=join_steps):
    if np.shape(a) != np.shape(b):
        raise ValueError("shapes")

    def both(a, b):
        if len(a) == 1:
            return a, b
        m = len(a) // 2
        (a1, b1), (a2, b2) = both(a[:m], b[:m]), both(a[m:], b[m:])
        more = combine((a1[-1:], b1[-1:]), (a2, b2))
        return np.concatenate([a1, more[0]]), np.concatenate([b1, more[1]])

    return both(np.asarray(a, float), np.asarray(b, float))[1]


@scan.variant("pairs of neighbours, then the scan of half the length")
def linear_scan(a, b, combine=join_steps):
    if a.shape != b.shape:
        raise ValueError("shapes")

    def scanned(a, b):
        if len(a) == 1:
            return a, b
        half = len(a) // 2
        odd = scanned(*combine((a[0 : 2 * half : 2], b[0 : 2 * half : 2]), (a[1::2], b[1::2])))
        found = np.array(a, float), np.array(b, float)
        for all_, some in zip(found, odd, strict=True):
            all_[1::2] = some
        rest = len(a[2::2])
        if rest:
            even = combine(tuple(each[:rest] for each in odd), (a[2::2], b[2::2]))
            for all_, some in zip(found, even, strict=True):
                all_[2::2] = some
        return found

    return scanned(a, b)[1]
