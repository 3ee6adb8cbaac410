"""Exam of `rank1_power_coef` with `rank1_power_apply`."""

import math

import numpy as np

from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise, unmodified

rank_one = Exercise(
    "rank1_power_coef", points=9,
    reference=(reference.rank1_power_coef, reference.rank1_power_apply),
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


@rank_one.item("small s", 2, "Accurate for every s >= 0: a tiny one, zero, and a million factors.")
def _(exam, rank1_power_coef, rank1_power_apply):
    exam.same(rank1_power_coef(2.0, 2), 4.0)
    exam.same(rank1_power_coef(0.0, 12), 12.0)
    exam.same(rank1_power_coef(1e-14, 1000), 1000.000000004995, rtol=1e-12)
    for s, L in ((1e-7, 10**6), (float(exam.rng.uniform(1, 3)) * 1e-9, 10**6), (1e-5, 3)):
        exam.same(rank1_power_coef(s, L), math.expm1(L * math.log1p(s)) / s)


@rank_one.item("edge cases", 1, "p = 0 and L = 0 give x itself; a negative s or L raises "
               "ValueError.")
def _(exam, rank1_power_coef, rank1_power_apply):
    p, x = exam.rng.normal(size=(2, 4))
    exam.same(rank1_power_apply(p, 1, x), x + p * (p @ x))
    exam.same(rank1_power_apply(0 * p, 6, x), x)
    exam.same(rank1_power_apply(p, 0, x), x)
    exam.same(rank1_power_coef(1.5, 0), 0.0)
    exam.raises(ValueError, rank1_power_coef, -0.5, 3)
    exam.raises(ValueError, rank1_power_coef, 0.5, -1)
    exam.raises(ValueError, rank1_power_apply, p, -1, x)


@rank_one.item("kernel", 1, "With A = I + p p^T the taps C A^{k-1} B are those of the dense "
               "matrix.")
def _(exam, rank1_power_coef, rank1_power_apply):
    p, B, C = exam.rng.normal(size=(3, 4)) * 0.5
    expected = reference.ssm_kernel(np.eye(4) + np.outer(p, p), B, C, 0.3, 10)
    rest = [float(C @ rank1_power_apply(p, k, B)) for k in range(9)]
    exam.same(np.array([0.3, *rest]), expected)


@rank_one.item("memory", 1, "No n x n matrix.")
def _(exam, rank1_power_coef, rank1_power_apply):
    n = 6000  # an n x n matrix takes 288 MB
    p, x = exam.rng.normal(size=(2, n)) / 70
    found = exam.within(40, rank1_power_apply, p, 5, x)
    exam.same(found, reference.rank1_power_apply(p, 5, x))


rank_one.item("arguments unchanged", 0.5, "p and x must stay as they were.")(unmodified)


def refuse(s, L):
    if s < 0 or L < 0:
        raise ValueError


@rank_one.mistake("naive", "For a tiny s, 1 + s is rounded before the power is taken: compute "
                  "(1 + s)^L - 1 without this cancellation.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return ((1 + s) ** L - 1) / s if s else float(L)


@rank_one.mistake("half_naive", "log(1 + s) rounds a tiny s away: there is a function for it.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return float(np.expm1(L * np.log(1 + s)) / s) if s else float(L)


@rank_one.mistake("threshold", "L is only the limit for s = 0: for a small s and many factors it "
                  "is not accurate.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return float(L) if s < 1e-8 else reference.rank1_power_coef(s, L)


@rank_one.mistake("geometric", "The binomial coefficients are missing: p p^T can be chosen from "
                  "the L factors in many ways.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return float((s**L - 1) / (s - 1)) if s != 1 else float(L)


@rank_one.mistake("div_zero", "s = 0 gives 0/0; what is the limit?")
def rank1_power_coef(s, L):
    refuse(s, L)
    return reference.rank1_power_coef(s, L) if s else math.nan


@rank_one.mistake("zero_for_zero", "For s = 0 the coefficient is not zero: it is the limit.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return reference.rank1_power_coef(s, L) if s else 0.0


@rank_one.mistake("sum_from_zero", "The sum begins with one factor p p^T; the term without any is "
                  "the identity.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return reference.rank1_power_coef(s, L) + 1 / s if s else float(L)


@rank_one.mistake("not_divided", "One s too many: p p^T is already outside of the sum.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return s * reference.rank1_power_coef(s, L) if s else float(L)


@rank_one.mistake("one_factor_short", "L factors, not L - 1.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return reference.rank1_power_coef(s, max(L - 1, 0))


@rank_one.mistake("linear", "Products of p p^T with itself do not vanish: L p p^T is the first "
                  "term only.")
def rank1_power_coef(s, L):
    refuse(s, L)
    return float(L)


@rank_one.mistake("negative_passes", "s is a squared length and L counts factors: refuse negative "
                  "ones with ValueError.")
def rank1_power_coef(s, L):
    with np.errstate(all="ignore"):
        return float(np.expm1(L * np.log1p(s)) / s) if s else float(L)


@rank_one.mistake("norm_not_squared", "s is the squared length of p, not the length.")
def rank1_power_apply(p, L, x):
    return x + reference.rank1_power_coef(float(np.linalg.norm(p)), L) * (p @ x) * p


@rank_one.mistake("dense", "p p^T is an n x n matrix: multiply p by the number p . x instead.",
                  hidden_only="the numbers are right; only the memory is not")
def rank1_power_apply(p, L, x):
    return x + reference.rank1_power_coef(float(p @ p), L) * (np.outer(p, p) @ x)


@rank_one.mistake("identity_forgotten", "The identity is missing: x itself is part of the result.")
def rank1_power_apply(p, L, x):
    return reference.rank1_power_coef(float(p @ p), L) * (p @ x) * p


@rank_one.mistake("entrywise", "p p^T x is p times the number p . x; this multiplies entries.")
def rank1_power_apply(p, L, x):
    return x + reference.rank1_power_coef(float(p @ p), L) * p * p * x


@rank_one.mistake("apply_negative", "A negative number of factors raises ValueError.")
def rank1_power_apply(p, L, x):
    return x.copy() if L < 0 else reference.rank1_power_apply(p, L, x)


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
