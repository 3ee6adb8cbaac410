"""Exam of `ridge_primal`, `ridge_dual` and `ridge`: one answer, two systems."""

import numpy as np

from viva.cases.linear_foundations import with_singular_values
from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

duality = Exercise(
    "ridge_primal",
    expects={
        "ridge_primal": "the minimiser of ||Xw - y||^2 + lam ||w||^2, from a d x d system",
        "ridge_dual": "the same minimiser from an n x n system",
        "ridge": "the same minimiser from the smaller system; lam = 0: the shortest "
                 "least-squares solution; lam < 0: ValueError",
    },
    survivors={
        "ridge: return ridge_primal(X, y, lam) if X.shape[1] <= X.shape[0] else "
        "ridge_dual(X, y, lam) -> return ridge_primal(X, y, lam) if X.shape[1] < X.shape[0] else "
        "ridge_dual(X, y, lam)":
            "of two systems of the same size either is the smaller one",
        "ridge: return np.linalg.lstsq(X, y, rcond=None)[0] -> return np.linalg.lstsq(X, y)[0]":
            "rcond=None is the default of numpy itself",
    },
)

duality.values(1, "The primal solution minimises ||Xw - y||^2 + lam ||w||^2.", name="primal",
               only=("tall_primal", "wide_primal", "accurate_primal"))
duality.values(1, "The dual solution is the same minimiser.", name="dual",
               only=("tall_dual", "wide_dual", "accurate_dual"))
duality.values(2, "ridge gives the minimiser for every shape and for one or several targets.",
               name="ridge", only=("any_shape",))
duality.values(1, "ridge never solves the larger system: with a tiny lam it is inaccurate.",
               name="the smaller system", only=("smaller_system",))


@duality.item(1, "At each of the three answers the gradient of ||Xw - y||^2 + lam ||w||^2 "
              "vanishes.")
def stationary(exam, ridge_primal, ridge_dual, ridge):
    for n, d in ((7, 3), (4, 4), (2, 6), (5, 1), (1, 4)):
        X, y = exam.rng.normal(size=(n, d)), exam.rng.normal(size=(n, 2))
        lam = float(exam.rng.uniform(0.1, 4))
        for solve in (ridge_primal, ridge_dual, ridge):
            w = np.asarray(solve(X, y, lam), float)
            exam.same(X.T @ (X @ w - y) + lam * w, np.zeros((d, 2)), atol=1e-8)


@duality.item(1, "lam = 0 gives the shortest least-squares solution for every rank of X.")
def no_penalty(exam, ridge_primal, ridge_dual, ridge):
    for n, d, rank in ((8, 3, 3), (3, 8, 3), (6, 4, 2), (4, 7, 2)):
        core = with_singular_values(exam.rng, np.linspace(2, 1, rank), n, rank)
        X = np.hstack([core, np.zeros((n, d - rank))]) if rank < min(n, d) else (
            with_singular_values(exam.rng, np.linspace(2, 1, rank), n, d))
        y = exam.rng.normal(size=n)
        expected = np.linalg.pinv(X, rcond=1e-10) @ y
        exam.same(ridge(X, y, 0), expected, rtol=1e-7, atol=1e-8)
        exam.same(ridge(X, y, 0.0), expected, rtol=1e-7, atol=1e-8)
    for n, d in ((7, 3), (3, 6)):  # a weak direction, a thousand times above rounding and more
        X, y = with_singular_values(exam.rng, (2, 1.2, 1e-3), n, d), exam.rng.normal(size=n)
        exam.same(ridge(X, y, 0), np.linalg.pinv(X, rcond=1e-10) @ y, rtol=1e-6, atol=1e-6)


@duality.item(0.5, "A negative lam raises ValueError.")
def negative_penalty(exam, ridge_primal, ridge_dual, ridge):
    for n, d in ((5, 2), (2, 5)):
        X, y = exam.rng.normal(size=(n, d)), exam.rng.normal(size=n)
        exam.same(ridge(X, y, 0.5), reference.ridge(X, y, 0.5))
        exam.raises(ValueError, ridge, X, y, -float(exam.rng.uniform(0.01, 2)))


duality.unmodified(0.5, "X and y must stay as they were.")


def primal(X, y, lam):
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)


def dual(X, y, lam):
    return X.T @ np.linalg.solve(X @ X.T + lam * np.eye(len(X)), y)


duality.mistakes_of(ridge_primal={
    "lam_n": ("The loss is a sum, not a mean: lam is not multiplied by n.",
              lambda X, y, lam: primal(X, y, lam * len(X))),
    "lam_half": ("Both terms of the gradient have the same factor 2: lam stays whole.",
                 lambda X, y, lam: primal(X, y, lam / 2)),
    "no_penalty_at_all": ("These are least-squares weights: lam does not enter.",
                          lambda X, y, lam: np.linalg.pinv(X) @ y),
    "lam_everywhere_if_tall": (
        "`X.T @ X + lam` adds lam to every entry; the penalty belongs on the diagonal.",
        lambda X, y, lam: (
            np.linalg.solve(X.T @ X + lam, X.T @ y) if len(X) > X.shape[1] else primal(X, y, lam))),
    "lam_squared_primal": ("The penalty is lam ||w||^2: lam itself stands on the diagonal.",
                           lambda X, y, lam: primal(X, y, lam**2)),
    "twice_lam": ("Both terms of the gradient have a factor 2: it cancels, and lam stands alone.",
                  lambda X, y, lam: reference.ridge_primal(X, y, 2 * lam)),
    "lam_everywhere": ("`X.T @ X + lam` adds lam to every entry; the penalty belongs on the "
                       "diagonal.",
                       lambda X, y, lam: np.linalg.solve(X.T @ X + lam, X.T @ y)),
})
duality.mistakes_of(ridge_dual={
    "dual_without_XT": ("These are the n coefficients of the samples; the weights combine the rows "
                        "of X with them.",
                        lambda X, y, lam: np.linalg.solve(X @ X.T + lam * np.eye(len(X)), y)),
    "gram_mixed": ("The same lam stands in both systems, not its square.",
                   lambda X, y, lam: dual(X, y, lam**2)),
    "dual_lam_half": ("The same lam stands in both systems: not half of it.",
                      lambda X, y, lam: dual(X, y, lam / 2)),
    "dual_by_features": ("This solves a d x d system: the dual form has one unknown for each "
                         "sample, and only that one is accurate for a tiny lam.",
                         lambda X, y, lam: primal(X, y, lam)),
    "dual_scaled": ("The coefficients are those of the whole system: no further factor lam.",
                    lambda X, y, lam: lam * dual(X, y, lam)),
    "X_for_XT": ("lam stands inside the inverse, added to the Gram matrix of the samples, not to "
                 "its inverse.",
                 lambda X, y, lam: X.T @ (np.linalg.pinv(X @ X.T) @ y + lam * y)),
    "divided_by_lam": ("lam is in the system already: w is X^T alpha, not divided by lam again.",
                       lambda X, y, lam: reference.ridge_dual(X, y, lam) / lam),
})
duality.mistakes_of(ridge={
    "lam0_jitter": ("A tiny penalty instead of none changes the weights: lam = 0 has an exact "
                    "answer.",
                    lambda X, y, lam: reference.ridge(X, y, lam if lam else 1e-5)),
    "negative_accepted": ("A negative lam rewards long weights: refuse it with ValueError.",
                          lambda X, y, lam: reference.ridge(X, y, abs(lam))),
    "ridge_lam_n": ("lam is the same number in all three functions: no factor n.",
                    lambda X, y, lam: reference.ridge(X, y, lam * len(X))),
    "lam_floor": ("A tiny penalty instead of the one that is asked for changes the weights: lam = "
                  "0 has an exact answer, and so has lam = 1e-13.",
                  lambda X, y, lam: reference.ridge(X, y, max(lam, 1e-4) if lam >= 0 else lam)),
    "one_target": ("y may have several columns; the result then has as many.",
                   lambda X, y, lam: reference.ridge(X, y if y.ndim == 1 else y[:, 0], lam)),
    "lam0_faint": ("A tiny penalty instead of none changes the weights: lam = 0 has an exact "
                   "answer.",
                   lambda X, y, lam: reference.ridge(X, y, lam if lam else 1e-10)),
})


@duality.mistake("lam0_refused", "Only a negative lam is refused: lam = 0 is allowed, and gives "
                 "the shortest least-squares solution.")
def ridge(X, y, lam):
    if lam <= 0:
        raise ValueError
    return reference.ridge(X, y, lam)


@duality.mistake("lam0_cut", "At lam = 0 a weak direction is cut off here, but it is far above "
                 "rounding: only what rounding leaves counts as zero.")
def ridge(X, y, lam):
    return np.linalg.lstsq(X, y, rcond=1e-3)[0] if lam == 0 else reference.ridge(X, y, lam)


@duality.mistake("always_primal", "With more features than samples the n x n system is the "
                 "smaller one, cheaper and more accurate.")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError
    return primal(X, y, lam) if lam else np.linalg.pinv(X, rcond=1e-10) @ y


@duality.mistake("always_dual", "With more samples than features the d x d system is the smaller "
                 "one, cheaper and more accurate.")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError
    return dual(X, y, lam) if lam else np.linalg.pinv(X, rcond=1e-10) @ y


@duality.mistake("larger_system", "This chooses the larger of the two systems.")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError
    if lam == 0:
        return np.linalg.pinv(X, rcond=1e-10) @ y
    return primal(X, y, lam) if X.shape[1] > len(X) else dual(X, y, lam)


@duality.mistake("lam0_crash", "At lam = 0 the system may be singular; there the shortest "
                 "least-squares solution is asked for.")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError
    with np.errstate(all="ignore"):
        if lam == 0 and np.linalg.matrix_rank(X) < min(X.shape):
            return np.full(X.shape[1], np.nan)
    return primal(X, y, lam) if X.shape[1] <= len(X) else dual(X, y, lam)


@duality.mistake("in_place", "y belongs to the caller: leave it as it is.")
def ridge(X, y, lam):
    found = reference.ridge(X, y, lam)
    y -= X @ found
    return found


@duality.variant("singular values")
def ridge(X, y, lam):
    if lam < 0:
        raise ValueError("lam < 0")
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    gain = np.where(s > 1e-12 * s[0], s / np.maximum(s**2 + lam, 1e-300), 0)
    return (Vt.T * gain) @ (U.T @ y)


@duality.variant("with an inverse")
def ridge_primal(X, y, lam):
    return np.linalg.inv(X.T @ X + lam * np.eye(X.shape[1])) @ X.T @ y


@duality.variant("alpha first")
def ridge_dual(X, y, lam):
    K = np.einsum("id,jd->ij", X, X)
    K[np.diag_indices(len(K))] += lam
    alpha = np.linalg.solve(K, y)
    return np.tensordot(X, alpha, axes=(0, 0))
