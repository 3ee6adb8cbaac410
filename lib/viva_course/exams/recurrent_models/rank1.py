"""Exam of `rank1_power_coef` with `rank1_power_apply`."""

import math

import numpy as np

from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

rank_one = Exercise(
    "rank1_power_coef",
    expects={
        "rank1_power_coef": "the number c with (I + p p^T)^L = I + c p p^T, for s = p . p",
        "rank1_power_apply": "(I + p p^T)^L x, (n,)",
    },
    survivors={
        "rank1_power_apply: return x + rank1_power_coef(p @ p, L) * (p @ x) * p -> "
        "return x + rank1_power_coef(p @ p, L) * (x @ p) * p":
            "the product of two vectors has no order",
    },
)

rank_one.values(2, "(I + p p^T)^L = I + c p p^T: find c.", only=("forty_three", "small_powers"),
                name="coefficient")
rank_one.values(1.5, "(I + p p^T)^L x, as the dense matrix gives it.",
                only=("one_two", "random_vector"), name="vector")


@rank_one.item(2, "Accurate for every s >= 0: a tiny one, zero, and a million factors.")
def small_s(exam, rank1_power_coef, rank1_power_apply):
    exam.same(rank1_power_coef(2.0, 2), 4.0)
    exam.same(rank1_power_coef(0.0, 12), 12.0)
    exam.same(rank1_power_coef(1e-14, 1000), 1000.000000004995, rtol=1e-12)
    for s, L in ((1e-7, 10**6), (float(exam.rng.uniform(1, 3)) * 1e-9, 10**6), (1e-5, 3)):
        exam.same(rank1_power_coef(s, L), math.expm1(L * math.log1p(s)) / s)


@rank_one.item(1, "p = 0 and L = 0 give x itself; a negative s or L raises ValueError.")
def edge_cases(exam, rank1_power_coef, rank1_power_apply):
    p, x = exam.rng.normal(size=(2, 4))
    exam.same(rank1_power_apply(p, 1, x), x + p * (p @ x))
    exam.same(rank1_power_apply(0 * p, 6, x), x)
    exam.same(rank1_power_apply(p, 0, x), x)
    exam.same(rank1_power_coef(1.5, 0), 0.0)
    exam.raises(ValueError, rank1_power_coef, -0.5, 3)
    exam.raises(ValueError, rank1_power_coef, 0.5, -1)
    exam.raises(ValueError, rank1_power_apply, p, -1, x)


@rank_one.item(1, "With A = I + p p^T the taps C A^{k-1} B are those of the dense matrix.")
def kernel(exam, rank1_power_coef, rank1_power_apply):
    p, B, C = exam.rng.normal(size=(3, 4)) * 0.5
    expected = reference.ssm_kernel(np.eye(4) + np.outer(p, p), B, C, 0.3, 10)
    rest = [float(C @ rank1_power_apply(p, k, B)) for k in range(9)]
    exam.same(np.array([0.3, *rest]), expected)


@rank_one.item(1, "No n x n matrix.")
def memory(exam, rank1_power_coef, rank1_power_apply):
    n = 6000  # an n x n matrix takes 288 MB
    p, x = exam.rng.normal(size=(2, n)) / 70
    found = exam.within(40, rank1_power_apply, p, 5, x)
    exam.same(found, reference.rank1_power_apply(p, 5, x))


rank_one.unmodified(0.5, "p and x must stay as they were.")


def refuse(s, L):
    if s < 0 or L < 0:
        raise ValueError


rank_one.mistakes_of(rank1_power_coef={
    "naive": ("For a tiny s, 1 + s is rounded before the power is taken: compute (1 + s)^L - 1 "
              "without this cancellation.",
              lambda s, L: refuse(s, L) or (((1 + s) ** L - 1) / s if s else float(L))),
    "half_naive": (
        "log(1 + s) rounds a tiny s away: there is a function for it.",
        lambda s, L: refuse(s, L) or (float(np.expm1(L * np.log(1 + s)) / s) if s else float(L))),
    "log_without_exp": (
        "e^y - 1 loses its digits for a small y, as (1 + s)^L - 1 does: there is a function for "
        "it.",
        lambda s, L: refuse(s, L) or (float(np.exp(L * np.log1p(s)) - 1) / s if s else float(L))),
    "one_factor_more": ("L factors, not L + 1.",
                        lambda s, L: refuse(s, L) or (
                            reference.rank1_power_coef(s, L + 1) if s else float(L))),
    "threshold": (
        "L is only the limit for s = 0: for a small s and many factors it is not accurate.",
        lambda s, L: refuse(s, L) or (float(L) if s < 1e-8 else reference.rank1_power_coef(s, L))),
    "geometric": (
        "The binomial coefficients are missing: p p^T can be chosen from the L factors in many "
        "ways.",
        lambda s, L: refuse(s, L) or (float((s**L - 1) / (s - 1)) if s != 1 else float(L))),
    "div_zero": (
        "s = 0 gives 0/0; what is the limit?",
        lambda s, L: refuse(s, L) or (reference.rank1_power_coef(s, L) if s else math.nan)),
    "zero_for_zero": (
        "For s = 0 the coefficient is not zero: it is the limit.",
        lambda s, L: refuse(s, L) or (reference.rank1_power_coef(s, L) if s else 0.0)),
    "sum_from_zero": (
        "The sum begins with one factor p p^T; the term without any is the identity.",
        lambda s, L: refuse(s, L) or (reference.rank1_power_coef(s, L) + 1 / s if s else float(L))),
    "not_divided": (
        "One s too many: p p^T is already outside of the sum.",
        lambda s, L: refuse(s, L) or (s * reference.rank1_power_coef(s, L) if s else float(L))),
    "one_factor_short": ("L factors, not L - 1.",
                         lambda s, L: refuse(s, L) or reference.rank1_power_coef(s, max(L - 1, 0))),
    "linear": ("Products of p p^T with itself do not vanish: L p p^T is the first term only.",
               lambda s, L: refuse(s, L) or float(L)),
})
rank_one.mistakes_of(rank1_power_apply={
    "norm_not_squared": (
        "s is the squared length of p, not the length.",
        lambda p, L, x: x + reference.rank1_power_coef(float(np.linalg.norm(p)), L) * (p @ x) * p),
    "identity_forgotten": (
        "The identity is missing: x itself is part of the result.",
        lambda p, L, x: reference.rank1_power_coef(float(p @ p), L) * (p @ x) * p),
    "entrywise": ("p p^T x is p times the number p . x; this multiplies entries.",
                  lambda p, L, x: x + reference.rank1_power_coef(float(p @ p), L) * p * p * x),
    "x_along_itself": (
        "p p^T x is p times the number p . x; this multiplies x by p . p.",
        lambda p, L, x: x + reference.rank1_power_coef(float(p @ p), L) * (p @ p) * x),
    "apply_negative": ("A negative number of factors raises ValueError.",
                       lambda p, L, x: x.copy() if L < 0 else reference.rank1_power_apply(p, L, x)),
})


@rank_one.mistake("negative_passes", "s is a squared length and L counts factors: refuse negative "
                  "ones with ValueError.")
def rank1_power_coef(s, L):
    with np.errstate(all="ignore"):
        return float(np.expm1(L * np.log1p(s)) / s) if s else float(L)


@rank_one.mistake("dense", "p p^T is an n x n matrix: multiply p by the number p . x instead.",
                  hidden_only="the numbers are right; only the memory is not")
def rank1_power_apply(p, L, x):
    return x + reference.rank1_power_coef(float(p @ p), L) * (np.outer(p, p) @ x)


@rank_one.mistake("apply_nan", "p = 0 divides by zero: then the result is x itself.")
def rank1_power_apply(p, L, x):
    found = reference.rank1_power_apply(p, L, x)
    return found if p.any() else np.full_like(found, np.nan)


@rank_one.mistake("in_place", "x belongs to the caller: `x += ...` changes it.")
def rank1_power_apply(p, L, x):
    x += reference.rank1_power_coef(float(p @ p), L) * (p @ x) * p
    return x


@rank_one.variant("one factor at a time")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError("negative")
    c = 0.0
    for _ in range(L):
        c += 1 + s * c
    return c


@rank_one.variant("the library for numbers")
def rank1_power_coef(s, L):
    if min(s, L) < 0:
        raise ValueError("negative")
    return L if s == 0 else math.expm1(L * math.log1p(s)) / s


@rank_one.variant("one factor at a time")
def rank1_power_apply(p, L, x):
    if L < 0:
        raise ValueError("negative")
    y = np.array(x, float)
    for _ in range(L):
        y = y + p * np.dot(p, y)
    return y
