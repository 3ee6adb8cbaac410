"""Exam of the two variances, and of the number of features that an accuracy asks for."""

import math

import numpy as np

from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise

variances = Exercise(
    "sm_var_positive",
    expects={
        "sm_var_positive": "the variance of f(q) . f(k) with m positive features",
        "sm_var_trig": "the variance of the estimate with m cosines",
    },
    survivors={
        "sm_var_positive: return math.exp(2 * q @ k) * math.expm1(np.sum((q + k) ** 2)) / m -> "
        "return math.exp(k @ (2 * q)) * math.expm1(np.sum((q + k) ** 2)) / m":
            "the product of two vectors has no order",
    },
)

variances.values(3, "The variance of positive features.", name="positive",
                 only=("opposite", "exact_opposite", "any_pair", "variance_of_lists"))
variances.values(3, "The variance of trigonometric features.", name="trigonometric",
                 only=("opposite_trig", "equal", "any_pair_trig", "trig_of_lists"))


@variances.item(1, "Both variances fall as 1/m, and do not change when q and k change places or "
                "turn together.")
def how_they_scale(exam, sm_var_positive, sm_var_trig):
    q, k = 0.6 * exam.rng.normal(size=(2, 4))
    turn = np.linalg.qr(exam.rng.normal(size=(4, 4)))[0]
    for variance in (sm_var_positive, sm_var_trig):
        one = float(variance(q, k, 1))
        exam.true(0 < one < np.inf, "a variance must be positive and finite here")
        exam.same(variance(q, k, 30), one / 30, atol=0)  # else a tiny number is a part of itself
        exam.same(variance(k, q, 1), one)
        exam.same(variance(turn @ q, turn @ k, 1), one)


@variances.item(1, "For q . k << 0 positive features win by orders of magnitude; for q near k the "
                "trigonometric ones do.")
def who_wins_where(exam, sm_var_positive, sm_var_trig):
    q = exam.rng.normal(size=3)
    q *= 1.5 / np.linalg.norm(q)
    near = q + 0.05 * exam.rng.normal(size=3)
    opposite = [float(f(q, -near, 1)) for f in (sm_var_positive, sm_var_trig)]
    alike = [float(f(q, near, 1)) for f in (sm_var_positive, sm_var_trig)]
    exam.true(0 < 1e3 * opposite[0] < opposite[1], f"variances {opposite} for opposite vectors")
    exam.true(0 < 1e3 * alike[1] < alike[0], f"variances {alike} for similar vectors")
    exam.same(opposite[0], reference.sm_var_positive(q, -near, 1))


def _two(q, k):
    return np.asarray(q, float), np.asarray(k, float)


def _arrays(variance):
    """A function of q, k and m that is given arrays."""
    return lambda q, k, m: variance(*_two(q, k), m)


variances.mistakes_of(sm_var_positive={
    "m2": ("The variance of a mean of m independent terms falls as 1/m, not 1/m^2.",
           lambda q, k, m: reference.sm_var_positive(q, k, 1) / m**2),
    "m_ignored": ("The number of features has no effect.",
                  lambda q, k, m: reference.sm_var_positive(q, k, 1)),
    "std": ("This is the standard deviation; the variance is its square.",
            lambda q, k, m: np.sqrt(reference.sm_var_positive(q, k, m))),
    "pos_minus": (
        "Positive features depend on q + k, not on q - k.",
        _arrays(lambda q, k, m: np.exp(2 * q @ k) * (np.exp(np.sum((q - k) ** 2)) - 1) / m)),
    "second_moment": (
        "This is the second moment: subtract the square of the mean.",
        _arrays(lambda q, k, m: np.exp(2 * q @ k) * np.exp(np.sum((q + k) ** 2)) / m)),
    "relative": ("This is the variance relative to exp(q . k)^2.",
                 _arrays(lambda q, k, m: np.expm1(np.sum((q + k) ** 2)) / m)),
    "kernel_once": ("The mean enters squared: exp(2 q . k).",
                    _arrays(lambda q, k, m: np.exp(q @ k) * np.expm1(np.sum((q + k) ** 2)) / m)),
    "half_exponent": (
        "The second moment of exp(w . s) is exp(2 |s|^2), since 2 s takes the place of s.",
        _arrays(lambda q, k, m: np.exp(2 * q @ k) * np.expm1(np.sum((q + k) ** 2) / 2) / m)),
})
variances.mistakes_of(sm_var_trig={
    "trig_plus": ("Trigonometric features depend on q - k, not on q + k.",
                  lambda q, k, m: reference.sm_var_trig(q, -np.asarray(k), m)),
    "no_half": ("The mean of cos^2 is one half: a factor 1/2 is missing.",
                lambda q, k, m: 2 * reference.sm_var_trig(q, k, m)),
    "half_twice": ("Half of the variance: the 1/2 of cos^2 counts once, and m counts directions, "
                   "not their cosines and sines.",
                   lambda q, k, m: reference.sm_var_trig(q, k, m) / 2),
    "trig_std": ("This is the standard deviation: the variance is its square.",
                 lambda q, k, m: reference.sm_var_trig(q, k, m) ** 0.5),
    "trig_m2": ("The variance of a mean of m independent terms falls as 1/m, not 1/m^2.",
                lambda q, k, m: reference.sm_var_trig(q, k, 1) / m**2),
    "trig_no_prefactor": (
        "The factors exp(|x|^2 / 2) of q and of k multiply every cosine; the variance has their "
        "square.",
        _arrays(lambda q, k, m: (1 - np.exp(-np.sum((q - k) ** 2))) ** 2 / (2 * m))),
})


@variances.mistake("trig_kernel_before", "Before the cosines stands exp((|q|^2 + |k|^2) / 2), not "
                   "the kernel exp(q . k); it enters the variance squared.")
def sm_var_trig(q, k, m):
    q, k = _two(q, k)
    return np.exp(2 * q @ k) * (1 - np.exp(-np.sum((q - k) ** 2))) ** 2 / (2 * m)


@variances.mistake("no_norms", "The factor exp(-(|q|^2 + |k|^2) / 2) of each term is squared in "
                   "the variance as well.")
def sm_var_positive(q, k, m):
    q, k = _two(q, k)
    s = np.sum((q + k) ** 2)
    return (np.exp(2 * s) - np.exp(s)) / m


@variances.mistake("not_squared", "The factor 1 - exp(-|q - k|^2) must be squared.")
def sm_var_trig(q, k, m):
    q, k = _two(q, k)
    return np.exp(q @ q + k @ k) * (1 - np.exp(-np.sum((q - k) ** 2))) / (2 * m)


@variances.mistake("trig_second_moment", "This is the second moment: subtract the square of the "
                   "mean.")
def sm_var_trig(q, k, m):
    q, k = _two(q, k)
    return np.exp(q @ q + k @ k) * (1 + np.exp(-2 * np.sum((q - k) ** 2))) / (2 * m)


@variances.mistake("trig_prefactor_once", "A constant factor enters the variance squared.")
def sm_var_trig(q, k, m):
    q, k = _two(q, k)
    return np.exp((q @ q + k @ k) / 2) * (1 - np.exp(-np.sum((q - k) ** 2))) ** 2 / (2 * m)


@variances.mistake("trig_half_distance", "The variance of w . (q - k) is |q - k|^2: check the "
                   "exponent for 2 (q - k) and for q - k.")
def sm_var_trig(q, k, m):
    q, k = _two(q, k)
    return np.exp(q @ q + k @ k) * (1 - np.exp(-np.sum((q - k) ** 2) / 2)) ** 2 / (2 * m)


@variances.variant("moment minus square")
def sm_var_positive(q, k, m):
    q, k = _two(q, k)
    n = q @ q + k @ k
    return (np.exp(2 * (q + k) @ (q + k) - n) - np.exp(q @ k) ** 2) / m


@variances.variant("moments of the cosine")
def sm_var_trig(q, k, m):
    q, k = map(np.asarray, (q, k))
    gap = np.linalg.norm(q - k) ** 2
    cosine = (1 + np.exp(-2 * gap)) / 2 - np.exp(-gap / 2) ** 2
    return math.exp(sum(q**2) + sum(k**2)) * cosine / m


enough = Exercise("features_for_accuracy", "the smallest whole number of features, at least 1, "
                  "whose relative standard deviation is at most rel_std")

enough.values(2, "The smallest m that reaches the accuracy.",
              only=("ten_percent", "ten_percent_trig", "both_kinds", "a_whole_number"))
enough.values(0.5, "At least one feature.", only=("at_least_one", "ten_percent"),
              name="at least one")


@enough.item(0.5, "An accuracy that is not positive and an unknown kind raise ValueError.")
def refused(exam, features_for_accuracy):
    q, k = 0.4 * exam.rng.normal(size=(2, 3))
    expected = reference.features_for_accuracy(q, k, 0.1)
    exam.same(features_for_accuracy(q, k, 0.1), expected, rtol=0, atol=0)
    for accuracy, kind in ((0.0, "positive"), (-0.3, "trig"), (0.1, "sine")):
        exam.raises(ValueError, features_for_accuracy, q, k, accuracy, kind)


@enough.item(1, "One feature less would miss the accuracy.")
def neither_more_nor_fewer(exam, features_for_accuracy):
    variance = {"positive": reference.sm_var_positive, "trig": reference.sm_var_trig}
    for kind in ("positive", "trig"):
        for size in (0.3, 0.6, 0.9):
            q, k = size * exam.rng.normal(size=(2, 3))
            accuracy = float(exam.rng.uniform(0.05, 0.3))
            m = int(features_for_accuracy(q, k, accuracy, kind=kind))
            exam.true(m >= 1, f"{m} features")
            error = [math.sqrt(variance[kind](q, k, each)) / math.exp(q @ k)
                     for each in (m, max(m - 1, 1))]
            exam.true(error[0] <= accuracy * (1 + 1e-9), f"{m} features are too few")
            exam.true(m == 1 or error[1] > accuracy * (1 - 1e-9), f"{m} features are too many")


def _count(q, k, rel_std, kind, formula):
    if not rel_std > 0 or kind not in ("positive", "trig"):
        raise ValueError
    variance = (reference.sm_var_positive if kind == "positive" else reference.sm_var_trig)(q, k, 1)
    return formula(variance, float(np.exp(np.dot(q, k))), rel_std)


enough.mistakes_of(features_for_accuracy={
    "absolute": ("The accuracy is relative: divide the standard deviation by exp(q . k).",
                 lambda q, k, rel_std, kind="positive": (
                     _count(q, k, rel_std, kind, lambda v, e, r: max(1, math.ceil(v / r**2))))),
    "floor": ("Rounded down the accuracy is missed: round up.",
              lambda q, k, rel_std, kind="positive": (
                  _count(q, k, rel_std, kind, lambda v, e, r: int(v / (r * e) ** 2)))),
    "floor_at_least_one": (
        "Rounded down the accuracy is missed by a little: round up.",
        lambda q, k, rel_std, kind="positive": (
            _count(q, k, rel_std, kind, lambda v, e, r: max(1, int(v / (r * e) ** 2))))),
    "accuracy_not_squared": (
        "A variance is compared with the square of the standard deviation that is asked for.",
        lambda q, k, rel_std, kind="positive": (
            _count(q, k, rel_std, kind, lambda v, e, r: max(1, math.ceil(v / (r * e**2)))))),
    "rounded": ("Rounding to the nearest number misses the accuracy half of the time: round up.",
                lambda q, k, rel_std, kind="positive": (
                    _count(q, k, rel_std, kind, lambda v, e, r: max(1, round(v / (r * e) ** 2))))),
    "one_more": (
        "One feature too many: the smallest number is asked for.",
        lambda q, k, rel_std, kind="positive": (
            _count(q, k, rel_std, kind, lambda v, e, r: int(v / (r * e) ** 2) + 1 + (v > 0)))),
    "can_be_zero": ("No feature at all estimates nothing: at least one.",
                    lambda q, k, rel_std, kind="positive": (
                        _count(q, k, rel_std, kind, lambda v, e, r: math.ceil(v / (r * e) ** 2)))),
    "kernel_not_squared": (
        "A variance is compared with the square of the kernel.",
        lambda q, k, rel_std, kind="positive": (
            _count(q, k, rel_std, kind, lambda v, e, r: max(1, math.ceil(v / (r * r * e)))))),
    "any_accuracy": ("An accuracy of zero or less must be refused with ValueError.",
                     lambda q, k, rel_std, kind="positive": (
                         reference.features_for_accuracy(q, k, abs(rel_std) or 1e-3, kind))),
})


@enough.mistake("std_not_var", "The standard deviation falls as 1/sqrt(m), not as 1/m.")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    return _count(q, k, rel_std, kind, lambda v, e, r: max(1, math.ceil(math.sqrt(v) / (r * e))))


@enough.mistake("kind_ignored", "kind has no effect.")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    if not rel_std > 0 or kind not in ("positive", "trig"):
        raise ValueError
    return reference.features_for_accuracy(q, k, rel_std)


@enough.mistake("kinds_swapped", "The two kinds are exchanged.")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    other = {"positive": "trig", "trig": "positive"}.get(kind, kind)
    return reference.features_for_accuracy(q, k, rel_std, other)


@enough.mistake("two_per_direction", "A direction gives one cosine of w . (q - k): directions are "
                "counted once, not as a cosine and a sine.")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    return reference.features_for_accuracy(q, k, rel_std, kind) * (2 if kind == "trig" else 1)


@enough.mistake("a_float", "The number of features is an int.")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    return _count(q, k, rel_std, kind, lambda v, e, r: max(1.0, float(np.ceil(v / (r * e) ** 2))))


@enough.mistake("any_kind", "An unknown kind must be refused with ValueError.")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    return reference.features_for_accuracy(q, k, rel_std, "trig" if kind == "trig" else "positive")


@enough.variant("counting up, then down")
def features_for_accuracy(q, k, rel_std, kind="positive"):
    if kind not in ("positive", "trig"):
        raise ValueError(kind)
    if rel_std <= 0:
        raise ValueError(rel_std)
    q, k = map(np.asarray, (q, k))
    if kind == "positive":
        relative = np.exp(np.sum((q + k) ** 2)) - 1
    else:
        relative = np.exp(np.sum((q - k) ** 2)) * (1 - np.exp(-np.sum((q - k) ** 2))) ** 2 / 2
    m = np.ceil(relative / rel_std**2).astype(int)
    return np.maximum(m, 1)
