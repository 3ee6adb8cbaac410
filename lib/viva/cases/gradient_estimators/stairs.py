"""Public cases of section 6: climbing a staircase by its heights, and the best baseline."""

import numpy as np

from viva.case import case, outcome
from viva.cases.gradient_estimators.ascent import START
from viva.cases.gradient_estimators.score import draws, fresh
from viva.kits.gradient_estimators import staircase


def arrives(ascend_quantized, rng, seeds):
    """How many climbs of 60 steps end on the top of the staircase.

    Without a baseline a climb arrives with probability 0.98: fewer than 51 of 60 happen once in
    100,000 times.
    """
    ends = [ascend_quantized(START, 0.3, 50, 0.5, 60, fresh(rng))[-1] for _ in range(seeds)]
    return sum(float(staircase(*end)) == 1.0 for end in ends)


def slope_here(x, y):
    """Some function of a point that is no constant: a baseline that helps nobody."""
    return 3.0 * x - 2.0 * y


def spread_of_steps(ascend_quantized, rng, point, baseline, times=300):
    """The variance of `times` single steps of size 1 with n = 50, added over both coordinates."""
    ends = [ascend_quantized(point, 0.3, 50, 1.0, 1, fresh(rng), baseline)[-1]
            for _ in range(times)]
    return round(float(np.var(ends, axis=0).sum()), 6)


@case("ascend_quantized", rtol=0, atol=0.03)  # a standard error is about 0.003
def staircase_step(rng, ascend_quantized):
    """one step of size 0.5 on the staircase, n = 200,000"""
    return ascend_quantized((0.6, 1.1), 0.3, 200_000, 0.5, 1, fresh(rng))


@case("ascend_quantized", rtol=0, atol=0.06)
def staircase_two_steps(rng, ascend_quantized):
    """two steps of size 0.5 on the staircase, n = 100,000"""
    return ascend_quantized(np.array([0.6, 1.1]), 0.3, 100_000, 0.5, 2, fresh(rng))


@case("ascend_quantized")
def staircase_top(rng, ascend_quantized):
    """60 climbs of 60 steps from (-0.3, 0.5): at least 51 end on the highest step"""
    return arrives(ascend_quantized, rng, 60) >= 51


@case("ascend_quantized")
def level_ground(rng, ascend_quantized):
    """sigma = 0.0001 amid a step, the baseline its height: all heights are 0, the path rests"""
    return ascend_quantized((0.0, 1.9), 1e-4, 20, 0.5, 3, fresh(rng), staircase)


@case("ascend_quantized", rtol=0, atol=0.05)  # a standard error is about 0.005
def with_baseline(rng, ascend_quantized):
    """one step, n = 400,000, with the baseline 3 x - 2 y: the same step as without"""
    return ascend_quantized((0.6, 1.1), 0.3, 400_000, 0.5, 1, fresh(rng), slope_here)


@case("ascend_quantized", rtol=0.5, atol=0.0)  # 300 steps give a variance to 8%
def spread_with_baseline(rng, ascend_quantized):
    """the variance of 300 steps, with the baseline -2 at the start, and 1 at the top"""
    return [spread_of_steps(ascend_quantized, rng, point, lambda x, y, b=b: b)
            for point, b in ((START, -2.0), ((2.18, 2.045), 1.0))]


@case("ascend_quantized")
def asked_where(rng, ascend_quantized):
    """a climb of three steps: the baseline is asked once in each, at the centre of the cloud"""
    asked = []
    path = ascend_quantized(START, 0.3, 20, 0.5, 3, fresh(rng),
                            lambda x, y: asked.append((np.size(x), float(np.mean(x)))) or 0.0)
    at = ["at the centre" if np.isclose(where, x) else
          "at the start" if np.isclose(where, START[0]) else "elsewhere"
          for (_, where), x in zip(asked, np.asarray(path)[:, 0])]
    return {"questions": len(asked), "coordinates are numbers": all(k == 1 for k, _ in asked),
            "asked": at}


@case("ascend_quantized", rtol=0, atol=0.035)  # a standard error is about 0.004
def best_on_the_flank(rng, best_baseline):
    """the best baseline at (-0.3, 0.5) and at (0.6, 1.1), n = 200,000: near -1.67 and -0.61"""
    return [best_baseline(point, 0.3, 200_000, fresh(rng)) for point in (START, (0.6, 1.1))]


@case("ascend_quantized", rtol=0, atol=0.02)  # a standard error is about 0.001
def best_at_the_top(rng, best_baseline):
    """the best baseline at the top, (2.18, 2.045), n = 200,000"""
    return best_baseline((2.18, 2.045), 0.3, 200_000, fresh(rng))


@case("ascend_quantized")
def best_on_level_ground(rng, best_baseline):
    """sigma = 0.0001 amid a step of height -2: all heights are -2, and so is the best baseline"""
    return round(float(best_baseline((-0.3, 0.5), 1e-4, 100_000, fresh(rng))), 1)


@case("ascend_quantized")
def draws_from_rng(rng, ascend_quantized):
    """the same state of rng gives the same climb, another state another one"""
    return draws(rng, lambda dice: ascend_quantized(START, 0.3, 50, 0.5, 2, dice)[-1])


@case("ascend_quantized")
def best_draws_from_rng(rng, best_baseline):
    """the same state of rng gives the same baseline, another state another one"""
    return draws(rng, lambda dice: best_baseline((0.6, 1.1), 0.3, 50, dice))


@case("ascend_quantized")
def best_without_width(rng, best_baseline):
    """sigma = 0: ValueError"""
    return outcome(best_baseline, START, 0.0, 5, fresh(rng))
