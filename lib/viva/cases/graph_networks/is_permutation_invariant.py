"""Public cases of `is_permutation_invariant`: one for every rule that its text states."""

import numpy as np

from viva.case import case, generator


def fresh(rng):
    """A new generator: a candidate draws from it without advancing the case's own."""
    return generator(int(rng.integers(2**32)))


def first_beyond(limit):
    """A sum to which the first row adds something, but only if it begins above the limit."""
    return lambda X: X.sum(axis=0) + (X[0, 0] > limit) * X[0]


@case("is_permutation_invariant")
def symmetric(rng, is_permutation_invariant):
    """sum, mean and max of the rows: True"""
    aggs = (lambda X: X.sum(axis=0), lambda X: X.mean(axis=0), lambda X: X.max(axis=0))
    return [is_permutation_invariant(agg, 3, fresh(rng)) for agg in aggs]


@case("is_permutation_invariant")
def sorted_rows(rng, is_permutation_invariant):
    """all rows, sorted by their first entry, in one long vector: True"""
    return is_permutation_invariant(lambda X: X[X[:, 0].argsort()].ravel(), 3, fresh(rng))


@case("is_permutation_invariant")
def products(rng, is_permutation_invariant):
    """X^T X, which needs every row to stay whole: True"""
    return is_permutation_invariant(lambda X: X.T @ X, 3, fresh(rng))


@case("is_permutation_invariant")
def ordered(rng, is_permutation_invariant):
    """the first row, all rows in one long vector, a sum weighted by position: False"""
    aggs = (lambda X: X[0], lambda X: X.ravel(), lambda X: np.arange(1.0, len(X) + 1) @ X)
    return [is_permutation_invariant(agg, 3, fresh(rng)) for agg in aggs]


@case("is_permutation_invariant")
def two_left_out(rng, is_permutation_invariant):
    """the sum of all rows but the first two: False"""
    return is_permutation_invariant(lambda X: X[2:].sum(axis=0), 3, fresh(rng))


@case("is_permutation_invariant")
def one_entry(rng, is_permutation_invariant):
    """sums of the columns, but the first entry is that of the first row: False"""
    agg = lambda X: np.concatenate([X[0, :1], X[:, 1:].sum(axis=0)])
    return is_permutation_invariant(agg, 3, fresh(rng))


@case("is_permutation_invariant")
def round_table(rng, is_permutation_invariant):
    """products of neighbours at a round table: not changed by rotation or reversal, yet False"""
    agg = lambda X: float((X * np.roll(X, 1, axis=0)).sum())
    return is_permutation_invariant(agg, 2, fresh(rng))


@case("is_permutation_invariant")
def rarely(rng, is_permutation_invariant):
    """the order matters in one draw of ten; 200 trials: False"""
    return is_permutation_invariant(first_beyond(1.5), 2, fresh(rng), trials=200)


@case("is_permutation_invariant")
def barely(rng, is_permutation_invariant):
    """the order matters by about 1e-6 of a value near 1000: False, and True with tol=1e-3"""
    agg = lambda X: 1000 + X.sum(axis=0) + 1e-6 * X[0]
    return [is_permutation_invariant(agg, 3, fresh(rng)),
            is_permutation_invariant(agg, 3, fresh(rng), tol=1e-3)]


@case("is_permutation_invariant")
def one_of_many(rng, is_permutation_invariant):
    """a hundred numbers of which one is that of the first row, tol=0.1: False"""
    agg = lambda X: np.append(np.tile(X.sum(), 99), X[0, 0])
    return is_permutation_invariant(agg, 2, fresh(rng), tol=0.1)


def rows_shown(is_permutation_invariant, seed, trials):
    """The different sets of rows that agg is shown, whatever their order, as sums of squares."""
    shown = set()

    def agg(X):
        shown.add(f"{float(np.sum(X**2)):.9f}")
        return X.sum(axis=0)

    is_permutation_invariant(agg, 2, generator(seed), trials=trials)
    return shown


@case("is_permutation_invariant")
def new_rows(rng, is_permutation_invariant):
    """every trial has new rows: twelve trials show agg at least twelve different sets of rows"""
    return len(rows_shown(is_permutation_invariant, int(rng.integers(2**32)), 12)) >= 12


@case("is_permutation_invariant")
def given_generator(rng, is_permutation_invariant):
    """the rows come from rng: one seed twice gives the same rows, another seed others"""
    one, other = (int(each) for each in rng.integers(2**32, size=2))
    shown = [rows_shown(is_permutation_invariant, seed, 4) for seed in (one, one, other)]
    same, another = ("the same" if shown[0] == each else "other" for each in shown[1:])
    return f"{same} rows for the same seed, {another} rows for another"


@case("is_permutation_invariant")
def shapes(rng, is_permutation_invariant):
    """the shape of what agg is given: 5 rows, or n; d columns"""
    seen = set()

    def agg(X):
        seen.add(tuple(X.shape))
        return X.sum()

    is_permutation_invariant(agg, 2, fresh(rng))
    is_permutation_invariant(agg, 3, fresh(rng), n=4)
    return sorted(seen)
