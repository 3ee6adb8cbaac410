"""Cases of cross_attention and is_permutation_equivariant."""

import numpy as np

from viva.case import case
from viva.cases.attention_exploration.scores import fresh


@case("cross_attention")
def no_mask(rng, cross_attention):
    """two pairs of sequences, three decoder and five encoder states of four numbers"""
    return cross_attention(rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4)))


@case("cross_attention")
def given_scale(rng, cross_attention):
    """scale = 0.7 in place of sqrt(d)"""
    return cross_attention(rng.normal(size=(2, 4, 3)), rng.normal(size=(2, 2, 3)), scale=0.7)


@case("cross_attention")
def padding(rng, cross_attention):
    """the last two of five encoder states of the first pair are padding"""
    mask = np.array([[True, True, True, False, False], [True] * 5])
    return cross_attention(rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4)), mask)


@case("cross_attention")
def loud_padding(rng, cross_attention):
    """padding that scores about 1000, then 10^12, higher than any real token, has weight 0"""
    mask, answers = np.array([[True, False, True, True, False]]), []
    for loud in (1e3, 1e12):  # no constant that one could subtract is large enough
        dec, enc = rng.uniform(0.5, 1, (1, 3, 4)), rng.normal(size=(1, 5, 4))
        enc[0, 1] = enc[0, 4] = loud
        answers.append(cross_attention(dec, enc, mask))
    return answers


@case("cross_attention")
def all_padding(rng, cross_attention):
    """the second of three pairs has padding only: zeros"""
    mask = np.array([[True, False, True, True], [False] * 4, [False, True, True, False]])
    return cross_attention(rng.normal(size=(3, 2, 3)), rng.normal(size=(3, 4, 3)), mask)


@case("cross_attention")
def large_scores(rng, cross_attention):
    """one query with scores of 2000, one of 0.2, one of 20"""
    enc = np.eye(6)[None] * 10
    return cross_attention(enc[:, [4, 0, 2]] * [[1], [1e-4], [1e-2]], enc, scale=0.05)


# ---- is_permutation_equivariant: functions of X (n, d) whose nature is known

def attention(X):
    """Plain self-attention."""
    weights = np.exp(X @ X.T - (X @ X.T).max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ X


def causal_attention(X):
    """Row i reads rows 0 ... i."""
    weights = np.tril(np.exp(X @ X.T - (X @ X.T).max()))
    return weights / weights.sum(axis=1, keepdims=True) @ X


def with_positions(X):
    """Self-attention after a number for its place has been added to each row."""
    return attention(X + 0.3 * np.arange(len(X))[:, None])


def own_rows(X):
    """Each row for itself."""
    return np.tanh(X) * X.sum(axis=1, keepdims=True)


def total(X):
    """The sum of all rows, given to each row."""
    return np.repeat(X.sum(axis=0, keepdims=True), len(X), axis=0)


def first_row(X):
    """The first row, given to each row."""
    return np.repeat(X[:1], len(X), axis=0)


def sorted_rows(X):
    """The rows by their first entry: the same set in the same order, however X was ordered."""
    return X[np.argsort(X[:, 0])]


def slightly(X):
    """The rows, but for a millionth of their place."""
    return X + 1e-6 * np.arange(len(X))[:, None]


def doubled(X):
    """Each row twice itself, exactly."""
    return 2 * X


def neighbours(X):
    """Each row with the two beside it, in a ring: turning the ring over or round goes unseen."""
    return X + np.roll(X, 1, axis=0) + np.roll(X, -1, axis=0)


def falling(X):
    """1 everywhere if the first entries of the rows ascend, else 0: disorder only lowers it."""
    return np.full(X.shape, float(np.all(np.diff(X[:, 0]) > 0)))


KINDS = (attention, causal_attention, with_positions, own_rows, total, first_row, sorted_rows,
         neighbours)


@case("is_permutation_equivariant")
def self_attention(rng, is_permutation_equivariant):
    """plain self-attention: True"""
    return is_permutation_equivariant(attention, rng.normal(size=(14, 3)), fresh(rng))


@case("is_permutation_equivariant")
def order_matters(rng, is_permutation_equivariant):
    """causal attention, attention with positions, sums of neighbours: False three times"""
    X = rng.normal(size=(14, 4))
    return [is_permutation_equivariant(f, X, fresh(rng))
            for f in (causal_attention, with_positions, neighbours)]


@case("is_permutation_equivariant")
def row_by_row(rng, is_permutation_equivariant):
    """each row for itself; the sum of all rows in each row: True, True"""
    X = rng.normal(size=(14, 4))
    return [is_permutation_equivariant(f, X, fresh(rng)) for f in (own_rows, total)]


@case("is_permutation_equivariant")
def same_whatever_the_order(rng, is_permutation_equivariant):
    """sorted rows; the first row in each row: False, False"""
    X = rng.normal(size=(14, 4))
    return [is_permutation_equivariant(f, X, fresh(rng)) for f in (sorted_rows, first_row)]


@case("is_permutation_equivariant")
def one_sign(rng, is_permutation_equivariant):
    """1 where rows ascend, else 0, and its negative; X ascends: differences of one sign, False"""
    X = np.cumsum(rng.uniform(0.5, 1, size=(14, 2)), axis=0)
    return [is_permutation_equivariant(falling, X, fresh(rng)),
            is_permutation_equivariant(lambda X: -falling(X), X, fresh(rng))]


@case("is_permutation_equivariant")
def tolerance(rng, is_permutation_equivariant):
    """off by up to 13 millionths: False; exact, tol = 0: True; off, but tol = 0.000014: True"""
    X = 1000 + rng.normal(size=(14, 2))
    return [is_permutation_equivariant(slightly, X, fresh(rng)),
            is_permutation_equivariant(doubled, X, fresh(rng), tol=0.0),
            is_permutation_equivariant(slightly, X, fresh(rng), tol=1.4e-5)]


@case("is_permutation_equivariant")
def one_entry(rng, is_permutation_equivariant):
    """one entry of 56 is off by 3 tol, 12 trials: False"""
    def corner(X):
        shifted = X.copy()
        shifted[0, 0] += 3e-8
        return shifted

    return is_permutation_equivariant(corner, rng.normal(size=(14, 4)), fresh(rng), trials=12)


@case("is_permutation_equivariant")
def orders_from_rng(rng, is_permutation_equivariant):
    """the orders that are tried: alike for generators of one seed, and for two different ones"""
    X, seed = rng.normal(size=(14, 2)), int(rng.integers(2**31))
    tried = []
    for start in (seed, seed, seed + 1):
        seen = []

        def note(X, seen=seen):
            seen.append(X.tolist())
            return X

        is_permutation_equivariant(note, X, np.random.default_rng(start))
        tried.append(seen)
    words = {True: "the same orders", False: "other orders"}
    return {"one seed": words[tried[0] == tried[1]], "another seed": words[tried[0] == tried[2]]}


@case("is_permutation_equivariant")
def one_trial(rng, is_permutation_equivariant):
    """causal attention, trials = 1: False"""
    X = rng.normal(size=(14, 3))
    return is_permutation_equivariant(causal_attention, X, fresh(rng), trials=1)


@case("is_permutation_equivariant")
def two_rows(rng, is_permutation_equivariant):
    """two rows, 40 trials, 200 times: one of the trials must exchange the rows (True: 0 times)"""
    X, generator = rng.normal(size=(2, 3)), fresh(rng)
    return sum(bool(is_permutation_equivariant(first_row, X, generator, trials=40))
               for _ in range(200))  # with five trials only, one answer of 32 is wrong
