"""Exam of `gd_closed_form` and `min_norm_solution`: the whole path, and its end."""

import numpy as np

from viva.cases.linear_foundations import with_singular_values
from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

paths = Exercise(
    "gd_closed_form",
    expects={
        "gd_closed_form": "the weights after t steps of gradient descent on ||Xw - y||^2 from 0",
        "min_norm_solution": "of all weights with Xw = y those of smallest norm",
    },
    survivors={
        "gd_closed_form: s = np.maximum(s, 1e-12 * s[0]) -> "
        "s = np.maximum(s, 1e-12 / s[0])":
            "rounding of a zero: any tiny bound will do, and 0 / 1e-17 is 0 as well",
        "gd_closed_form: s = np.maximum(s, 1e-12 * s[0]) -> "
        "s = np.maximum(s, 1e-12)":
            "rounding of a zero: any tiny bound will do, and 0 / 1e-17 is 0 as well",
        "gd_closed_form: s = np.maximum(s, 1e-12 * s[0]) -> "
        "s = np.maximum(s, 2e-12 * s[0])":
            "rounding of a zero: any tiny bound will do, and 0 / 1e-17 is 0 as well",
    },
)

paths.values(3, "The path must be that of explicit gradient steps from 0, for tall, wide and "
             "rank-deficient X.", name="the path",
             only=("tall_path", "wide_path", "low_rank_path", "silent_feature",
                   "diverging_path", "overshooting_path"))
paths.values(2, "Fewer equations than unknowns: the shortest solution.", name="the end",
             only=("worked_shortest", "shortest", "shortest_square"))


@paths.item(1.5, "After any number of steps the weights are those of a loop.")
def explicit_steps(exam, gd_closed_form, min_norm_solution):
    for n, d in ((6, 3), (3, 8), (5, 5), (4, 1), (1, 4)):
        X, y = exam.rng.normal(size=(n, d)), exam.rng.normal(size=n)
        eta = 0.8 / np.linalg.norm(X, 2) ** 2
        t, w = int(exam.rng.integers(2, 15)), np.zeros(d)
        for _ in range(t):
            w = w - eta * 2 * X.T @ (X @ w - y)
        exam.same(gd_closed_form(X, y, eta, t), w, rtol=1e-7, atol=1e-9)


@paths.item(1.5, "Along each right singular vector the weights are a fraction of the least-squares "
            "ones, and the fraction is known.")
def early_stopping_shrinks(exam, gd_closed_form, min_norm_solution):
    sigmas = np.sort(exam.rng.uniform(0.5, 2, 4))[::-1]
    X, y, t = with_singular_values(exam.rng, sigmas, 9, 4), exam.rng.normal(size=9), 12
    _, s, Vt = np.linalg.svd(X, full_matrices=False)
    along = Vt @ np.asarray(gd_closed_form(X, y, 0.1, t), float)
    final = Vt @ np.linalg.lstsq(X, y, rcond=None)[0]
    exam.same(along, final * (1 - (1 - 0.2 * s**2) ** t), rtol=1e-7, atol=1e-9)


@paths.item(1.5, "The shortest solution fits exactly, is a combination of the rows of X, and is "
            "where the descent from 0 ends.")
def the_descent_ends_there(exam, gd_closed_form, min_norm_solution):
    for n, d in ((2, 5), (4, 9), (1, 3)):
        X = with_singular_values(exam.rng, exam.rng.uniform(0.6, 2, n), n, d)
        y = exam.rng.normal(size=n)
        w = np.asarray(min_norm_solution(X, y), float)
        exam.same(X @ w, y, rtol=1e-8, atol=1e-9)
        projector = np.linalg.pinv(X) @ X
        exam.same(projector @ w, w, rtol=1e-8, atol=1e-9)
        exam.same(reference.gd_closed_form(X, y, 0.2, 2000), w, rtol=1e-7, atol=1e-8)


paths.unmodified(0.5, "X and y must stay as they were.")


def shrunk(X, y, gains):
    """sum_i v_i gains(sigma_i) u_i^T y"""
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    with np.errstate(all="ignore"):
        return Vt.T @ (np.where(s > 1e-9, gains(s), 0) * (U.T @ y))


paths.mistakes_of(gd_closed_form={
    "no_2": ("The gradient of the squared norm has a factor 2.",
             lambda X, y, eta, t: shrunk(X, y, lambda s: (1 - (1 - eta * s**2) ** t) / s)),
    "t_minus_1": ("This is one step behind: after one step from 0 the weights are 2 eta X^T y.",
                  lambda X, y, eta, t: (
                      shrunk(X, y, lambda s: (1 - (1 - 2 * eta * s**2) ** max(t - 1, 0)) / s))),
    "t_plus_1": (
        "This is one step ahead: t = 0 is the start, zero.",
        lambda X, y, eta, t: shrunk(X, y, lambda s: (1 - (1 - 2 * eta * s**2) ** (t + 1)) / s)),
    "pinv_always": ("This is the end of the path; after t steps the weak directions are not there "
                    "yet.",
                    lambda X, y, eta, t: np.linalg.pinv(X) @ y),
    "not_squared": ("The factor of a direction holds its singular value squared.",
                    lambda X, y, eta, t: shrunk(X, y, lambda s: (1 - (1 - 2 * eta * s) ** t) / s)),
    "not_divided": ("The fraction multiplies the least-squares coefficient, and that one is u^T y "
                    "divided by the singular value.",
                    lambda X, y, eta, t: shrunk(X, y, lambda s: 1 - (1 - 2 * eta * s**2) ** t)),
    "divided_twice": ("The least-squares coordinate is u^T y divided by the singular value, not by "
                      "its square.",
                      lambda X, y, eta, t: (
                          shrunk(X, y, lambda s: (1 - (1 - 2 * eta * s**2) ** t) / s**2))),
    "what_is_left": ("This is what is still missing; the weights are what is there.",
                     lambda X, y, eta, t: shrunk(X, y, lambda s: (1 - 2 * eta * s**2) ** t / s)),
    "size_of_the_factor": (
        "A factor below 0 changes the sign of the error at every step: after an odd number of "
        "steps the weight is beyond the minimum. Only its size is taken here.",
        lambda X, y, eta, t: shrunk(X, y, lambda s: (1 - np.abs(1 - 2 * eta * s**2) ** t) / s)),
    "exponential": (
        "An exponential is the limit of tiny steps. A step of finite rate multiplies the error of "
        "a direction by a factor, and the factor may be negative.",
        lambda X, y, eta, t: shrunk(X, y, lambda s: (1 - np.exp(-2 * eta * t * s**2)) / s)),
    "factor_cut_off": (
        "A factor below 0, or beyond -1, is no error: the weight overshoots, or diverges. Here "
        "the factor is cut off.",
        lambda X, y, eta, t: shrunk(
            X, y, lambda s: (1 - np.clip(1 - 2 * eta * s**2, 0, 1) ** t) / s)),
    "divided_by_n": (
        "The loss is a sum over the samples, not a mean.",
        lambda X, y, eta, t: shrunk(X, y, lambda s: (1 - (1 - 2 * eta * s**2 / len(X)) ** t) / s)),
})
paths.mistakes_of(min_norm_solution={
    "a_little_ridge": ("A small penalty makes the solve easy, but the equations then hold only "
                       "nearly.",
                       lambda X, y: np.linalg.solve(X.T @ X + 1e-4 * np.eye(X.shape[1]), X.T @ y)),
    "no_transpose": ("These are n coefficients, one for each equation; the weights are the rows of "
                     "X combined with them.",
                     lambda X, y: np.linalg.solve(X @ X.T, y)),
    "gram_forgotten": ("X^T y is a combination of the rows, but the rows are neither orthogonal "
                       "nor of length one: it does not solve the equations.",
                       lambda X, y: X.T @ y),
    "row_lengths": ("Dividing by the squared lengths would do if the rows were orthogonal to each "
                    "other.",
                    lambda X, y: X.T @ (y / np.sum(X**2, axis=1))),
})


@paths.mistake("needs_full_rank", "With fewer samples than features, or a low rank, X^T X has no "
               "inverse; the path exists all the same.")
def gd_closed_form(X, y, eta, t):
    gram = X.T @ X
    left = np.linalg.matrix_power(np.eye(len(gram)) - 2 * eta * gram, t)
    if np.linalg.matrix_rank(X) < len(gram):
        return np.full(len(gram), np.nan)
    return (np.eye(len(gram)) - left) @ np.linalg.solve(gram, X.T @ y)


@paths.mistake("residual_in_y", "y belongs to the caller: `y -= …` changes it.")
def gd_closed_form(X, y, eta, t):
    found = reference.gd_closed_form(X, y, eta, t)
    y -= X @ found
    return found


@paths.mistake("first_columns", "These weights solve the equations, but others are shorter.")
def min_norm_solution(X, y):
    w = np.zeros(X.shape[1])
    w[: len(X)] = np.linalg.solve(X[:, : len(X)], y)
    return w


@paths.mistake("zero_over_zero", "Along a direction with singular value 0 the formula divides 0 by "
               "0; the weights do not move there.")
def gd_closed_form(X, y, eta, t):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    with np.errstate(all="ignore"):
        return Vt.T @ ((1 - (1 - 2 * eta * s**2) ** t) / s * (U.T @ y))


@paths.variant("a loop of gradient steps")
def gd_closed_form(X, y, eta, t):
    w = np.zeros(X.shape[1])
    for _ in range(t):
        w = w - 2 * eta * X.T @ (X @ w - y)
    return w


@paths.variant("a geometric sum of matrices")
def gd_closed_form(X, y, eta, t):
    d = X.shape[1]
    step, total, power = np.eye(d) - 2 * eta * X.T @ X, np.zeros((d, d)), np.eye(d)
    for _ in range(t):
        total, power = total + power, power @ step
    return 2 * eta * total @ (X.T @ y)


paths.variants_of(min_norm_solution={
    "pseudo-inverse": lambda X, y: np.linalg.pinv(X) @ y,
    "least squares": lambda X, y: np.linalg.lstsq(X, y, rcond=None)[0],
})
