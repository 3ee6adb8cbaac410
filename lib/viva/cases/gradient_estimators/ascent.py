"""Public cases of section 5: climbing with estimated gradients."""

import numpy as np

from viva.case import case, outcome
from viva.cases.gradient_estimators.score import draws, fresh
from viva.kits.gradient_estimators import landscape

START = (-0.3, 0.5)


def smooth_heights(ascend, rng, kind, seeds):
    """The landscape around the ends of climbs, averaged over a fixed cloud of width 0.3.

    With "reparam" it is above -0.5 with probability 0.992: fewer than 54 of 60 happen once in a
    million times.
    """
    cloud = 0.3 * np.random.default_rng(0).standard_normal((2, 4000))
    ends = [ascend(kind, START, 0.3, 20, 0.1, 60, fresh(rng))[-1] for _ in range(seeds)]
    return [float(landscape(end[0] + cloud[0], end[1] + cloud[1]).mean()) for end in ends]


@case("ascend", rtol=1e-8)
def plain(rng, ascend):
    """three plain steps from a random start"""
    return ascend("plain", rng.uniform(0, 2, size=2), 0.3, 5, 0.01, 3, fresh(rng))


@case("ascend", rtol=1e-6)
def stuck(rng, ascend):
    """500 plain steps of size 0.01 from (-0.3, 0.5): the end, (0.045372, 0.848328)"""
    return ascend("plain", START, 0.3, 5, 0.01, 500, fresh(rng))[-1]


@case("ascend")
def no_steps(rng, ascend):
    """no step: the start alone, (1, 2)"""
    return ascend("reparam", START, 0.3, 5, 0.1, 0, fresh(rng))


@case("ascend", rtol=0, atol=0.03)  # a standard error is about 0.002
def score_step(rng, ascend):
    """one step of size 0.1 from (1.8, 1.3) with "score", n = 100,000"""
    return ascend("score", (1.8, 1.3), 0.3, 100_000, 0.1, 1, fresh(rng))


@case("ascend", rtol=0, atol=0.02)  # about 0.002
def reparam_step(rng, ascend):
    """one step of size 0.1 from (0.2, 2.0) with "reparam", n = 100,000"""
    return ascend("reparam", (0.2, 2.0), 0.3, 100_000, 0.1, 1, fresh(rng))


@case("ascend", rtol=0, atol=0.017)  # about 0.0018
def fd_step(rng, ascend):
    """one step of size 0.1 from (0.2, 2.0) with "fd", delta = 0.25, n = 100,000"""
    return ascend("fd", (0.2, 2.0), 0.3, 100_000, 0.1, 1, fresh(rng))


@case("ascend", rtol=0, atol=0.03)  # the draws differ by about 0.003
def two_steps(rng, ascend):
    """two steps of size 0.1 with "reparam", n = 50,000"""
    return ascend("reparam", (0.3, 0.9), 0.3, 50_000, 0.1, 2, fresh(rng))


@case("ascend")
def whole_numbers(rng, ascend):
    """two plain steps from (0, 1), whole numbers: the path is not cut to whole numbers"""
    return ascend("plain", (0, 1), 0.3, 5, 0.02, 2, fresh(rng))


@case("ascend", rtol=0.6, atol=0.0)  # 250 steps give a variance to 7%
def score_spread(rng, ascend):
    """the variance of 250 single steps with "score" and n = 20, divided by eta^2: no baseline"""
    steps = [np.diff(ascend("score", (0.3, 0.9), 0.3, 20, 0.1, 1, fresh(rng)), axis=0)[0]
             for _ in range(250)]
    return round(float(np.var(steps, axis=0).sum() / 0.1**2), 6)


@case("ascend")
def draws_from_rng(rng, ascend):
    """the same state of rng gives the same climb, another state another one"""
    return draws(rng, lambda dice: ascend("reparam", START, 0.3, 5, 0.1, 2, dice)[-1])


@case("ascend")
def fresh_noise(rng, ascend):
    """30 tiny steps with "reparam", n = 1: the noise of every step is a new one"""
    path = np.asarray(ascend("reparam", (0.3, 0.9), 0.3, 1, 1e-6, 30, fresh(rng)))
    return {"the steps differ": bool(np.std(np.diff(path, axis=0) / 1e-6, axis=0).max() > 1)}


@case("ascend")
def gets_there(rng, ascend):
    """60 climbs with "reparam": at least 54 end where the smoothed landscape is above -0.5"""
    return sum(height > -0.5 for height in smooth_heights(ascend, rng, "reparam", 60)) >= 54


@case("ascend")
def unknown_kind(rng, ascend):
    """an unknown kind: ValueError"""
    return outcome(ascend, "magic", START, 0.3, 5, 0.1, 2, fresh(rng))
