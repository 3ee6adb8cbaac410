"""Exam of `max_lr`, `best_lr` and `contraction`: the singular values set the pace."""

import numpy as np

from viva.cases.linear_foundations import with_singular_values
from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

rates = Exercise(
    "max_lr",
    expects={
        "max_lr": "the rate below which gradient descent on ||Xw - y||^2 converges for every y",
        "best_lr": "the constant rate whose slowest direction is as fast as possible",
        "contraction": "by which factor a step multiplies the error of the slowest direction, "
                       "among those that the data can move",
    },
    survivors={
        "contraction: return np.max(np.abs(1 - 2 * eta * s ** 2)) -> "
        "return np.max(np.abs(2 * eta * s ** 2 - 1))":
            "the same size",
    },
)

rates.values(2, "The bound comes from one singular value.", name="largest rate",
             only=("worked_largest", "largest_of_five"))
rates.values(2, "The best rate balances two directions, however many there are.",
             name="best rate", only=("worked_best", "best_of_five", "best_of_a_wide_matrix",
                                     "best_of_a_small_matrix", "best_around_a_millionth"))
rates.values(2, "The contraction is that of the slowest direction, at any rate.",
             name="contraction",
             only=("worked_contraction", "contraction_of_five", "contraction_of_a_wide_matrix",
                   "contraction_around_a_millionth", "contraction_of_far_apart"))


def sides(rng):
    """A tall matrix, a wide one and one of low rank."""
    for n, d, rank in ((9, 4, 4), (4, 9, 4), (7, 6, 3)):
        sigmas = np.array([3, 2, 1, 0.5])[:rank] * rng.uniform(0.9, 1.1, rank)
        yield with_singular_values(rng, sigmas * rng.uniform(0.3, 1.5), n, d)


@rates.item(1, "With 0.97 times the bound explicit gradient descent from 0 converges, with 1.03 "
            "times it diverges.")
def sharp(exam, max_lr, best_lr, contraction):
    for X in sides(exam.rng):
        y, bound = exam.rng.normal(size=len(X)), float(max_lr(X))
        limit = np.linalg.pinv(X, rcond=1e-10) @ y
        for share, arrives in ((0.97, True), (1.03, False)):
            step = np.eye(X.shape[1]) - 2 * share * bound * X.T @ X
            error = np.linalg.matrix_power(step, 4000) @ limit
            gone = bool(np.abs(error).max() < 1e-6 * np.abs(limit).max())
            exam.true(gone == arrives, f"{share} times your bound: "
                      f"{'does not converge' if arrives else 'converges'}")


@rates.item(1.5, "No rate of a fine grid contracts faster than the best one.")
def no_better_rate(exam, max_lr, best_lr, contraction):
    for X in sides(exam.rng):
        squares = np.linalg.svd(X, compute_uv=False) ** 2
        squares = squares[squares > 1e-9]
        grid = np.linspace(0, 1 / squares[0], 2001)[1:]
        worst = np.abs(1 - 2 * grid[:, None] * squares).max(axis=1)
        eta = float(best_lr(X))
        mine = np.abs(1 - 2 * eta * squares).max()
        exam.true(mine <= worst.min() + 1e-9, "another rate contracts faster than yours")
        kappa = squares[0] / squares[-1]
        exam.same(float(mine), float((kappa - 1) / (kappa + 1)), rtol=1e-8, atol=1e-9)


@rates.item(1, "The contraction is the factor that one measures after many steps of gradient "
            "descent from 0.")
def measured(exam, max_lr, best_lr, contraction):
    for X, share in zip(sides(exam.rng), exam.rng.permutation([0.15, 0.8, 1.2])):
        rows = np.linalg.pinv(X, rcond=1e-10) @ X  # rounding must not leave the row space
        eta, error = float(share) / np.linalg.norm(X, 2) ** 2, X.T @ exam.rng.normal(size=len(X))
        step = rows - 2 * eta * X.T @ X
        for _ in range(600):  # the second slowest direction is left behind
            error = step @ (error / np.linalg.norm(error))
        exam.same(float(contraction(X, eta)), float(np.linalg.norm(error)), rtol=1e-3)


rates.unmodified(0.5, "X must stay as it was.")


def singular_values(X):
    sigmas = np.linalg.svd(X, compute_uv=False)
    return sigmas[sigmas > 1e-6 * sigmas[0]]


FIXED = "Whether a singular value is zero shows beside the largest one, not beside a fixed number."


def beside_a_millionth(X, found):
    """What is found from the singular values above 1e-6."""
    sigmas = np.linalg.svd(X, compute_uv=False)
    return found(sigmas[sigmas > 1e-6])


rates.mistakes_of(max_lr={
    "rows_for_directions": (
        "The length of a row is no singular value: rows that point the same way add up. The "
        "largest singular value sets the bound.",
        lambda X: 1 / np.max(np.sum(X**2, axis=1))),
    "bound_without_2": ("The gradient of ||Xw - y||^2 has a factor 2, so the bound is half of this "
                        "one.",
                        lambda X: 2 / singular_values(X)[0] ** 2),
    "half_bound": ("From here on the fastest direction overshoots, yet it converges.",
                   lambda X: 0.5 / singular_values(X)[0] ** 2),
    "bound_not_squared": ("X acts twice in the gradient: the singular value is squared.",
                          lambda X: 1 / singular_values(X)[0]),
    "min_sv": ("The direction with the largest singular value diverges first.",
               lambda X: 1 / singular_values(X)[-1] ** 2),
    "frobenius": ("The Frobenius norm adds all directions up; each lives by itself, and the "
                  "largest singular value alone sets the bound.",
                  lambda X: 1 / np.sum(X**2)),
})
rates.mistakes_of(best_lr={
    "all_squares": ("This is the sum of the squares of all singular values; only the strongest "
                    "and the weakest of them enter.",
                    lambda X: 1 / np.sum(X**2)),
    "best_absolute_crash": (FIXED, lambda X: beside_a_millionth(
        X, lambda s: 1 / (s[0] ** 2 + s[-1] ** 2))),
    "best_absolute_tolerance": (
        FIXED,
        lambda X: (lambda s: 1 / (s[0] ** 2 + s[-1] ** 2) if len(s) else np.nan)(
            (s := np.linalg.svd(X, compute_uv=False))[s > 1e-6])),
    "mean_of_all": ("Directions between the strongest and the weakest are never the slowest: they "
                    "do not enter.",
                    lambda X: 0.5 / np.mean(singular_values(X) ** 2)),
    "only_largest": ("This rate settles the strongest direction in one step and leaves the weakest "
                     "slow; balance the two.",
                     lambda X: 0.5 / singular_values(X)[0] ** 2),
})
rates.mistakes_of(contraction={
    "not_squared": ("A step multiplies the error of a direction by a factor that holds the square "
                    "of its singular value.",
                    lambda X, eta: np.max(np.abs(1 - 2 * eta * singular_values(X)))),
    "contraction_without_2": ("The gradient of the square has a factor 2.",
                              lambda X, eta: np.max(np.abs(1 - eta * singular_values(X) ** 2))),
    "no_abs": ("A factor of -0.9 shrinks the error as slowly as 0.9: sizes count.",
               lambda X, eta: np.max(1 - 2 * eta * singular_values(X) ** 2)),
    "strongest_only": ("At a small rate the weakest direction is the slowest one.",
                       lambda X, eta: np.abs(1 - 2 * eta * singular_values(X)[0] ** 2)),
    "average_factor": ("The slowest direction decides, not the average one.",
                       lambda X, eta: np.mean(np.abs(1 - 2 * eta * singular_values(X) ** 2))),
    "fastest": ("This is the fastest direction; the slowest decides.",
                lambda X, eta: np.min(np.abs(1 - 2 * eta * singular_values(X) ** 2))),
    "null_space": (
        "Directions with singular value zero have the factor 1, but the descent never moves there: "
        "leave them out.",
        lambda X, eta: np.max(np.abs(np.linalg.eigvalsh(np.eye(X.shape[1]) - 2 * eta * X.T @ X)))),
    "drops_weak_directions": (
        "Only what is below a millionth of the largest singular value is rounding: this drops a "
        "weak direction, and the weakest is the slowest.",
        lambda X, eta: np.max(np.abs(
            1 - 2 * eta * (s := singular_values(X))[s**2 > 1e-6 * s[0] ** 2] ** 2))),
    "weakest_only": ("At a large rate the strongest direction is the slowest one.",
                     lambda X, eta: np.abs(1 - 2 * eta * singular_values(X)[-1] ** 2)),
    "absolute_crash": (FIXED, lambda X, eta: beside_a_millionth(
        X, lambda s: np.max(np.abs(1 - 2 * eta * s**2)))),
    "of_the_loss": (
        "The error of a direction is multiplied by the factor itself; its square belongs to the "
        "loss.",
        lambda X, eta: reference.contraction(X, eta) ** 2),
    "absolute_tolerance": (
        FIXED,
        lambda X, eta: np.max(np.abs(
            1 - 2 * eta * (s := singular_values(X))[s > 1e-6] ** 2), initial=0.0)),
    "best_contraction": ("This is the contraction at the best rate; the one at eta is asked for.",
                         lambda X, eta: reference.contraction(X, reference.best_lr(X))),
    "capped_at_one": ("Where the descent diverges the contraction is above 1: do not cap it.",
                      lambda X, eta: min(1.0, reference.contraction(X, eta))),
})


@rates.mistake("best_2_over", "That is the best rate for half the loss: the gradient here has a "
               "factor 2.")
def best_lr(X):
    sigmas = singular_values(X)
    return 2 / (sigmas[0] ** 2 + sigmas[-1] ** 2)


@rates.mistake("best_not_squared", "The factors hold the squares of the singular values.")
def best_lr(X):
    sigmas = singular_values(X)
    return 1 / (sigmas[0] + sigmas[-1])


@rates.mistake("geometric", "Set the two extreme factors equal in size: the squares add up, they "
               "are not multiplied.")
def best_lr(X):
    sigmas = singular_values(X)
    return 0.5 / (sigmas[0] * sigmas[-1])


@rates.mistake("zero_sv", "A direction with singular value zero never moves and has no error to "
               "shrink: it does not count.")
def best_lr(X):
    return 1 / np.linalg.norm(X, 2) ** 2 if np.linalg.matrix_rank(X) < X.shape[1] else (
        reference.best_lr(X))


@rates.mistake("in_place", "X belongs to the caller: scale a copy.")
def contraction(X, eta):
    found = reference.contraction(X, eta)
    X *= np.sqrt(2 * eta)
    return found


@rates.mistake("zero_sv_thin", "A direction with singular value zero never moves and has no error "
               "to shrink: it does not count.")
def best_lr(X):
    sigmas = np.linalg.svd(X, compute_uv=False)
    return 1 / (sigmas[0] ** 2 + sigmas[-1] ** 2)


@rates.variant("eigenvalues of the Gram matrix")
def best_lr(X):
    squares = np.linalg.eigvalsh(X.T @ X)
    squares = squares[squares > 1e-11 * squares[-1]]
    return 1 / (squares.max() + squares.min())


rates.variants_of(max_lr={"spectral norm": lambda X: 1.0 / np.linalg.norm(X, 2) ** 2})


@rates.variant("a loop")
def contraction(X, eta):
    worst, sigmas = 0.0, np.linalg.svd(X)[1]
    for sigma in sigmas:
        if sigma > 1e-6 * sigmas[0]:
            worst = max(worst, abs(1 - 2 * eta * sigma**2))
    return worst
