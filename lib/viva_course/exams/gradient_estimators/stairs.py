"""Exam of `ascend_quantized` and `best_baseline`."""

import numpy as np

from viva.cases.gradient_estimators.ascent import START
from viva.cases.gradient_estimators.score import fresh
from viva.cases.gradient_estimators.stairs import arrives
from viva.kits.gradient_estimators import landscape, staircase
from viva_course.exams.gradient_estimators.ascent import walk
from viva_course.exams.gradient_estimators.score import ALWAYS_THE_SAME, NEVER_THE_SAME
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise

stair = Exercise(
    "ascend_quantized",
    expects={
        "ascend_quantized": "the path (steps + 1, 2) up the staircase, by the score estimator",
        "best_baseline": "the constant with which one term of the score estimate varies least",
    },
)

stair.values(1.5, "A step on the staircase is eta times the score estimate of its gradient.",
             only=("staircase_step", "staircase_two_steps"), name="staircase")
stair.values(1.5, "The baseline is asked at the centre of the cloud and subtracted.",
             only=("level_ground", "with_baseline", "spread_with_baseline", "asked_where"),
             name="baseline")
stair.values(0.5, "The noise comes from rng.",
             only=("draws_from_rng", "best_draws_from_rng"), name="rng")
stair.values(1.5, "The best baseline makes the variances of both components least when added.",
             only=("best_on_the_flank", "best_at_the_top", "best_on_level_ground"),
             name="best baseline")


@stair.item(1, "In 60 steps at least 51 of 60 climbs reach the top.")
def top_of_the_staircase(exam, ascend_quantized, best_baseline):
    path = np.asarray(ascend_quantized(START, 0.3, 50, 0.5, 60, fresh(exam.rng)))
    exam.true(path.shape == (61, 2), "the path has the shape (steps + 1, 2)")
    arrived = arrives(ascend_quantized, exam.rng, 60)
    exam.true(arrived >= 51, f"only {arrived} of 60 climbs reach the top")


@stair.item(0.5, "In best_baseline sigma <= 0 raises ValueError.")
def refusals(exam, ascend_quantized, best_baseline):
    start = exam.rng.uniform(0, 2, size=2)
    exam.true(np.ndim(best_baseline(start, 0.3, 50, fresh(exam.rng))) == 0, "a number is asked for")
    exam.raises(ValueError, best_baseline, start, -0.1, 5, fresh(exam.rng))


stair.unmodified(0.5, "The start must stay as it was.")


def stairs(start, sigma, n, eta, steps, rng, baseline, width=None, power=1.0, height=staircase,
           asked=lambda baseline, x, y, u, v: baseline(x, y), fresh_noise=False):
    """ascend_quantized with one part changed."""
    width = sigma if width is None else width

    def move(x, y):
        z = rng.standard_normal((2, n))
        u, v = x + width * z[0], y + width * z[1]
        heights = height(u, v) - (0 if baseline is None else asked(baseline, x, y, u, v))
        if fresh_noise:
            z = rng.standard_normal((2, n))
        return eta * (heights * z).mean(axis=1) / sigma**power

    return walk(start, steps, move)


stair.mistakes_of(ascend_quantized={
    "baseline_ignored": (
        "On the staircase the baseline is ignored.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, None))),
    "baseline_added": (
        "The baseline is subtracted from the heights, not added.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, baseline,
                   asked=lambda b, x, y, u, v: -b(x, y)))),
    "baseline_of_samples": (
        "The baseline is asked at the samples. It must not know the noise: it is asked once, at "
        "the centre of the cloud.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, baseline, asked=at_every_sample))),
    "baseline_of_start": (
        "The baseline is asked at the start in every step: it belongs to the point where the path "
        "has arrived.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, baseline,
                   asked=lambda b, x, y, u, v: b(*map(float, start))))),
    "baseline_once": (
        "The baseline is asked once for the whole climb: it belongs to the point where the path "
        "has arrived, and is asked in every step.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, None if baseline is None else
                   (lambda found: lambda x, y: found)(baseline(*map(float, start)))))),
    "mean_as_well": (
        "The mean of the heights is subtracted although no baseline was given, or besides the one "
        "that was.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, baseline or (lambda x, y: 0.0),
                   asked=lambda b, x, y, u, v: b(x, y) + np.mean(staircase(u, v) - b(x, y))))),
    "own_generator": (
        ALWAYS_THE_SAME,
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, np.random.default_rng(0), baseline))),
    "no_generator": (
        NEVER_THE_SAME,
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, np.random.default_rng(), baseline))),
    "other_noise": (
        "The heights are multiplied by other noise than that which found them: the mean is zero.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, baseline, fresh_noise=True))),
})


def weighed(point, sigma, n, rng, weigh, divide=True):
    """best_baseline with other weights of z (2, n)."""
    if sigma <= 0:
        raise ValueError
    z = rng.standard_normal((2, n))
    heights, weights = staircase(point[0] + sigma * z[0], point[1] + sigma * z[1]), weigh(z)
    return float((heights * weights).mean() / (weights.mean() if divide else 1.0))


# Two mistakes that answer alike: one sentence must be true of both.
NOT_BOTH_SQUARES = ("A sample's weight is the square of its score, added over both components. "
                    "These weights are something else: its length, or one component alone.")

stair.mistakes_of(best_baseline={
    "plain_mean": ("This is the plain mean of the heights: a sample far from the centre has a "
                   "longer score, and must count more.",
                   lambda point, sigma, n, rng: weighed(point, sigma, n, rng,
                                                        lambda z: np.ones(z.shape[1]))),
    "at_the_centre": ("This is the height at the centre of the cloud; the samples are elsewhere.",
                      lambda point, sigma, n, rng: (
                          weighed(point, sigma, n, rng, lambda z: np.ones(z.shape[1])) * 0
                          + float(staircase(*point)))),
    "by_length": (NOT_BOTH_SQUARES,
                  lambda point, sigma, n, rng: weighed(point, sigma, n, rng,
                                                       lambda z: np.sqrt((z**2).sum(axis=0)))),
    "not_divided": ("The weighted heights are not divided by the mean weight, so this is no "
                    "average of heights.",
                    lambda point, sigma, n, rng: weighed(point, sigma, n, rng, divide=False,
                                                         weigh=lambda z: (z**2).sum(axis=0))),
    "one_component": (NOT_BOTH_SQUARES,
                      lambda point, sigma, n, rng: weighed(point, sigma, n, rng,
                                                           lambda z: z[0] ** 2)),
    "best_own_generator": (ALWAYS_THE_SAME, lambda point, sigma, n, rng: (
        reference.best_baseline(point, sigma, n, np.random.default_rng(0)))),
    "best_no_generator": (NEVER_THE_SAME, lambda point, sigma, n, rng: (
        reference.best_baseline(point, sigma, n, np.random.default_rng()))),
    "wrong_sign": ("The sign is wrong: the baseline is subtracted later.",
                   lambda point, sigma, n, rng: -reference.best_baseline(point, sigma, n, rng)),
    "no_refusal": ("In best_baseline sigma <= 0 must raise ValueError.",
                   lambda point, sigma, n, rng: weighed(point, abs(sigma) + 1e-9 * (sigma == 0), n,
                                                        rng, lambda z: (z**2).sum(axis=0))),
})


def at_every_sample(baseline, x, y, u, v):
    return np.array([baseline(float(each), float(other)) for each, other in zip(u, v, strict=True)])


# Two mistakes that answer alike: one sentence must be true of both.
STANDS_STILL = ("Nothing moves: the staircase is flat almost everywhere. Only noise as wide as the "
                "sigma that is given reaches the next step, through values and not through the "
                "gradient.")


@stair.mistake("sigma_tiny", STANDS_STILL)
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    return stairs(start, sigma, n, eta, steps, rng, baseline, width=1e-3)


@stair.mistake("staircase_reparam", STANDS_STILL)
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    return walk(start, steps, lambda x, y: np.zeros(2))


stair.mistakes_of(ascend_quantized={
    "staircase_descends": (
        "The steps on the staircase go downhill.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, -eta, steps, rng, baseline))),
    "landscape_instead": (
        "This climbs the landscape; only heights of the staircase may be used.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, baseline, height=landscape))),
    "landscape_gradient_instead": (
        "This uses the landscape's gradient; only heights of the staircase may be used.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            reference.ascend("reparam", start, sigma, n, eta / 5, steps, rng))),
    "staircase_no_sigma": ("On the staircase the division by sigma is missing.",
                           lambda start, sigma, n, eta, steps, rng, baseline=None: (
                               stairs(start, sigma, n, eta, steps, rng, baseline, power=0.0))),
    "staircase_sigma_squared": ("With z of width 1 the score is z over sigma, not over its square.",
                                lambda start, sigma, n, eta, steps, rng, baseline=None: (
                                    stairs(start, sigma, n, eta, steps, rng, baseline, power=2.0))),
    "staircase_no_start": (
        "The path on the staircase begins with the start, too.",
        lambda start, sigma, n, eta, steps, rng, baseline=None: (
            stairs(start, sigma, n, eta, steps, rng, baseline)[1:])),
})


@stair.mistake("start_moves", "start belongs to the caller: `x += …` on it moves it along.")
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    path = stairs(start, sigma, n, eta, steps, rng, baseline)
    if isinstance(start, np.ndarray):
        start += path[-1] - start
    return path


@stair.variant("scores of points")
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    path = [np.array(start, float)]
    for _ in range(steps):
        points = path[-1] + sigma * rng.standard_normal((n, 2))
        gains = staircase(points[:, 0], points[:, 1])
        gains = gains - (baseline(*path[-1]) if baseline else 0.0)
        path.append(path[-1] + eta * (gains @ ((points - path[-1]) / sigma**2)) / n)
    return np.stack(path)


@stair.variant("the mean of the weights is known")
def best_baseline(point, sigma, n, rng):
    return weighed(point, sigma, n, rng, lambda z: (z**2).sum(axis=0) / 2, divide=False)
