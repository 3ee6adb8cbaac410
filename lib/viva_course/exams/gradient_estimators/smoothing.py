"""Exam of `smoothed_exact`, `smoothed_grad_exact` and `smoothed_estimators`."""

import numpy as np

from viva.cases.gradient_estimators.score import fresh
from viva.cases.gradient_estimators.smoothing import HERE
from viva.kits.gradient_estimators import landscape, landscape_gradient
from viva_course.exams.gradient_estimators.score import ALWAYS_THE_SAME, NEVER_THE_SAME
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise

smooth = Exercise(
    "smoothed_exact",
    expects={
        "smoothed_exact": "the expectation of f(x + s z_1, y + s z_2), entry by entry",
        "smoothed_grad_exact": "the gradient of the smoothed landscape, (2,)",
        "smoothed_estimators": "an estimate of that gradient of the given kind, (2,)",
    },
    survivors={
        "smoothed_grad_exact: waves = np.exp(-31.25 * s ** 2 / 2) * np.cos(2.5 * x - 5 * y) -> "
        "waves = np.exp(-31.25 * s ** 2 / 2) * np.cos(5 * y - 2.5 * x)": "the cosine is even",
        "smoothed_estimators: ahead = np.array([landscape(u + delta, v), landscape(u, v + delta)])"
        " -> ahead = [landscape(u + delta, v), landscape(u, v + delta)]":
            "a list minus an array is an array",
    },
)

smooth.values(2.5, "The expectation of f under the noise, in closed form, also for arrays.",
              only=("value", "unsmoothed", "grid"), name="value")
smooth.values(2.5, "The gradient of the smoothed landscape, in closed form.",
              only=("gradient", "gradient_elsewhere"), name="gradient")


@smooth.item(1, "The closed form must be what averaging over the noise gives.")
def Monte_Carlo(exam, smoothed_exact, smoothed_grad_exact, smoothed_estimators):
    x, y, s = *exam.rng.uniform(-1, 3, size=2).tolist(), float(exam.rng.uniform(0.05, 0.5))
    z = s * exam.rng.standard_normal((2, 200_000))
    heights, slopes = landscape(x + z[0], y + z[1]), landscape_gradient(x + z[0], y + z[1])
    error = 5.5 / np.sqrt(200_000)
    exam.same(float(smoothed_exact(x, y, s)), float(heights.mean()), rtol=0,
              atol=float(error * heights.std()))
    exam.same(smoothed_grad_exact(x, y, s), np.mean(slopes, axis=1), rtol=0,
              atol=float(error * np.max(np.std(slopes, axis=1))))


smooth.values(2, '"score" is unbiased.', only=("score_mean", "score_elsewhere"), name="score")
smooth.values(1.5, '"reparam" is unbiased.', only=("reparam_mean",), name="reparam")
smooth.values(1.5, '"fd" takes forward differences with common random numbers.',
              only=("fd_mean", "fd_small_step"), name="fd")


smooth.values(1.5, "Each kind is an estimator of its own: their variances differ.",
              only=("spread",), name="spread")
smooth.values(0.5, "The noise comes from rng.", only=("draws_from_rng",), name="rng")


@smooth.item(0.5, "An unknown kind, or s <= 0, raises ValueError.")
def refusals(exam, smoothed_exact, smoothed_grad_exact, smoothed_estimators):
    for kind in ("score", "reparam", "fd"):
        found = smoothed_estimators(*HERE, 0.3, 4000, fresh(exam.rng), kind)
        exam.same(found, np.array([2.8, 3.0]), rtol=0, atol=2.5)
        exam.raises(ValueError, smoothed_estimators, *HERE, 0.0, 4, fresh(exam.rng), kind)
        exam.raises(ValueError, smoothed_estimators, *HERE, -0.3, 4, fresh(exam.rng), kind)
    exam.raises(ValueError, smoothed_estimators, *HERE, 0.3, 4, fresh(exam.rng), "exact")


smooth.unmodified(0.5, "Nothing may be written into the arguments.")


def blurred(x, y, s, wave, ripple, offset):
    """The value with other factors of damping and another offset."""
    hill = -((x - 2) ** 2) - (y - 2) ** 2 + offset
    return wave * np.sin(2.5 * x - 5 * y) + ripple * np.cos(4 * x + 8 * y) + hill


def sloped(x, y, wave, ripple):
    """The gradient with other factors of damping."""
    w, r = wave * np.cos(2.5 * x - 5 * y), ripple * np.sin(4 * x + 8 * y)
    return np.array([2.5 * w - 4 * r - 2 * (x - 2), -5 * w - 8 * r - 2 * (y - 2)])


@smooth.mistake("damping_not_squared", "A wave is damped according to the square of its frequency.")
def smoothed_exact(x, y, s):
    return blurred(x, y, s, np.exp(-np.sqrt(31.25) * s**2 / 2), np.exp(-np.sqrt(80) * s**2 / 2),
                   -2 * s**2)


smooth.mistakes_of(smoothed_exact={
    "no_half": (
        "The half in the exponent of the damping is missing.",
        lambda x, y, s: blurred(x, y, s, np.exp(-31.25 * s**2), np.exp(-80 * s**2), -2 * s**2)),
    "no_2s2": (
        "The mean of a square is not the square of the mean: the parabolas sink, too.",
        lambda x, y, s: blurred(x, y, s, np.exp(-31.25 * s**2 / 2), np.exp(-80 * s**2 / 2), 0.0)),
    "one_s2": ("There are two parabolas, and each of them sinks.",
               lambda x, y, s: (
                   blurred(x, y, s, np.exp(-31.25 * s**2 / 2), np.exp(-80 * s**2 / 2), -(s**2)))),
    "not_smoothed": ("This is the landscape itself, without any smoothing.",
                     lambda x, y, s: landscape(x, y)),
    "frequencies_first": (
        "The squares of the two frequencies are added, not the frequencies before they are "
        "squared.",
        lambda x, y, s: (
            blurred(x, y, s, np.exp(-6.25 * s**2 / 2), np.exp(-144 * s**2 / 2), -2 * s**2))),
    "sizes_first": (
        "The squares of the two frequencies are added, not the frequencies before they are "
        "squared.",
        lambda x, y, s: (
            blurred(x, y, s, np.exp(-56.25 * s**2 / 2), np.exp(-144 * s**2 / 2), -2 * s**2))),
    "one_frequency": (
        "The frequencies in x and in y both count: their squares are added.",
        lambda x, y, s: (
            blurred(x, y, s, np.exp(-6.25 * s**2 / 2), np.exp(-16 * s**2 / 2), -2 * s**2))),
})
smooth.mistakes_of(smoothed_grad_exact={
    "y_uses_x": ("Both components are derivatives by x; the second one is by y.",
                 lambda x, y, s: np.full(2, reference.smoothed_grad_exact(x, y, s)[0])),
    "grad_not_smoothed": ("This is the gradient of the landscape itself, without any smoothing.",
                          lambda x, y, s: sloped(x, y, 1.0, 1.0)),
    "grad_damping_not_squared": (
        "In the gradient, too, a wave is damped according to the square of its frequency.",
        lambda x, y, s: (
            sloped(x, y, np.exp(-np.sqrt(31.25) * s**2 / 2), np.exp(-np.sqrt(80) * s**2 / 2)))),
    "grad_no_half": ("In the gradient the half in the exponent of the damping is missing.",
                     lambda x, y, s: sloped(x, y, np.exp(-31.25 * s**2), np.exp(-80 * s**2))),
    "inner_sign": (
        "By y the inner derivative of the first wave has the wrong sign.",
        lambda x, y, s: reference.smoothed_grad_exact(x, y, s)
        + [0, 10 * np.exp(-31.25 * s**2 / 2) * np.cos(2.5 * x - 5 * y)]),
    "cos_sign": ("The derivative of the cosine is minus the sine.",
                 lambda x, y, s: sloped(x, y, np.exp(-31.25 * s**2 / 2), -np.exp(-80 * s**2 / 2))),
})


@smooth.mistake("one_damping", "The two waves have different frequencies, so they are damped "
                "differently.")
def smoothed_exact(x, y, s):
    both = np.exp(-31.25 * s**2 / 2)
    return blurred(x, y, s, both, both, -2 * s**2)


@smooth.mistake("in_place", "x belongs to the caller: `x -= 2` changes it.")
def smoothed_exact(x, y, s):
    found = reference.smoothed_exact(x, y, s)
    if np.ndim(x):
        x -= 2
    return found


@smooth.mistake("no_inner", "The inner derivatives, the frequencies, are missing.")
def smoothed_grad_exact(x, y, s):
    wave = np.exp(-31.25 * s**2 / 2) * np.cos(2.5 * x - 5 * y)
    ripple = np.exp(-80 * s**2 / 2) * np.sin(4 * x + 8 * y)
    return np.array([wave - ripple - 2 * (x - 2), wave - ripple - 2 * (y - 2)])


def changed(kind_of, replace):
    """smoothed_estimators with one kind replaced by replace(x, y, s, n, rng, delta)."""

    def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
        if kind == kind_of and s > 0:
            return replace(x, y, s, n, rng, delta)
        return reference.smoothed_estimators(x, y, s, n, rng, kind, delta)

    return smoothed_estimators


def differences(x, y, s, n, rng, ahead, behind, step, common=True):
    """Differences of the landscape from `behind` to `ahead` along both axes, over `step`."""
    found = []
    z = s * rng.standard_normal((2, n))
    for e in np.eye(2):
        w = z if common else s * rng.standard_normal((2, n))
        high = landscape(x + ahead * e[0] + z[0], y + ahead * e[1] + z[1])
        low = landscape(x + behind * e[0] + w[0], y + behind * e[1] + w[1])
        found.append((high - low).mean() / step)
        z = w
    return np.array(found)


def score_of(x, y, s, n, rng, power):
    z = rng.standard_normal((2, n))
    return (landscape(x + s * z[0], y + s * z[1]) * z).mean(axis=1) / s**power


smooth.mistake("score_no_sigma2", 'In "score" the division by the variance of the noise is '
               "missing.")(changed("score", lambda x, y, s, n, rng, delta:
                                   score_of(x, y, s, n, rng, -1)))
smooth.mistake("score_sigma_squared", 'In "score" z is divided by s^2: the noise is s z, so one s '
               "is one too many.")(changed("score", lambda x, y, s, n, rng, delta:
                                           score_of(x, y, s, n, rng, 2)))
smooth.mistake("score_no_division", 'In "score" nothing is divided by s.')(
    changed("score", lambda x, y, s, n, rng, delta: score_of(x, y, s, n, rng, 0)))
smooth.mistake("score_sign", '"score" points downhill.')(
    changed("score", lambda x, y, s, n, rng, delta: -score_of(x, y, s, n, rng, 1)))
smooth.mistake("reparam_is_score", '"reparam" gives the score estimate: it must average the '
               "gradient of the landscape.")(
    changed("reparam", lambda x, y, s, n, rng, delta: score_of(x, y, s, n, rng, 1)))
smooth.mistake("reparam_at_the_point", '"reparam" gives the gradient at the point itself, without '
               "noise.")(changed("reparam", lambda x, y, s, n, rng, delta:
                                 np.array(landscape_gradient(x, y))))
smooth.mistake("reparam_exact", '"reparam" gives the exact gradient: an estimate from n draws is '
               "asked for.")(changed("reparam", lambda x, y, s, n, rng, delta:
                                     reference.smoothed_grad_exact(x, y, s)))
smooth.mistake("fd_independent", '"fd" draws fresh noise for every evaluation: use the same noise '
               "on both sides.")(
    changed("fd", lambda x, y, s, n, rng, delta:
            differences(x, y, s, n, rng, delta, 0, delta, common=False)))
smooth.mistake("fd_central", '"fd" takes central differences; forward ones are asked for.')(
    changed("fd", lambda x, y, s, n, rng, delta:
            differences(x, y, s, n, rng, delta, -delta, 2 * delta)))
smooth.mistake("fd_backward", '"fd" takes backward differences; forward ones are asked for.')(
    changed("fd", lambda x, y, s, n, rng, delta: differences(x, y, s, n, rng, 0, -delta, delta)))
smooth.mistake("fd_two_delta", 'In "fd" a forward difference is divided by delta, not by twice '
               "delta.")(
    changed("fd", lambda x, y, s, n, rng, delta: differences(x, y, s, n, rng, delta, 0, 2 * delta)))
smooth.mistake("fd_second_from_moved", 'In "fd" the difference along y starts at a point that has '
               "already moved along x; both start at the same point.")(
    changed("fd", lambda x, y, s, n, rng, delta: np.array([
        differences(x, y, s, n, rng, delta, 0, delta)[0],
        differences(x + delta, y, s, n, rng, delta, 0, delta)[1]])))
smooth.mistake("fd_not_divided", 'In "fd" the division by delta is missing.')(
    changed("fd", lambda x, y, s, n, rng, delta: differences(x, y, s, n, rng, delta, 0, 1.0)))
smooth.mistake("fd_delta_ignored", '"fd" must use the delta that is given.')(
    changed("fd", lambda x, y, s, n, rng, delta: differences(x, y, s, n, rng, 0.25, 0, 0.25)))
smooth.mistake("one_noise", "Both coordinates get the same noise; they need noise of their own.")(
    changed("score", lambda x, y, s, n, rng, delta: (
        lambda z: np.full(2, (landscape(x + s * z, y + s * z) * z).mean() / s))(
            rng.standard_normal(n))))


smooth.mistakes_of(smoothed_estimators={
    "own_generator": (ALWAYS_THE_SAME, lambda x, y, s, n, rng, kind, delta=0.25: (
        reference.smoothed_estimators(x, y, s, n, np.random.default_rng(0), kind, delta))),
    "no_generator": (NEVER_THE_SAME, lambda x, y, s, n, rng, kind, delta=0.25: (
        reference.smoothed_estimators(x, y, s, n, np.random.default_rng(), kind, delta))),
})

# Two mistakes of one misconception.
WIDTH_ONE = "The noise has the width 1 here: a sample lies s times z away from the point."
smooth.mistakes_of(smoothed_estimators={
    slug: (WIDTH_ONE, lambda x, y, s, n, rng, kind, delta=0.25, share=share: (
        reference.smoothed_estimators(x, y, 1.0 if s > 0 else s, n, rng, kind, delta)
        * (share(s) if kind == "score" else 1)))
    for slug, share in (("width_one", lambda s: 1.0), ("width_one_over_s", lambda s: 1 / s))
})


@smooth.mistake("unknown_kind", "An unknown kind raises ValueError.")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    known = kind if kind in ("score", "reparam") else "fd"
    return reference.smoothed_estimators(x, y, s, n, rng, known, delta)


@smooth.mistake("zero_width", "s <= 0 raises ValueError: there is no noise to learn from.")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    with np.errstate(all="ignore"):
        if kind == "score" and s <= 0:
            return np.full(2, np.nan)
    return reference.smoothed_estimators(x, y, s if s > 0 else 1e-9, n, rng, kind, delta)


@smooth.variant("a dictionary of lambdas, another order of the draws")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    if kind not in ("score", "reparam", "fd") or s <= 0:
        raise ValueError("no")
    points = rng.normal((x, y), s, size=(n, 2))
    f = landscape(*points.T)
    ways = {"score": lambda: (f[:, None] * (points - (x, y)) / s**2).mean(axis=0),
            "reparam": lambda: np.stack(landscape_gradient(*points.T), axis=1).mean(axis=0),
            "fd": lambda: np.array([(landscape(*(points + delta * e).T) - f).mean() / delta
                                    for e in np.eye(2)])}
    return ways[kind]()


@smooth.variant("loops over the waves")
def smoothed_grad_exact(x, y, s):
    found = -2.0 * (np.array([x, y]) - 2)
    for frequency, slope in (((2.5, -5.0), np.cos), ((4.0, 8.0), lambda t: -np.sin(t))):
        w = np.array(frequency)
        found += np.exp(-(s**2) * (w @ w) / 2) * slope(w @ [x, y]) * w
    return found
