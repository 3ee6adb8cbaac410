"""Exam of `ascend` and `ascend_quantized`."""

import numpy as np

from viva.cases.gradient_estimators.ascent import START, arrives, smooth_heights
from viva.cases.gradient_estimators.score import fresh
from viva.kits.gradient_estimators import landscape, landscape_gradient, staircase
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise

climb = Exercise(
    "ascend",
    expects={
        "ascend": "the path (steps + 1, 2), from the start on, uphill along the gradient of a kind",
        "ascend_quantized": "the path (steps + 1, 2) up the staircase, by the score estimator",
    },
    survivors={
        "ascend: ahead = np.array([landscape(u + 0.25, v), landscape(u, v + 0.25)]) -> "
        "ahead = [landscape(u + 0.25, v), landscape(u, v + 0.25)]":
            "a list minus an array is an array",
    },
)

climb.values(2.5, "Plain ascent follows the gradient of the landscape; the path begins with the "
             "start.", only=("plain", "stuck", "no_steps"), name="plain")
climb.values(3.5, "A step of each kind is eta times its estimate.",
             only=("score_step", "reparam_step", "fd_step", "two_steps"), name="kinds")


@climb.item(1.5, "Where plain ascent is stuck, climbs on the smoothed landscape arrive.")
def smoothing_helps(exam, ascend, ascend_quantized):
    end = ascend("plain", START, 0.3, 5, 0.01, 500, fresh(exam.rng))[-1]
    exam.true(landscape(*end) < -1, "plain ascent should be stuck below -1")
    heights = smooth_heights(ascend, exam.rng, "reparam", 60)
    exam.true(sum(height > -0.5 for height in heights) >= 54, "fewer than 54 of 60 climbs arrive")


climb.values(2, "A step on the staircase is eta times the score estimate of its smoothed gradient.",
             only=("staircase_step", "staircase_two_steps"), name="staircase")


@climb.item(1.5, "In 60 steps at least 51 of 60 climbs reach the top.")
def top_of_the_staircase(exam, ascend, ascend_quantized):
    path = np.asarray(ascend_quantized(START, 0.3, 50, 0.5, 60, fresh(exam.rng)))
    exam.true(path.shape == (61, 2), "the path has the shape (steps + 1, 2)")
    arrived = arrives(ascend_quantized, exam.rng, 60)
    exam.true(arrived >= 51, f"only {arrived} of 60 climbs reach the top")


@climb.item(0.5, "An unknown kind raises ValueError.")
def refusals(exam, ascend, ascend_quantized):
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
climb.mistakes_of(ascend_quantized={
    "staircase_descends": (
        "The steps on the staircase go downhill.",
        lambda start, sigma, n, eta, steps, rng: stairs(start, sigma, n, -eta, steps, rng)),
    "landscape_instead": ("This climbs the landscape; only heights of the staircase may be used.",
                          lambda start, sigma, n, eta, steps, rng: (
                              stairs(start, sigma, n, eta, steps, rng, height=landscape))),
    "landscape_gradient_instead": (
        "This uses the landscape's gradient; only heights of the staircase may be used.",
        lambda start, sigma, n, eta, steps, rng: (
            reference.ascend("reparam", start, sigma, n, eta / 5, steps, rng))),
    "staircase_no_sigma": ("On the staircase the division by sigma is missing.",
                           lambda start, sigma, n, eta, steps, rng: (
                               stairs(start, sigma, n, eta, steps, rng, power=0.0))),
    "staircase_sigma_squared": ("With z of width 1 the score is z over sigma, not over its square.",
                                lambda start, sigma, n, eta, steps, rng: (
                                    stairs(start, sigma, n, eta, steps, rng, power=2.0))),
    "staircase_no_start": (
        "The path on the staircase begins with the start, too.",
        lambda start, sigma, n, eta, steps, rng: stairs(start, sigma, n, eta, steps, rng)[1:]),
})


@climb.mistake("no_smoothing", "Every kind follows the plain gradient here; the estimates of the "
               "smoothed one are missing.")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError
    return reference.ascend("plain", start, sigma, n, eta, steps, rng)


# Two mistakes that answer alike: one sentence must be true of both.
OWN_ESTIMATOR = ('Each kind has its own estimator and settings: "fd" takes finite differences with '
                 'a delta of 0.25, not the score estimator.')


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


def stairs(start, sigma, n, eta, steps, rng, width=None, power=1.0, height=staircase):
    """ascend_quantized with samples of another width, or another power of sigma."""
    width = sigma if width is None else width

    def move(x, y):
        z = rng.standard_normal((2, n))
        return eta * (height(x + width * z[0], y + width * z[1]) * z).mean(axis=1) / sigma**power

    return walk(start, steps, move)


# Two mistakes that answer alike: one sentence must be true of both.
STANDS_STILL = ("Nothing moves: the staircase is flat almost everywhere. Only noise as wide as the "
                "sigma that is given reaches the next step, through values and not through the "
                "gradient.")


@climb.mistake("sigma_tiny", STANDS_STILL)
def ascend_quantized(start, sigma, n, eta, steps, rng):
    return stairs(start, sigma, n, eta, steps, rng, width=1e-3)


@climb.mistake("staircase_reparam", STANDS_STILL)
def ascend_quantized(start, sigma, n, eta, steps, rng):
    return walk(start, steps, lambda x, y: np.zeros(2))


@climb.variant("an array that fills")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in KINDS:
        raise ValueError("kind")
    path = np.zeros((steps + 1, 2))
    path[0] = start
    for t in range(steps):
        path[t + 1] = path[t] + eta * uphill(kind, *path[t], sigma, n, rng)
    return path


@climb.variant("with the mean height as a baseline")
def ascend_quantized(start, sigma, n, eta, steps, rng):
    path = [np.array(start, float)]
    for _ in range(steps):
        points = path[-1] + sigma * rng.standard_normal((n, 2))
        heights = staircase(points[:, 0], points[:, 1])
        scores = (points - path[-1]) / sigma**2
        gains = (heights - heights.mean()) * n / (n - 1)
        path.append(path[-1] + eta * (gains @ scores) / n)
    return np.stack(path)
