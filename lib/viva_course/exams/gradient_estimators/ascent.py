"""Exam of `ascend`."""

import numpy as np

from viva.cases.gradient_estimators.ascent import START, smooth_heights
from viva.cases.gradient_estimators.score import fresh
from viva.kits.gradient_estimators import landscape, landscape_gradient
from viva_course.exams.gradient_estimators.score import ALWAYS_THE_SAME, NEVER_THE_SAME
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise

climb = Exercise(
    "ascend",
    expects="the path (steps + 1, 2), from the start on, uphill along the gradient of a kind",
    survivors={
        "ascend: ahead = np.array([landscape(u + 0.25, v), landscape(u, v + 0.25)]) -> "
        "ahead = [landscape(u + 0.25, v), landscape(u, v + 0.25)]":
            "a list minus an array is an array",
    },
)

climb.values(1, "Plain ascent follows the gradient of the landscape; the path begins with the "
             "start.", only=("plain", "stuck", "no_steps", "whole_numbers"), name="plain")
climb.values(1.5, "A step of each kind is eta times its estimate.",
             only=("score_step", "score_spread", "reparam_step", "fd_step", "two_steps",
                   "fresh_noise"), name="kinds")
climb.values(0.5, "The noise comes from rng.", only=("draws_from_rng",), name="rng")


@climb.item(1, "Where plain ascent is stuck, climbs on the smoothed landscape arrive.")
def smoothing_helps(exam, ascend):
    end = ascend("plain", START, 0.3, 5, 0.01, 500, fresh(exam.rng))[-1]
    exam.true(landscape(*end) < -1, "plain ascent should be stuck below -1")
    heights = smooth_heights(ascend, exam.rng, "reparam", 60)
    exam.true(sum(height > -0.5 for height in heights) >= 54, "fewer than 54 of 60 climbs arrive")


@climb.item(0.5, "An unknown kind raises ValueError.")
def refusals(exam, ascend):
    start = exam.rng.uniform(0, 2, size=2)
    path = ascend("plain", start, 0.3, 5, 0.02, 1, fresh(exam.rng))
    exam.same(path, np.array([start, start + 0.02 * np.array(landscape_gradient(*start))]))
    exam.raises(ValueError, ascend, "exact", start, 0.3, 5, 0.1, 2, fresh(exam.rng))


climb.unmodified(0.5, "The start must stay as it was.")

KINDS = ("plain", "score", "reparam", "fd")


def walk(start, steps, move):
    path = [np.asarray(start, float)]
    for _ in range(steps):
        path.append(path[-1] + move(*path[-1]))
    return np.array(path)


def uphill(kind, x, y, sigma, n, rng):
    if kind not in KINDS:
        raise ValueError
    if kind == "plain":
        return np.array(landscape_gradient(x, y))
    return reference.smoothed_estimators(x, y, sigma, n, rng, kind)


climb.mistakes_of(ascend={
    "descends": ("The steps go downhill.",
                 lambda kind, start, sigma, n, eta, steps, rng: (
                     reference.ascend(kind, start, sigma, n, -eta, steps, rng))),
    "no_start": ("The path begins with the start: steps + 1 rows.",
                 lambda kind, start, sigma, n, eta, steps, rng: (
                     reference.ascend(kind, start, sigma, n, eta, steps, rng)[1:])),
    "end_only": ("The whole path is asked for, not its end.",
                 lambda kind, start, sigma, n, eta, steps, rng: (
                     reference.ascend(kind, start, sigma, n, eta, steps, rng)[-1])),
})


@climb.mistake("same_array", "Every row of the path is its end: `point += ...` changes the array "
               "that is in the list already. Make a new point in every step.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    path = reference.ascend(kind, start, sigma, n, eta, steps, rng)
    return np.repeat(path[-1:], len(path), axis=0)


def with_baseline(baseline):
    """ascend whose "score" subtracts baseline(f, x, y) from the heights f."""
    def ascend(kind, start, sigma, n, eta, steps, rng):
        def move(x, y):
            z = rng.standard_normal((2, n))
            f = landscape(x + sigma * z[0], y + sigma * z[1])
            return eta * ((f - baseline(f, x, y)) * z).mean(axis=1) / sigma

        if kind != "score":
            return reference.ascend(kind, start, sigma, n, eta, steps, rng)
        return walk(start, steps, move)

    return ascend


climb.mistakes_of(ascend={
    slug: ('With "score" something is subtracted from the heights: no baseline is asked for here.',
           with_baseline(baseline))
    for slug, baseline in (("score_less_mean", lambda f, x, y: f.mean()),
                           ("score_less_centre", lambda f, x, y: landscape(x, y)))
})


@climb.mistake("whole_numbers", "A start of whole numbers makes an array of whole numbers, which "
               "cuts the points: make the path an array of floats.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    path = reference.ascend(kind, start, sigma, n, eta, steps, rng)
    return path.astype(np.asarray(start).dtype)


@climb.mistake("no_smoothing", "Every kind follows the plain gradient here; the estimates of the "
               "smoothed one are missing.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError
    return reference.ascend("plain", start, sigma, n, eta, steps, rng)


# Three mistakes that answer alike: one sentence must be true of all.
OWN_ESTIMATOR = ('With "fd" the steps are those of the smoothed gradient itself: forward '
                 "differences over 0.25 are asked for, which are biased.")


@climb.mistake("always_score", OWN_ESTIMATOR)
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError
    return reference.ascend("plain" if kind == "plain" else "score", start, sigma, n, eta, steps,
                            rng)


@climb.mistake("from_the_start", "Every gradient is taken at the start: it must be taken where the "
               "path has arrived.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError
    return walk(start, steps, lambda x, y: eta * uphill(kind, *start, sigma, n, rng))


@climb.mistake("normalised", "The gradient is not normalised: its length counts.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    def move(x, y):
        g = uphill(kind, x, y, sigma, n, rng)
        return eta * g / np.linalg.norm(g)

    if kind not in KINDS:
        raise ValueError
    return walk(start, steps, move)


@climb.mistake("fd_tiny_step", OWN_ESTIMATOR)
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind != "fd":
        return reference.ascend(kind, start, sigma, n, eta, steps, rng)
    return walk(start, steps, lambda x, y: eta * reference.smoothed_estimators(
        x, y, sigma, n, rng, "fd", delta=0.001))


@climb.mistake("fd_central", OWN_ESTIMATOR)
def ascend(kind, start, sigma, n, eta, steps, rng):
    def move(x, y):
        u, v = np.array([[x], [y]]) + sigma * rng.standard_normal((2, n))
        ahead = np.array([landscape(u + 0.125, v), landscape(u, v + 0.125)])
        behind = np.array([landscape(u - 0.125, v), landscape(u, v - 0.125)])
        return eta * (ahead - behind).mean(axis=1) / 0.25

    if kind != "fd":
        return reference.ascend(kind, start, sigma, n, eta, steps, rng)
    return walk(start, steps, move)


@climb.mistake("one_cloud", "The noise is drawn once and used again in every step; each step needs "
               "fresh noise.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError
    seed = int(rng.integers(2**32))
    return walk(start, steps, lambda x, y: eta * uphill(kind, x, y, sigma, n, fresh_from(seed)))


def fresh_from(seed):
    return np.random.default_rng(seed)


@climb.mistake("own_generator_in_every_step", ALWAYS_THE_SAME)
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError
    return walk(start, steps, lambda x, y: eta * uphill(kind, x, y, sigma, n, fresh_from(0)))


climb.mistakes_of(ascend={
    "own_generator": (ALWAYS_THE_SAME, lambda kind, start, sigma, n, eta, steps, rng: (
        reference.ascend(kind, start, sigma, n, eta, steps, fresh_from(0)))),
    "no_generator": (NEVER_THE_SAME, lambda kind, start, sigma, n, eta, steps, rng: (
        reference.ascend(kind, start, sigma, n, eta, steps, np.random.default_rng()))),
})


@climb.mistake("fd_one_slope", 'With "fd" both coordinates move by the same number: each has its '
               "own difference, and only samples are averaged.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind != "fd":
        return reference.ascend(kind, start, sigma, n, eta, steps, rng)
    return walk(start, steps, lambda x, y: eta * uphill("fd", x, y, sigma, n, rng).mean())


@climb.mistake("fd_exchanged", 'With "fd" the difference along y is taken at a point with x and y '
               "exchanged.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    def move(x, y):
        u, v = np.array([[x], [y]]) + sigma * rng.standard_normal((2, n))
        ahead = np.array([landscape(u + 0.25, v), landscape(v + 0.25, u)])
        return eta * (ahead - landscape(u, v)).mean(axis=1) / 0.25

    if kind != "fd":
        return reference.ascend(kind, start, sigma, n, eta, steps, rng)
    return walk(start, steps, move)


@climb.mistake("steps_add_up", "Each step is eta times the present gradient: old gradients are not "
               "kept.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    total = np.zeros(2)

    def move(x, y):
        total[:] += uphill(kind, x, y, sigma, n, rng)
        return eta * total

    if kind not in KINDS:
        raise ValueError
    return walk(start, steps, move)


@climb.mistake("unknown_kind", "An unknown kind raises ValueError.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    known = kind if kind in KINDS else "reparam"
    return reference.ascend(known, start, sigma, n, eta, steps, rng)


@climb.mistake("in_place", "The start belongs to the caller: `point += ...` changes it.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    path = reference.ascend(kind, start, sigma, n, eta, steps, rng)
    if isinstance(start, np.ndarray):
        start[:] = path[-1]
    return path


@climb.variant("an array that fills")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError("kind")
    path = np.zeros((steps + 1, 2))
    path[0] = start
    for t in range(steps):
        path[t + 1] = path[t] + eta * uphill(kind, *path[t], sigma, n, rng)
    return path
