"""Cases of attention_head."""
import numpy as np

from viva.case import case, outcome, rule


def random_head(rng, positions):
    """X (T, d_in), matrices and table of a head whose five sizes all differ."""
    T, d_in, d_qk, d_v = (int(size) for size in rng.permutation([2, 3, 4, 5]))
    d_pos = 6 if positions else 0
    Km, Qm = rng.normal(size=(2, d_in + d_pos, d_qk))
    pos = rng.normal(size=(T + int(rng.integers(1, 4)), d_pos)) if positions else None
    return rng.normal(size=(T, d_in)), Km, Qm, rng.normal(size=(d_in + d_pos, d_v)), pos


@case("attention_head")
def without_positions(rng, attention_head):
    """five random shapes without positions"""
    return [attention_head(*random_head(rng, False)) for _ in range(5)]


@case("attention_head")
def with_positions(rng, attention_head):
    """five random shapes, positional table longer than the sequence"""
    return [attention_head(*random_head(rng, True)) for _ in range(5)]


@case("attention_head")
def weights(rng, attention_head):
    """return_weights=True: output and weights"""
    out, attention = attention_head(*random_head(rng, True), return_weights=True)
    return {"output": out, "weights": attention, "sum of rows": attention.sum(-1)}


@rule("attention_head")
def batch(rng, attention_head):
    """two axes of a batch, without positions and with"""
    answers = []
    for positions in (False, True):
        X, *matrices = random_head(rng, positions)
        answers.append(attention_head(rng.normal(size=(2, 3, *X.shape)), *matrices))
    return answers


@rule("attention_head")
def causal(rng, attention_head):
    """causal=True: row i sees the columns j <= i"""
    return [attention_head(*random_head(rng, positions), causal=True)
            for positions in (False, True)]


@rule("attention_head")
def causal_weights(rng, attention_head):
    """causal=True and return_weights=True together"""
    out, attention = attention_head(*random_head(rng, True), causal=True, return_weights=True)
    return {"output": out, "weights": attention, "sum of rows": attention.sum(-1)}


def loud_end(rng, above):
    """X (T, 4) and matrices of a head that scores the last token by `above` more than others."""
    T = int(rng.integers(4, 7))
    X = np.column_stack([rng.normal(size=(T, 2)), np.ones(T), np.eye(T)[-1]])
    Km, Qm = rng.normal(size=(2, 4, 3))
    Km[:, 2], Qm[:, 2] = [0, 0, 0, above * np.sqrt(3)], [0, 0, 1, 0]     # every row asks for it
    return X, Km, Qm, rng.normal(size=(4, 2))


@rule("attention_head")
def loud_future(rng, attention_head):
    """causal=True, and the last token scores 1e3, 1e5 or 1e12 more than all before it"""
    return {f"{above:.0e} more": attention_head(*loud_end(rng, above), causal=True)
            for above in (1e3, 1e5, 1e12)}


def quiet(rng):
    """X (T, 3) and matrices of a head whose scores all are near -100,000."""
    T = int(rng.integers(4, 7))
    X = np.column_stack([rng.normal(size=(T, 2)), np.ones(T)])
    Km, Qm = rng.normal(size=(2, 3, 3))
    Km[:, 2], Qm[:, 2] = [0, 0, -1e5 * np.sqrt(3)], [0, 0, 1]
    return X, Km, Qm, rng.normal(size=(3, 2))


@rule("attention_head", rtol=1e-7, atol=1e-8)  # a shift by 1e5 costs five of sixteen digits
def quiet_past(rng, attention_head):
    """causal=True, and all scores are near -100,000: the future has no weight all the same"""
    return attention_head(*quiet(rng), causal=True)


def very_quiet(rng):
    """X (T, 3) and matrices of a head whose scores all are -2**41, without a rounding."""
    T = int(rng.integers(4, 7))
    X = np.column_stack([rng.normal(size=(T, 2)), np.ones(T)])
    Km, Qm = np.zeros((2, 3, 4))
    Km[2, 3], Qm[2, 3] = -2.0**42, 1.0
    return X, Km, Qm, rng.normal(size=(3, 2))


@rule("attention_head")
def very_quiet_past(rng, attention_head):
    """causal=True, and all scores are -2,199,023,255,552: row i is the mean of i + 1 values"""
    return attention_head(*very_quiet(rng), causal=True)


@rule("attention_head")
def table_is_long_enough(rng, attention_head):
    """a positional table of exactly T rows: no ValueError"""
    X, Km, Qm, Vm, pos = random_head(rng, True)
    return outcome(attention_head, X, Km, Qm, Vm, pos[:len(X)])


@rule("attention_head")
def table_that_fits(rng, attention_head):
    """a positional table with a row for each token and no more"""
    X, Km, Qm, Vm, pos = random_head(rng, True)
    return attention_head(X, Km, Qm, Vm, pos[:len(X)])


@rule("attention_head")
def large_scores(rng, attention_head):
    """scores of 100,000"""
    X, Km, Qm, Vm, _ = random_head(rng, False)
    return attention_head(X, 300 * Km, 300 * Qm, Vm)


@rule("attention_head")
def table_too_short(rng, attention_head):
    """a sequence longer than the positional table: ValueError"""
    X, Km, Qm, Vm, pos = random_head(rng, True)
    return outcome(attention_head, X, Km, Qm, Vm, pos[:len(X) - 1])
