"""Exam of `linear_scan`."""

import numpy as np

from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

scan = Exercise(
    "linear_scan", expects="h_t = a_t h_{t-1} + b_t along axis 0, with h = 0 before the first step",
    survivors={"linear_scan: while shift < len(a): -> while shift <= len(a):":
               "a shift by the whole length changes nothing"},
)

scan.values(2.5, "h_t = a_t h_{t-1} + b_t, for every length.",
            only=("by_hand_scan", "many_lengths"), name="recurrence")
scan.values(1.5, "Zeros and tiny values in a are allowed: nothing is divided by them.",
            only=("zeros_in_a",), name="zeros")
scan.values(0.5, "Axis 0 is time; any axes may follow.", only=("three_axes",), name="axes")


@scan.item(1, "50,000 steps.")
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


@scan.mistake("cumprod", "Dividing by the running product fails where it is zero or tiny.")
def linear_scan(a, b):
    refuse(a, b)
    with np.errstate(all="ignore"):
        running = np.cumprod(np.concatenate([np.ones_like(a[:1]), a[1:]]), axis=0)
        return running * np.cumsum(b / running, axis=0)


scan.mistakes_of(linear_scan={
    "constant_a": (
        "a changes from step to step: use a_t, not the first one.",
        lambda a, b: refuse(a, b) or reference.linear_scan(np.broadcast_to(a[:1], np.shape(a)), b)),
    "a_of_the_step_before": (
        "h_{t-1} is multiplied by a_t, not by a_{t-1}.",
        lambda a, b: refuse(a, b) or reference.linear_scan(np.concatenate([a[:1], a[:-1]]), b)),
    "cumulative_sum": ("This is a plain running sum: a is missing.",
                       lambda a, b: refuse(a, b) or np.cumsum(b, axis=0)),
    "last_state_only": ("All T states are asked for, not the last one.",
                        lambda a, b: reference.linear_scan(a, b)[-1]),
})


@scan.mistake("aliasing", "b must be updated with the old a: here a is updated first.")
def linear_scan(a, b):
    refuse(a, b)
    a, b, shift = a.copy(), b.copy(), 1
    while shift < len(a):
        a[shift:] = a[shift:] * a[:-shift]
        b[shift:] = a[shift:] * b[:-shift] + b[shift:]
        shift *= 2
    return b


@scan.mistake("shift", "h_t includes b_t: this is the state before step t.")
def linear_scan(a, b):
    refuse(a, b)
    return np.concatenate([np.zeros_like(b[:1]), reference.linear_scan(a, b)[:-1]])


@scan.mistake("a_not_updated", "After each doubling a must become the product of both halves.")
def linear_scan(a, b):
    refuse(a, b)
    b, shift = b.copy(), 1
    while shift < len(a):
        b[shift:] = a[shift:] * b[:-shift] + b[shift:]
        shift *= 2
    return b


@scan.mistake("stops_early", "The doubling stops too early: go on while the shift is below T.")
def linear_scan(a, b):
    refuse(a, b)
    a, b, shift = a.copy(), b.copy(), 1
    while 2 * shift < len(a):
        b[shift:] = a[shift:] * b[:-shift] + b[shift:]
        a[shift:] = a[shift:] * a[:-shift]
        shift *= 2
    return b


@scan.mistake("one_step", "One pass joins neighbours only: double the distance and go on.")
def linear_scan(a, b):
    refuse(a, b)
    h = b.copy()
    h[1:] += a[1:] * b[:-1]
    return h


@scan.mistake("last_axis", "Time is the first axis, not the last.")
def linear_scan(a, b):
    refuse(a, b)
    return np.moveaxis(reference.linear_scan(np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)), 0, -1)


@scan.mistake("starts_at_one", "The state before the first step is zero: a_0 multiplies nothing.")
def linear_scan(a, b):
    refuse(a, b)
    start = b.copy()
    start[0] += a[0]
    return reference.linear_scan(a, start)


@scan.mistake("broadcasts", "a and b of two shapes raise ValueError; nothing is broadcast.")
def linear_scan(a, b):
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    return reference.linear_scan(np.broadcast_to(a, shape), np.broadcast_to(b, shape))


@scan.mistake("in_place", "a and b belong to the caller: work on copies.")
def linear_scan(a, b):
    refuse(a, b)
    for t in range(1, len(a)):
        b[t] += a[t] * b[t - 1]
    return b


@scan.mistake("in_place_a", "a and b belong to the caller: work on copies.")
def linear_scan(a, b):
    h = reference.linear_scan(a, b)
    a[1:] *= a[:-1]
    return h


@scan.variant("one step after the other")
def linear_scan(a, b):
    if a.shape != b.shape:
        raise ValueError("shapes")
    out = []
    for a_t, b_t in zip(a, b, strict=True):
        out.append(b_t if not out else a_t * out[-1] + b_t)
    return np.array(out)


@scan.variant("halves, recursively")
def linear_scan(a, b):
    if np.shape(a) != np.shape(b):
        raise ValueError("shapes")

    def both(a, b):
        if len(a) == 1:
            return a, b
        m = len(a) // 2
        (a1, b1), (a2, b2) = both(a[:m], b[:m]), both(a[m:], b[m:])
        return np.concatenate([a1, a2 * a1[-1]]), np.concatenate([b1, a2 * b1[-1] + b2])

    return both(np.asarray(a, float), np.asarray(b, float))[1]
