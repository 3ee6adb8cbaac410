"""Cases of windowed_ridge and cholesky_update."""

import numpy as np

from viva.case import case, outcome, rule
from viva.cases.ridge_attention.inputs import any_numbers, pairs, single

LOOSE = {"rtol": 1e-7, "atol": 1e-8}  # tens of updates and down-dates


def factor(rng, d):
    """A lower triangular matrix with a positive diagonal between 1 and 2."""
    return np.tril(rng.normal(size=(d, d)), -1) + np.diag(rng.uniform(1, 2, d))


def grown(L, k):
    """The factor of L L^T + k k^T, from its definition."""
    return np.linalg.cholesky(L @ L.T + np.outer(k, k))


def unit_pairs(rng, n, d, m=2):
    """Queries, keys of length 1 in turned bases of d keys each, and values."""
    keys = np.linalg.qr(rng.normal(size=(n // d, d, d)))[0].reshape(n, d)
    return rng.uniform(-1, 1, (n, d)), keys, rng.uniform(-1, 1, (n, m))


@case("windowed_ridge", **LOOSE)
def factor_by_hand(rng, cholesky_update):
    """L with rows (3, 0) and (1, 1.5), k = (4, -2): rows (5, 0) and (-1, 2.5)"""
    return cholesky_update(np.array([[3.0, 0.0], [1.0, 1.5]]), np.array([4.0, -2.0]))


@case("windowed_ridge", **LOOSE)
def four_features(rng, cholesky_update):
    """the factor of L L^T + k k^T, four features"""
    return cholesky_update(factor(rng, 4), rng.normal(size=4))


@case("windowed_ridge", **LOOSE)
def one_feature(rng, cholesky_update):
    """one feature: 2 and 1.5 give 2.5, and 2.5 less 1.5 gives 2"""
    return [cholesky_update(np.array([[2.0]]), np.array([1.5])),
            cholesky_update(np.array([[2.5]]), np.array([1.5]), -1)]


@case("windowed_ridge", **LOOSE)
def taken_out(rng, cholesky_update):
    """sign -1: the factor of L L^T - k k^T, four features"""
    L, k = factor(rng, 4), rng.normal(size=4)
    return cholesky_update(grown(L, k), k, -1)


@case("windowed_ridge", **LOOSE)
def zeros_in_k(rng, cholesky_update):
    """a key with zeros, and one of zeros alone: nothing changes then"""
    L = factor(rng, 3)
    return [cholesky_update(L, np.array([0.0, rng.uniform(1, 2), 0.0])),
            cholesky_update(L, np.zeros(3), -1)]


@case("windowed_ridge")
def not_positive(rng, cholesky_update):
    """a key that cannot be taken out: LinAlgError"""
    e = np.eye(3)
    requests = (2 * e, 3 * e[0]), (e, e[2]), (e, 0.6 * e[0] + 2 * e[1])
    return [outcome(cholesky_update, L, k, -1) for L, k in requests]


@case("windowed_ridge", **LOOSE)
def small_factor(rng, cholesky_update):
    """a factor and a key of the size 1e-5: small is no reason to refuse (shown times 1e5)"""
    L, k = factor(rng, 3), rng.normal(size=3)
    return 1e5 * np.asarray(cholesky_update(1e-5 * grown(L, k), 1e-5 * k, -1))


@rule("windowed_ridge")
def not_refused(rng, cholesky_update):
    """2e-5 less 1e-5, and 1 less a little under 1: no exception"""
    requests = (2e-5, 1e-5), (1.0, 1 - 2.0**-30)
    return [outcome(cholesky_update, np.array([[x]]), np.array([k]), -1) for x, k in requests]


@case("windowed_ridge", **LOOSE)
def factor_of_lists(rng, cholesky_update):
    """lists, integers and single precision: the result is float64"""
    lists = [[2, 0], [1, 1.5]], [0.5, 1]
    integers = np.array([[2, 0], [-1, 3]]), np.array([1, 2])
    singles = [np.array(x, np.float32) / np.float32(3) for x in lists]
    return [cholesky_update(*each) for each in (lists, integers, singles)]


@case("windowed_ridge", **LOOSE)
def window_of_three(rng, windowed_ridge):
    """row i uses the pairs i - 2, i - 1 and i"""
    return windowed_ridge(*pairs(rng, 9), float(rng.uniform(0.3, 3)), 3)


@case("windowed_ridge", **LOOSE)
def window_of_one(rng, windowed_ridge):
    """window 1: the present pair only"""
    return windowed_ridge(*pairs(rng, 5, d=4, m=1), float(rng.uniform(0.3, 3)), 1)


@case("windowed_ridge", **LOOSE)
def large_window(rng, windowed_ridge):
    """a window as long as the sequence, and a longer one: nothing leaves"""
    Q, K, V = pairs(rng, 6)
    return [windowed_ridge(Q, K, V, 0.7, window) for window in (6, 9)]


@case("windowed_ridge", **LOOSE)
def forgotten(rng, windowed_ridge):
    """from row 4 on, window 3, the first two pairs have no influence"""
    Q, K, V = pairs(rng, 8)
    K[:2], V[:2] = 5.0, 100.0
    return np.asarray(windowed_ridge(Q, K, V, 0.7, 3))[4:]


def last_digits(found, Q, K, V, lam, window):
    """Whether the rows are those of separate regressions to 1e-5, in words: what rounding leaves
    of the digits beyond is another number on every machine."""
    rows = []
    for i, q in enumerate(Q):
        part = slice(max(0, i - window + 1), i + 1)
        tall = np.vstack([K[part], np.sqrt(lam) * np.eye(K.shape[1])])
        values = np.vstack([V[part], np.zeros((K.shape[1], V.shape[1]))])
        rows.append(q @ np.linalg.lstsq(tall, values, rcond=None)[0])
    found = np.asarray(found, float)
    if found.shape != V.shape:
        return f"shape {found.shape}"
    is_right = np.abs(found - rows).max() <= 1e-5  # a factor: 5e-7; a down-dated P: 1e-3
    return "right to 1e-5" if is_right else "off by more than 1e-5"


@rule("windowed_ridge")
def small_lam(rng, windowed_ridge):
    """lam = 1e-6, sixty pairs, window 3: right to 1e-5"""
    Q, K, V = unit_pairs(rng, 60, 4)
    return last_digits(windowed_ridge(Q, K, V, 1e-6, 3), Q, K, V, 1e-6, 3)


@case("windowed_ridge", **LOOSE)
def of_lists(rng, windowed_ridge):
    """lists, integers and single precision: the arithmetic is that of float64"""
    shapes = (6, 3), (6, 3), (6, 2)
    return [windowed_ridge(*arrays, 0.5, 2)
            for arrays in (any_numbers(rng, *shapes), single(rng, *shapes))]
