"""Exam of `is_permutation_invariant`."""

import numpy as np

from viva.cases.graph_networks.is_permutation_invariant import first_beyond, fresh, rows_shown
from viva_course.reference import graph_networks as reference
from viva_course.rubric import Exercise

order = Exercise(
    "is_permutation_invariant",
    expects="True if agg gives the same for every order of the rows it was tried on, else False",
    survivors={
        "is_permutation_invariant: for _ in range(trials): -> for _ in range(trials + 1):":
            "one trial more is a better test",
        "is_permutation_invariant: gap = np.abs(agg(X) - agg(X[rng.permutation(n)])) -> "
        "gap = np.abs(agg(X[rng.permutation(n)]) - agg(X))": "the absolute difference has no order",
        "is_permutation_invariant: if np.max(gap) > tol: -> if np.max(gap) >= tol:":
            "a difference that is tol to the last digit does not occur",
    },
)

order.values(3, "True for functions of the set of rows, False for those of their order.")


def _mean(X):
    return X.mean(axis=0)


@order.item(1, "Standard deviation and log-sum-exp pass; the last row, differences of neighbours "
            "and a sum with one row left out do not.")
def which_functions(exam, is_permutation_invariant):
    for agg in (lambda X: X.std(axis=0), lambda X: np.log(np.exp(X).sum(axis=0)),
                lambda X: float((X**2).sum()), lambda X: np.sort(np.linalg.norm(X, axis=1))):
        exam.same(is_permutation_invariant(agg, 4, fresh(exam.rng)), True)
    for agg in (lambda X: X[-1], lambda X: np.abs(np.diff(X, axis=0)).sum(), lambda X: X[1:].sum(),
                lambda X: X[2:3].mean()):
        exam.same(is_permutation_invariant(agg, 4, fresh(exam.rng)), False)


@order.item(1.5, "With 200 trials an order that matters in one draw of ten is found; the trials "
            "are independent.")
def rare_cases(exam, is_permutation_invariant):
    for limit in (1.3, 1.5):
        for d in (1, 3):
            found = is_permutation_invariant(first_beyond(limit), d, fresh(exam.rng), trials=200)
            exam.same(found, False)
    exam.same(is_permutation_invariant(_mean, 2, fresh(exam.rng), trials=200), True)


@order.item(0.5, "With trials=1 one draw is tested, and a difference of either sign counts.")
def one_trial(exam, is_permutation_invariant):
    exam.same(is_permutation_invariant(_mean, 2, fresh(exam.rng), trials=1), True)
    places = np.arange(12.0)
    for _ in range(20):
        found = is_permutation_invariant(lambda X: float(places @ X[:, 0]), 2, fresh(exam.rng),
                                         trials=1, n=12)
        exam.same(found, False)


@order.item(1, "n rows and d columns; the largest absolute difference is compared with tol; agg "
            "is called at least once per trial.")
def arguments(exam, is_permutation_invariant):
    n, d = int(exam.rng.integers(6, 9)), int(exam.rng.integers(2, 5))
    seen = []

    def agg(X):
        seen.append(tuple(X.shape))
        return X.sum(axis=0)

    exam.same(is_permutation_invariant(agg, d, fresh(exam.rng), trials=30, n=n), True)
    exam.true(set(seen) == {(n, d)}, f"agg was given {sorted(set(seen))[:3]}, not {(n, d)}")
    exam.true(len(seen) > 30, f"agg was called {len(seen)} times in 30 trials")
    small = lambda X: 50.0 + X.sum(axis=0) + 1e-5 * X[0]
    for tol, answer in ((1e-9, False), (1e-2, True)):
        exam.same(is_permutation_invariant(small, d, fresh(exam.rng), tol=tol), answer)


@order.item(1, "Rows and orders come from the given rng, and every trial has new rows.")
def draws_from_rng(exam, is_permutation_invariant):
    shown = [rows_shown(is_permutation_invariant, seed, 12)
             for seed in (*exam.rng.integers(2**32, size=2).tolist(), 7, 7)]
    exam.true(all(len(rows) >= 12 for rows in shown), "in some trials agg was shown the same rows")
    exam.true(not shown[0] & shown[1], "generators with two seeds gave the same rows")
    exam.true(shown[2] == shown[3], "generators with one seed gave different rows")
    wide = lambda X: np.append(np.tile(X.sum(), 99), X[0, 0])
    exam.same(is_permutation_invariant(wide, 2, fresh(exam.rng), tol=0.1), False)


def _judge(change, once=False):
    """A test of agg against agg of what `change` makes of X."""

    def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
        for _ in range(1 if once else trials):
            X = rng.normal(size=(n, d))
            other = change(X, rng)
            if np.abs(np.asarray(agg(X)) - np.asarray(agg(other))).max() > tol:
                return False
        return True

    return is_permutation_invariant


order.mistake("one_trial", "One permutation of one X is too few: an order that matters rarely is "
              "not found. Use all trials.")(
    _judge(lambda X, rng: X[rng.permutation(len(X))], once=True))


order.mistake("permutes_features", "The rows are the neighbours: permute rows, not columns.")(
    _judge(lambda X, rng: X[:, rng.permutation(X.shape[1])]))


order.mistake("columns_apart", "A row must stay whole: here every column is permuted on its own.")(
    _judge(lambda X, rng: rng.permuted(X, axis=0)))


order.mistake("swap_last_two", "Only the last two rows change places; the others may matter too.")(
    _judge(lambda X, rng: X[[*range(len(X) - 2), len(X) - 1, len(X) - 2]]))


order.mistake("swap_first_two", "Only the first two rows ever change places; a weight on later "
              "positions goes unnoticed, and so does a round table.")(
    _judge(lambda X, rng: X[[1, 0, *range(2, len(X))]]))


FEW = "Only some of the orders are tried: a round table looks the same rotated or reversed."


order.mistake("reversal_only", FEW)(_judge(lambda X, rng: X[::-1]))


order.mistake("rotation_only", FEW)(
    _judge(lambda X, rng: np.roll(X, int(rng.integers(len(X))), axis=0)))


order.mistake("not_permuted", "X and the permuted X are the same array: rng.shuffle works in place "
              "and changes both.")(_judge(lambda X, rng: X))


# Two mistakes that answer alike: one sentence must be true of both.
ONLY_THE_ORDER = ("Only the order of the rows may change: agg gets the same rows again, no new "
                  "ones, and its two answers are compared as they are, nothing permuted in them.")


order.mistake("new_numbers", ONLY_THE_ORDER)(_judge(lambda X, rng: rng.normal(size=X.shape)))


@order.mistake("equivariance", ONLY_THE_ORDER)
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X, p = rng.normal(size=(n, d)), rng.permutation(n)
        one, other = np.resize(agg(X), n)[p], np.resize(agg(X[p]), n)
        if np.abs(one - other).max() > tol:
            return False
    return True


@order.mistake("relative", "np.allclose adds a relative tolerance of 1e-5: a small difference of "
               "large values is lost. Compare with tol alone.")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if not np.allclose(agg(X), agg(X[rng.permutation(n)]), atol=tol):
            return False
    return True


order.mistakes_of(is_permutation_invariant={
    "tol_ignored": ("The tolerance is an argument; here it has no effect.",
                    lambda agg, d, rng, trials=20, n=5, tol=1e-9: (
                        reference.is_permutation_invariant(agg, d, rng, trials, n))),
    "n_ignored": ("agg must be given n rows, not always five.",
                  lambda agg, d, rng, trials=20, n=5, tol=1e-9: (
                      reference.is_permutation_invariant(agg, d, rng, trials, 5, tol))),
    "transposed": ("X has n rows and d columns; here it has d rows.",
                   lambda agg, d, rng, trials=20, n=5, tol=1e-9: (
                       reference.is_permutation_invariant(agg, n, rng, trials, d, tol))),
    "inverted": ("True means: the order does not matter. The answer is upside down.",
                 lambda agg, d, rng, trials=20, n=5, tol=1e-9: (
                     not reference.is_permutation_invariant(agg, d, rng, trials, n, tol))),
})


@order.mistake("any_trial", "All trials must agree; here one that agrees is enough.")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    return any([reference.is_permutation_invariant(agg, d, rng, 1, n, tol)
                for _ in range(trials)])


@order.mistake("signed", "The difference may be negative: take its absolute value.")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.min(agg(X) - np.asarray(agg(X[rng.permutation(n)]))) > tol:
            return False
    return True


@order.mistake("mean_gap", "The largest difference counts; differences of both signs cancel in "
               "their mean.")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if abs(np.mean(agg(X) - np.asarray(agg(X[rng.permutation(n)])))) > tol:
            return False
    return True


@order.mistake("mean_absolute_gap", "The largest difference counts: in a mean over many entries "
               "a single one that differs is lost.")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.mean(np.abs(agg(X) - np.asarray(agg(X[rng.permutation(n)])))) > tol:
            return False
    return True


@order.mistake("same_rows", "New rows are drawn in every trial; here all trials use the same.")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    X = rng.normal(size=(n, d))
    return all(np.max(np.abs(agg(X) - np.asarray(agg(X[rng.permutation(n)])))) <= tol
               for _ in range(trials))


OWN_GENERATOR = ("The rows and the orders come from the generator rng that is given, not from one "
                 "of your own.")


@order.mistake("own_seed", OWN_GENERATOR)
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    return reference.is_permutation_invariant(agg, d, np.random.default_rng(0), trials, n, tol)


@order.mistake("no_seed", OWN_GENERATOR)
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    return reference.is_permutation_invariant(agg, d, np.random.default_rng(), trials, n, tol)


@order.mistake("smallest_gap", "The largest difference counts: one entry that depends on the order "
               "is enough.")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.abs(agg(X) - np.asarray(agg(X[rng.permutation(n)]))).min() > tol:
            return False
    return True


@order.mistake("no_absolute", "The difference may be negative: take its absolute value.",
               hidden_only="in twenty trials one difference is positive")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.max(agg(X) - np.asarray(agg(X[rng.permutation(n)]))) > tol:
            return False
    return True


@order.variant("transpositions")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    largest = 0.0
    for _ in range(2 * trials):
        X = rng.standard_normal((n, d))
        i, j = rng.choice(n, 2, replace=False)
        Y = X.copy()
        Y[[i, j]] = X[[j, i]]
        largest = max(largest, float(np.max(np.abs(np.asarray(agg(Y)) - np.asarray(agg(X))))))
    return bool(largest <= tol)


@order.variant("allclose without the relative part")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    draws = (rng.normal(size=(n, d)) for _ in range(trials))
    return all(np.allclose(agg(X), agg(rng.permutation(X)), rtol=0, atol=tol) for X in draws)
