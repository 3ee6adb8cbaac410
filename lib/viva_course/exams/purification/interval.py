"""Exam of `lambda_range`: between which lam the k strongest directions pass and the rest do not."""

import numpy as np

from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

interval = Exercise(
    "lambda_range", "(lo, hi): factor >= keep for the k largest and <= kill for the others",
    survivors={
        "lambda_range: if lo > hi * (1 + 1e-12): -> if lo >= hi * (1 + 1e-12):":
            "no two ends are that far apart to the last bit",
        "lambda_range: if lo > hi * (1 + 1e-12): -> if lo > hi * (1 + 2e-12):":
            "any tolerance a little above rounding is right",
    },
)


def problem(rng, strong=3, weak=3):
    """Singular values with a gap, in descending order, and the two thresholds."""
    sigmas = np.concatenate([rng.uniform(4, 9, strong), rng.uniform(0.2, 1, weak)])
    return np.sort(sigmas)[::-1], float(rng.uniform(0.6, 0.8)), float(rng.uniform(0.3, 0.45))


interval.values(4, "Both ends of the interval must be right.")


@interval.item(2.5, "At hi the weakest kept direction has exactly the factor keep, at lo the "
               "strongest killed one exactly the factor kill.")
def equality_at_the_ends(exam, lambda_range):
    for k in (1, 3, 5):
        sigmas, keep, kill = problem(exam.rng, k, 6 - k)
        lo, hi = lambda_range(sigmas, k, keep, kill)
        exam.true(0 < lo < hi < np.inf, "lo must be positive and below hi")
        at_hi, at_lo = reference.shrink(sigmas, hi), reference.shrink(sigmas, lo)
        exam.true(abs(at_hi[:k].min() - keep) < 1e-9, "at hi the weakest kept factor is not keep")
        exam.true(abs(at_lo[k:].max() - kill) < 1e-9, "at lo the strongest other is not kill")


@interval.item(1, "The singular values may come in any order, and in a list.")
def any_order(exam, lambda_range):
    sigmas, keep, kill = problem(exam.rng, 3, 4)
    mixed = sigmas[[6, 1, 4, 0, 5, 2, 3]]
    expected = reference.lambda_range(sigmas, 3, keep, kill)
    exam.same(lambda_range(mixed, 3, keep, kill), expected)
    exam.same(lambda_range(sigmas[::-1].tolist(), 3, keep, kill), expected)


@interval.item(1, "An empty interval raises ValueError; a single point is not empty.")
def impossible_requests(exam, lambda_range):
    sigmas, keep, kill = problem(exam.rng)
    exam.same(lambda_range(sigmas, 3, keep, kill), reference.lambda_range(sigmas, 3, keep, kill))
    exam.raises(ValueError, lambda_range, np.array([1.0, 0.5]), 1, 0.99, 0.1)
    close = np.array([2.0, 1.9]) * exam.rng.uniform(1, 2)
    exam.raises(ValueError, lambda_range, close, 1)
    exam.raises(ValueError, lambda_range, sigmas, 2, 0.9, 0.4)
    exam.same(lambda_range(np.array([2.0, 2.0]), 1, 0.5, 0.5), (4.0, 4.0))  # exact in binary
    # (1 - 0.8) / 0.8 is below 1/4 by rounding, 1 / 0.8 - 1 is not: the ends are one point
    size = 2.0 ** exam.rng.integers(-4, 5)
    exam.same(lambda_range(size * np.array([2.0, 1.0]), 1), (size**2, size**2))
    exam.raises(ValueError, lambda_range, size * np.array([2.0, 1.001]), 1)


@interval.item(1, "k = all leaves lo = 0; k = 0 leaves hi = infinity.")
def all_or_none(exam, lambda_range):
    sigmas, keep, kill = problem(exam.rng)
    for k in (6, 0):
        exam.same(lambda_range(sigmas, k, keep, kill),
                  reference.lambda_range(sigmas, k, keep, kill))


interval.unmodified(0.5, "The singular values must stay as they were.")


@interval.mistake("sigma_not_squared", "The factor has sigma^2 in it, so both ends do as well.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(sigmas)[::-1]
    hi = s[k - 1] * (1 - keep) / keep if k else np.inf
    lo = s[k] * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi + 1e-12:
        raise ValueError("empty")
    return lo, hi


def _ends(sigmas, k, upper, lower):
    """(lo, hi) from two formulas for the power of the deciding direction."""
    powers = np.sort(np.asarray(sigmas, dtype=float))[::-1] ** 2
    hi = upper(powers[k - 1]) if k else np.inf
    lo = lower(powers[k]) if k < len(powers) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


interval.mistakes_of(lambda_range={
    "keep_formula": (
        "Solve s^2/(s^2 + lam) >= keep for lam: a division by keep is missing.",
        lambda sigmas, k, keep=0.8, kill=0.5: (
            _ends(sigmas, k, lambda p: p * (1 - keep), lambda p: p * (1 - kill)))),
    "thresholds_swapped": (
        "keep belongs to the kept directions and to hi, kill to the others and to lo.",
        lambda sigmas, k, keep=0.8, kill=0.5: reference.lambda_range(sigmas, k, kill, keep)),
    "keep_twice": (
        "The directions that are not kept pass with at most `kill`: lo follows from kill, not from "
        "keep.",
        lambda sigmas, k, keep=0.8, kill=0.5: reference.lambda_range(sigmas, k, keep, keep)),
    "odds_inverted": (
        "lam = s^2 (1 - keep)/keep, not s^2 keep/(1 - keep).",
        lambda sigmas, k, keep=0.8, kill=0.5: (
            reference.lambda_range(sigmas, k, 1 - keep, 1 - kill))),
    "defaults_only": (
        "keep and kill are arguments; 0.8 and 0.5 are only defaults.",
        lambda sigmas, k, keep=0.8, kill=0.5: reference.lambda_range(sigmas, k)),
})


@interval.mistake("ends_swapped", "The first number is the lower end.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(sigmas)[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return hi, lo


@interval.mistake("off_by_one", "The k-th largest value has index k - 1.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.append(np.sort(sigmas)[::-1], [0.0, 0.0])
    return s[k + 1] ** 2 * (1 - kill) / kill, s[k] ** 2 * (1 - keep) / keep


@interval.mistake("no_sort", "The input need not be sorted, and the interval may be empty.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    hi = sigmas[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = sigmas[k] ** 2 * (1 - kill) / kill if k < len(sigmas) else 0.0
    return lo, hi


@interval.mistake("no_sort_refused", "The input need not be sorted: sort a copy of it first.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    hi = sigmas[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = sigmas[k] ** 2 * (1 - kill) / kill if k < len(sigmas) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.mistake("strongest_decides", "Of the directions to keep the weakest decides, the k-th "
                  "largest value; here it is the strongest.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))[::-1]
    hi = np.inf if k == 0 else s[0] ** 2 * (1 - keep) / keep
    lo = 0.0 if k == len(s) else s[k] ** 2 * (1 - kill) / kill
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.mistake("one_further", "The k-th largest value has index k - 1, the next one index k.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.append(np.sort(sigmas)[::-1], [0.0, 0.0])
    lo = s[k + 1] ** 2 * (1 - kill) / kill
    hi = s[k] ** 2 * (1 - keep) / keep if k else np.inf
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.mistake("one_further_inside", "The k-th largest value has index k - 1, the next one "
                  "index k.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))[::-1]
    hi = np.inf if k == 0 else s[min(k, len(s) - 1)] ** 2 * (1 - keep) / keep
    lo = 0.0 if k >= len(s) - 1 else s[k + 1] ** 2 * (1 - kill) / kill
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.mistake("point_refused", "lo = hi is one value of lam, a single point, and not an empty "
                  "interval: raise only where lo > hi.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo >= hi:
        raise ValueError("empty")
    return lo, hi


@interval.mistake("rounding_refused", "The two ends differ by rounding only and are a single "
                  "point: allow 1e-12 of their size before you raise.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi:
        raise ValueError("empty")
    return lo, hi


@interval.mistake("ascending_refused", "np.sort is ascending: the largest values are at its end.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.mistake("weakest_of_all", "Of the directions to kill the strongest decides, the one "
                  "after the k-th; here it is the weakest of all.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(np.asarray(sigmas, dtype=float))[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[-1] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.mistake("infeasible_silent", "lo > hi is an empty interval: raise ValueError.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(sigmas)[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    return lo, hi


@interval.mistake("ascending", "np.sort is ascending: the largest values are at its end.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(sigmas)
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    return lo, hi


@interval.mistake("k_at_the_border", "k = 0 and k = all have one open end; s[-1] and s[len] are "
                  "not what is meant there.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    s = np.sort(sigmas)[::-1]
    hi, lo = s[k - 1] ** 2 * (1 - keep) / keep, s[min(k, len(s) - 1)] ** 2 * (1 - kill) / kill
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.mistake("sorts_in_place", "`sigmas.sort()` reorders the caller's array.")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    sigmas = np.asarray(sigmas, dtype=float)
    sigmas.sort()
    s = sigmas[::-1]
    hi = s[k - 1] ** 2 * (1 - keep) / keep if k else np.inf
    lo = s[k] ** 2 * (1 - kill) / kill if k < len(s) else 0.0
    if lo > hi * (1 + 1e-12):
        raise ValueError("empty")
    return lo, hi


@interval.variant("all constraints at once")
def lambda_range(sigmas, k, keep=0.8, kill=0.5):
    squares = sorted((float(s) ** 2 for s in sigmas), reverse=True)
    hi = min((q * (1 / keep - 1) for q in squares[:k]), default=float("inf"))
    lo = max((q * (1 / kill - 1) for q in squares[k:]), default=0.0)
    if hi < lo:
        raise ValueError("no such lam")
    return [lo, hi]
