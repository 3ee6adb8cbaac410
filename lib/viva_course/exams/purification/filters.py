"""Exam of `shrink` and `purifier_svd`: one factor per singular direction."""

import numpy as np

from viva.cases.purification.common import orthogonal, with_singular_values
from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

filters = Exercise(
    "shrink",
    expects={
        "shrink": "a factor between 0 and 1 for every singular value",
        "purifier_svd": "a symmetric (m, m) matrix whose eigenvalues are the factors",
    },
    survivors={
        "purifier_svd: s[s < 1e-12 * s[0]] = 0 -> s[s <= 1e-12 * s[0]] = 0":
            "equality means that s is 0 already",
        "purifier_svd: s[s < 1e-12 * s[0]] = 0 -> s[s < 2e-12 * s[0]] = 0":
            "any threshold between rounding error and the weakest direction is right",
    },
)

filters.values(2, "The factors must agree with sigma^2/(sigma^2 + lam).",
               only=("eight_factors", "random_factors"), name="factors")
filters.values(2.5, "W must agree with the closed form for wide, tall and square X.",
               only=("wide_svd", "tall_svd", "square_svd"), name="W")


@filters.item(1, "A singular value 0 has the factor 0, at lam = 0 as well; lists and integers are "
              "welcome.")
def zeros(exam, shrink, purifier_svd):
    sigma = np.array([exam.rng.uniform(1, 2), 0.0, exam.rng.uniform(2, 3)])
    exam.same(shrink(sigma, 0.0), np.array([1.0, 0.0, 1.0]))
    lam = float(exam.rng.uniform(1.5, 3))
    exam.same(shrink(sigma, lam), sigma**2 / (sigma**2 + lam))
    exam.same(shrink([0, 3], 0), np.array([0.0, 1.0]))  # integers, in a list
    whole = exam.rng.integers(1, 9, 4).tolist()
    exam.same(shrink(whole, 3), np.square(whole) / (np.square(whole) + 3.0))
    exam.same(shrink(sigma * 1e-7, 0.0), np.array([1.0, 0.0, 1.0]))  # weak is not silent


@filters.item(2, "Repeated and zero singular values are harmless; lam = 0 is the projector.")
def degenerate_data(exam, shrink, purifier_svd):
    column, row = exam.rng.normal(size=(4, 1)), exam.rng.normal(size=(1, 6))
    line = column @ column.T / (column**2).sum()
    size = float((column**2).sum() * (row**2).sum())
    lam = float(exam.rng.uniform(1, 3))
    exam.same(purifier_svd(column @ row, lam), size / (size + lam) * line, rtol=0, atol=1e-9)
    for scale in (1.0, 1e7, 1e-7):
        exam.same(purifier_svd(scale * column @ row, 0.0), line, rtol=0, atol=1e-9)
    Q = orthogonal(exam.rng, 5, 3)
    exam.same(purifier_svd(2 * Q, lam), 4 / (4 + lam) * Q @ Q.T, rtol=0, atol=1e-9)
    for weight in (lam, 0.0):
        exam.same(purifier_svd(np.zeros((3, 5)), weight), np.zeros((3, 3)))


@filters.item(2, "A direction 1e8 times weaker than the strongest keeps six digits of its factor; "
              "XX^T would lose them.")
def small_beside_large(exam, shrink, purifier_svd):
    # Rounding of X moves a singular value by 1e-16 * 1e5, the weakest by 1e-8 of itself; in XX^T
    # rounding is 1e-16 * 1e10, as large as the weakest eigenvalue.
    sigmas, lam = np.logspace(5, -3, 7), 1e-3
    X = with_singular_values(exam.rng, sigmas, 7, 10)
    got = np.asarray(purifier_svd(X, lam))
    exam.true(got.shape == (7, 7) and bool(np.isfinite(got).all()), "W must be m x m and finite")
    factors = np.sort(sigmas**2 / (sigmas**2 + lam))
    exam.same(np.linalg.eigvalsh((got + got.T) / 2), factors, rtol=1e-6, atol=0)


filters.unmodified(0.5, "sigma and X must stay as they were.")


def _share(part, rest):
    """part / (part + rest), 0 where both are."""
    part = np.asarray(part, float)
    return np.where(part > 0, part / np.maximum(part + rest, 1e-300), 0.0)


filters.mistakes_of(shrink={
    "first_power": ("Square the singular values: sigma^2/(sigma^2 + lam).", _share),
    "lam_squared": ("lam enters once: sigma^2 + lam.",
                    lambda sigma, lam: _share(np.square(sigma), lam**2)),
    "complement": ("This is the part that is removed; the kept part is one minus it.",
                   lambda sigma, lam: lam / np.maximum(np.square(sigma) + lam, 1e-300)),
})


@filters.mistake("first_power_W", "W uses sigma/(sigma + lam); square the singular values.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U * (s / np.maximum(s + lam, 1e-300))) @ U.T


@filters.mistake("lam_squared_W", "W uses sigma^2 + lam^2; lam enters once.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U * (s**2 / np.maximum(s**2 + lam**2, 1e-300))) @ U.T


filters.mistakes_of(shrink={
    "whole_factors": ("Factors lie between 0 and 1, and an array of whole numbers cannot hold "
                      "them: convert sigma to float first.",
                      lambda sigma, lam: reference.shrink(sigma, lam).astype(
                          np.asarray(sigma).dtype)),
    "epsilon_below": ("A small number is added to the denominator: at lam = 0 weak directions no "
                      "longer pass whole. Treat 0/0 by itself.",
                      lambda sigma, lam: np.square(sigma) / (np.square(sigma) + lam + 1e-12)),
})
filters.mistakes_of(purifier_svd={
    "V_with_cut": ("These are the right singular vectors, n x n; channels live in U.",
                   lambda X, lam: reference.purifier_svd(np.transpose(X), lam)),
    "data_with_cut": ("U S V^T is X filtered; the map W itself is U S U^T.",
                      lambda X, lam: reference.purifier_svd(X, lam) @ X),
})


@filters.mistake("V_not_U", "These are the right singular vectors, n x n; channels live in U.")
def purifier_svd(X, lam):
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    return (Vt.T * (s**2 / np.maximum(s**2 + lam, 1e-300))) @ Vt


@filters.mistake("complement_W", "This W keeps what should be removed: one minus the factor.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U * (lam / np.maximum(s**2 + lam, 1e-300))) @ U.T


@filters.mistake("UV", "U S V^T is X filtered; the map W itself is U S U^T.")
def purifier_svd(X, lam):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return (U * (s**2 / np.maximum(s**2 + lam, 1e-300))) @ Vt


@filters.mistake("full_matrices_bug", "With more channels than samples the full U has more "
                 "columns than there are factors: use the thin SVD.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X)
    return (U * (s**2 / np.maximum(s**2 + lam, 1e-300))) @ U.T


@filters.mistake("via_eigh_gram", "The Gram matrix squares the condition number, so weak "
                 "directions drown in rounding errors: take the SVD of X itself.")
def purifier_svd(X, lam):
    values, U = np.linalg.eigh(X @ X.T)
    values = np.where(values > 1e-12 * np.abs(values).max(), values, 0.0)
    return (U * (values / np.maximum(values + lam, 1e-300))) @ U.T


@filters.mistake("transposed_order", "U^T S U: the transposed factor goes to the right.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X)
    factors = np.zeros(len(U))
    factors[: len(s)] = s**2 / np.maximum(s**2 + lam, 1e-300)
    return U.T @ np.diag(factors) @ U


@filters.mistake("zero_over_zero", "0/0 is NaN in floating point: the factor there is 0.")
def shrink(sigma, lam):
    with np.errstate(invalid="ignore"):
        return np.divide(np.square(sigma), np.square(sigma) + lam)


@filters.mistake("one_at_zero", "A direction that X does not contain has the factor 0, not 1.")
def shrink(sigma, lam):
    sigma = np.asarray(sigma, float)
    return np.where(sigma**2 + lam > 0, sigma**2 / np.maximum(sigma**2 + lam, 1e-300), 1.0)


@filters.mistake("rounding_passes", "At lam = 0 a singular value of 1e-16 passes whole: set those "
                 "below rounding error to zero first.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    factors = np.divide(s**2, s**2 + lam, out=np.zeros(len(s)), where=s**2 + lam > 0)
    return (U * factors) @ U.T


@filters.mistake("absolute_cut", "1e-12 is meant relative to the largest singular value: as a "
                 "number of its own it is too small for large data, and too large for small ones.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    s = np.where(s < 1e-12, 0, s)
    factors = np.divide(s**2, s**2 + lam, out=np.zeros(len(s)), where=s**2 + lam > 0)
    return (U * factors) @ U.T


@filters.mistake("squared_twice", "The factor is applied once, not squared.")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    s = np.where(s > 1e-13 * s.max(initial=0), s, 0.0)
    W = (U * (s**2 / np.maximum(s**2 + lam, 1e-300))) @ U.T
    return W @ W


@filters.mistake("in_place", "`sigma *= sigma` changes the caller's array.")
def shrink(sigma, lam):
    sigma = np.asarray(sigma, float)
    sigma *= sigma
    return _share(sigma, lam)


@filters.variant("one over one plus")
def shrink(sigma, lam):
    sigma = np.asarray(sigma, dtype=float)
    safe = np.where(sigma > 0, sigma, 1.0)
    return np.where(sigma > 0, 1 / (1 + lam / safe**2), 0.0)


@filters.variant("sum over directions")
def purifier_svd(X, lam):
    U, s, _ = np.linalg.svd(X)
    W = np.zeros((len(X), len(X)))
    for i, sigma in enumerate(s):
        if sigma > 1e-14 * s[0]:
            W += sigma**2 / (sigma**2 + lam) * np.outer(U[:, i], U[:, i])
    return W


@filters.variant("from the transposed data")
def purifier_svd(X, lam):
    _, s, Ut = np.linalg.svd(np.asarray(X, float).T, full_matrices=False)
    keep = s > 1e-13 * s.max()
    return Ut[keep].T @ np.diag(s[keep] ** 2 / (s[keep] ** 2 + lam)) @ Ut[keep]
