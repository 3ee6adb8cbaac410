"""Cases of RunningMean.

What shows only where arrays are shared runs beside the class."""

import numpy as np

from viva.case import candidate_side, case
from viva.cases.ridge_attention.inputs import copied


def means(RunningMean, vectors):
    """Feed the vectors one by one: all answers, and n and mean at the end."""
    state = RunningMean()
    answers = [copied(state.update(x)) for x in vectors]
    return {"answers": answers, "n": state.n, "mean": copied(state.mean)}


def last_mean(RunningMean, vectors):
    """The last answer only."""
    state = RunningMean()
    for x in vectors:
        answer = state.update(x)
    return copied(answer)


@candidate_side
def reused_array(RunningMean, vectors):
    """One array holds each vector in turn, as a caller may do; the last answer."""
    state, box = RunningMean(), np.zeros_like(vectors[0])
    for x in vectors:
        box[:] = x
        answer = state.update(box)
        box[:] = -1000.0
    return copied(answer)


@candidate_side
def kept_answers(RunningMean, vectors):
    """The answers, looked at only after the last update."""
    state = RunningMean()
    answers = [state.update(x) for x in vectors]
    return [copied(answer) for answer in answers]


@candidate_side
def untouched(RunningMean, vectors):
    """The last answer, and the caller's vectors as they are after the updates."""
    state, given = RunningMean(), [np.array(x) for x in vectors]
    for x in given:
        answer = state.update(x)
    return {"mean": copied(answer), "vectors": given}


def two_means(RunningMean, vectors):
    """Two instances, fed in turn with the even and the odd vectors."""
    states = [RunningMean(), RunningMean()]
    for i, x in enumerate(vectors):
        states[i % 2].update(x)
    return {"means": [copied(state.mean) for state in states], "n": [s.n for s in states]}


@case("RunningMean")
def by_hand(rng, RunningMean):
    """2, 4, 9: the means are 2, 3, 5"""
    return means(RunningMean, [np.array([2.0]), np.array([4.0]), np.array([9.0])])


@case("RunningMean")
def seven_vectors(rng, RunningMean):
    """seven vectors of three numbers: every answer, n and mean"""
    return means(RunningMean, rng.normal(size=(7, 3)))


@case("RunningMean")
def integers(rng, RunningMean):
    """vectors of integers, the first as a list"""
    vectors = list(rng.integers(-9, 9, (5, 2)))
    return means(RunningMean, [vectors[0].tolist(), *vectors[1:]])


@case("RunningMean")
def single_precision(rng, RunningMean):
    """vectors in single precision: answers and mean are float64, and so is the arithmetic"""
    return means(RunningMean, rng.normal(size=(5, 3)).astype(np.float32))


@case("RunningMean")
def one_array(rng, RunningMean):
    """the caller uses the same array again for every vector"""
    return reused_array(RunningMean, rng.normal(size=(5, 3)))


@case("RunningMean")
def callers_vectors(rng, RunningMean):
    """the caller's vectors are still the same after the updates"""
    return untouched(RunningMean, rng.normal(size=(4, 3)))


@case("RunningMean")
def earlier_answers(rng, RunningMean):
    """an answer is still the same after later updates"""
    return kept_answers(RunningMean, rng.normal(size=(5, 3)))


@case("RunningMean")
def two_instances(rng, RunningMean):
    """two instances share nothing"""
    return two_means(RunningMean, rng.normal(size=(6, 2)))


@case("RunningMean", rtol=0, atol=1e-5)  # even a sum in float64 is within 1e-6
def large_numbers(rng, RunningMean):
    """1e8 and a little noise, 1000 times; single precision is off by more than 1"""
    return last_mean(RunningMean, 1e8 + rng.normal(size=(1000, 2)))
