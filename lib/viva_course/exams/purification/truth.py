"""Exam of `best_lambda`: which lam brings noisy data nearest to the truth."""

import numpy as np

from viva.kits.purification.data import make_low_rank
from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

truth = Exercise(
    "best_lambda",
    expects="the lam of the grid with the smallest mean((W Y - S)^2), and all the errors",
    survivors={
        ("best_lambda: passed = [U * (s ** 3 / np.maximum(s ** 2 + lam, 1e-300)) @ Vt"
         " for lam in grid]"
         " -> passed = [U * (s ** 3 / np.maximum(s ** 2 + lam, 2e-300)) @ Vt for lam in grid]"):
            "any tiny number keeps 0 / 0 away",
    },
)


def data(rng, m=5, n=30):
    return make_low_rank(m, n, 2, signal=1.5, noise=0.8, seed=int(rng.integers(2**32)))


truth.values(2.5, "The errors and the best lam must be right.")


@truth.item(1.5, "Errors are measured against S; W is learnt from Y alone.")
def the_clean_target(exam, best_lambda):
    Y, S = data(exam.rng)
    grid = np.array([1.0, 20.0, 400.0])
    purified = [reference.purifier(Y, lam) @ Y for lam in grid]
    for target in (S, S + exam.rng.normal(size=S.shape), purified[1]):
        _, errors = best_lambda(Y, target, grid)
        expected = np.array([np.mean((each - target) ** 2) for each in purified])
        exam.same(np.asarray(errors, float), expected, rtol=1e-8, atol=1e-12)


@truth.item(1.5, "The grid may come in any order, of any length; lam is one of it.")
def any_grid(exam, best_lambda):
    Y, S = data(exam.rng, 4, 25)
    ordered = np.logspace(-2, 4, 9) * float(exam.rng.uniform(0.5, 2))
    grid = ordered[[5, 8, 0, 2, 3, 7, 1, 4, 6]]
    target = reference.purifier(Y, ordered[3]) @ Y  # so the fourth has error 0
    for values in (grid, grid[:1]):
        lam, errors = best_lambda(Y, target, values)
        errors = np.asarray(errors, float)
        exam.true(errors.shape == values.shape, "one error per value of the grid")
        exam.true(errors.max() > 1e-9, "purification with another lam leaves an error")
        exam.same(lam, float(ordered[3] if len(values) > 1 else values[0]))
        exam.true(values[int(errors.argmin())] == lam,
                  "the smallest error must stand where the best lam stands in the grid")
    silent = np.zeros((2, 6))  # every lam leaves the same: the first of the grid
    exam.same(best_lambda(silent, exam.rng.normal(size=(2, 6)), grid)[0], float(grid[0]))
    flat = np.outer(exam.rng.normal(size=3), exam.rng.normal(size=8))  # rank 1: lam = 0 keeps it
    _, errors = best_lambda(flat, 0.8 * flat, np.array([0.0, 1.0]))
    errors = np.asarray(errors, float)
    exam.true(np.isfinite(errors).all(), "the error at lam = 0 is a number")


truth.unmodified(0.5, "Y, S and the grid must stay as they were.")


@truth.mistake("against_noisy", "Measured against the noisy Y, the smallest lam always wins; "
               "compare with the clean S.")
def best_lambda(Y, S, grid):
    G = Y @ Y.T
    errors = [np.mean((np.linalg.solve(G + lam * np.eye(len(Y)), G) @ Y - Y) ** 2) for lam in grid]
    return float(grid[int(np.argmin(errors))]), np.array(errors)


@truth.mistake("noisy_target", "Measured against the noisy Y, the smallest lam always wins; "
               "compare with the clean S.")
def best_lambda(Y, S, grid):
    return reference.best_lambda(Y, Y, grid)


@truth.mistake("argmax", "The best lam has the smallest error.")
def best_lambda(Y, S, grid):
    errors = [np.mean((reference.purifier(Y, lam) @ Y - S) ** 2) for lam in grid]
    return float(grid[int(np.argmax(errors))]), np.array(errors)


@truth.mistake("oracle_W", "W must be learnt from the noisy Y: the clean S is known only to the "
               "judge.")
def best_lambda(Y, S, grid):
    G = S @ S.T
    errors = [np.mean((np.linalg.solve(G + lam * np.eye(len(Y)), G) @ S - S) ** 2) for lam in grid]
    return float(grid[int(np.argmin(errors))]), np.array(errors)


@truth.mistake("oracle_filter", "W must be learnt from the noisy Y, not from the clean S.")
def best_lambda(Y, S, grid):
    errors = [np.mean((reference.purifier(S, lam) @ Y - S) ** 2) for lam in grid]
    return float(grid[int(np.argmin(errors))]), np.array(errors)


@truth.mistake("last_tie", "Several values of the grid tie: the first of them is asked for.")
def best_lambda(Y, S, grid):
    _, errors = reference.best_lambda(Y, S, grid)
    errors = np.asarray(errors)
    return float(np.asarray(grid)[errors == errors.min()][-1]), errors


@truth.mistake("chosen_by_loss", "The errors are right, but lam is chosen without the truth: the "
               "loss on Y is always best at the smallest lam.")
def best_lambda(Y, S, grid):
    losses = [reference.purification_losses(reference.purifier(Y, lam), Y, lam)[2] for lam in grid]
    return float(grid[int(np.argmin(losses))]), reference.best_lambda(Y, S, grid)[1]


@truth.mistake("index", "Return the value of lam, not its index.")
def best_lambda(Y, S, grid):
    errors = [np.mean((reference.purifier(Y, lam) @ Y - S) ** 2) for lam in grid]
    return int(np.argmin(errors)), np.array(errors)


@truth.mistake("sum_not_mean", "The error is a mean over all entries.")
def best_lambda(Y, S, grid):
    errors = [np.sum((reference.purifier(Y, lam) @ Y - S) ** 2) for lam in grid]
    return float(grid[int(np.argmin(errors))]), np.array(errors)


@truth.mistake("penalised", "The judge looks at the error alone: the penalty is no part of it.")
def best_lambda(Y, S, grid):
    errors = []
    for lam in grid:
        W = reference.purifier(Y, lam)
        errors.append(np.mean((W @ Y - S) ** 2) + lam * np.mean(W**2))
    return float(grid[int(np.argmin(errors))]), np.array(errors)


@truth.mistake("purifies_S", "W is applied to the noisy Y, not to the clean S.")
def best_lambda(Y, S, grid):
    errors = [np.mean((reference.purifier(Y, lam) @ S - S) ** 2) for lam in grid]
    return float(grid[int(np.argmin(errors))]), np.array(errors)


@truth.mistake("smallest_error", "Return lam and all errors, not the smallest error.")
def best_lambda(Y, S, grid):
    errors = [np.mean((reference.purifier(Y, lam) @ Y - S) ** 2) for lam in grid]
    return float(np.min(errors)), np.array(errors)


@truth.mistake("sorted_grid", "Errors belong to the grid in the order it was given.")
def best_lambda(Y, S, grid):
    G, grid = Y @ Y.T, np.sort(grid)[::-1]
    errors = [np.mean((np.linalg.solve(G + lam * np.eye(len(Y)), G) @ Y - S) ** 2) for lam in grid]
    return float(grid[-1]), np.array(errors)


@truth.mistake("errors_sorted", "The errors belong to the grid as it was given: do not sort it, or "
               "put the errors back in its order.")
def best_lambda(Y, S, grid):
    grid = np.sort(grid)
    lam, errors = reference.best_lambda(Y, S, grid)
    return lam, errors


@truth.mistake("nan_at_zero", "At lam = 0 a direction without data gives 0/0: its factor is 0.")
def best_lambda(Y, S, grid):
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    s = np.where(s > 1e-12 * s[0], s, 0.0)
    with np.errstate(invalid="ignore"):
        errors = np.array([np.mean(((U * (s**3 / (s**2 + lam))) @ Vt - S) ** 2) for lam in grid])
    return float(grid[int(np.argmin(errors))]), errors


@truth.mistake("first_local", "Stopping where the error first grows assumes a sorted grid.")
def best_lambda(Y, S, grid):
    G = Y @ Y.T
    errors = np.array([np.mean((np.linalg.solve(G + lam * np.eye(len(Y)), G) @ Y - S) ** 2)
                       for lam in grid])
    best = 0
    while best + 1 < len(grid) and errors[best + 1] < errors[best]:
        best += 1
    return float(grid[best]), errors


@truth.mistake("in_place", "`Y -= S` changes the caller's data.")
def best_lambda(Y, S, grid):
    filtered = [reference.purifier(Y, lam) @ Y for lam in grid]
    Y -= S
    errors = [np.mean((each - S) ** 2) for each in filtered]
    return float(grid[int(np.argmin(errors))]), np.array(errors)


@truth.variant("from one SVD, errors in a list")
def best_lambda(Y, S, grid):
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    errors = [float(np.mean(((U * (s**3 / (s**2 + lam))) @ Vt - S) ** 2)) for lam in grid]
    return grid[errors.index(min(errors))], errors
