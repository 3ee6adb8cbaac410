"""Cases of RidgeAttentionState."""

import numpy as np

from viva.case import candidate_side, case
from viva.cases.ridge_attention.inputs import any_numbers, copied, pairs, single

LOOSE = {"rtol": 1e-8, "atol": 1e-9}  # tens of updates, condition numbers below 1e3


def stream(RidgeAttentionState, Q, K, V, lam):
    """After each pair the answer to its query; then P, H and t."""
    state = RidgeAttentionState(len(K[0]), len(V[0]), lam)
    before = copied(state.query(Q[0]))
    answers = []
    for q, k, v in zip(Q, K, V):
        state.update(k, v)
        answers.append(copied(state.query(q)))
    return {"before": before, "answers": answers, "P": copied(state.P),
            "H": copied(state.H), "t": state.t}


def final(RidgeAttentionState, Q, K, V, lam):
    """All pairs first, then all queries; P at the end."""
    state = RidgeAttentionState(K.shape[1], V.shape[1], lam)
    for k, v in zip(K, V):
        state.update(k, v)
    return {"answers": [copied(state.query(q)) for q in Q], "P": copied(state.P)}


long_final = candidate_side(final)  # thousands of pairs are one question


def alternate(RidgeAttentionState, Q, K, V, lam):
    """Two states of different lam, fed in turn with two sequences; the last answers of both."""
    d, m = K.shape[-1], V.shape[-1]
    states = [RidgeAttentionState(d, m, lam), RidgeAttentionState(d, m, 2 * lam)]
    for i in range(K.shape[1]):
        for b, state in enumerate(states):
            state.update(K[b, i], V[b, i])
    return {"answers": [copied(s.query(Q[b, 0])) for b, s in enumerate(states)],
            "t": [state.t for state in states]}


def queries_only_read(RidgeAttentionState, Q, K, V, lam):
    """The same query twice, with other queries in between; the two answers."""
    state = RidgeAttentionState(K.shape[1], V.shape[1], lam)
    for k, v in zip(K, V):
        state.update(k, v)
    first = copied(state.query(Q[0]))
    for q in Q[1:]:
        state.query(q)
    return [first, copied(state.query(Q[0])), state.t]


@case("RidgeAttentionState", **LOOSE)
def one_pair(rng, RidgeAttentionState):
    """the key (3, 4), the value 26, lam = 1: the key is answered by 25, zero before"""
    k, v = np.array([[3.0, 4.0]]), np.array([[26.0]])
    return stream(RidgeAttentionState, k, k, v, 1.0)


@case("RidgeAttentionState", **LOOSE)
def eight_pairs(rng, RidgeAttentionState):
    """eight pairs, three features, two values: every answer, P, H and t"""
    return stream(RidgeAttentionState, *pairs(rng, 8), float(rng.uniform(0.3, 3)))


@case("RidgeAttentionState", **LOOSE)
def more_values(rng, RidgeAttentionState):
    """six pairs, two features, four values"""
    return stream(RidgeAttentionState, *pairs(rng, 6, d=2, m=4), float(rng.uniform(0.3, 3)))


@case("RidgeAttentionState", **LOOSE)
def as_many_values(rng, RidgeAttentionState):
    """five pairs, as many values as features"""
    return stream(RidgeAttentionState, *pairs(rng, 5, d=3, m=3), float(rng.uniform(0.3, 3)))


@case("RidgeAttentionState", **LOOSE)
def any_order(rng, RidgeAttentionState):
    """the same pairs in the opposite order give the same answers"""
    Q, K, V = pairs(rng, 7, d=4)
    lam = float(rng.uniform(0.3, 3))
    found = [final(RidgeAttentionState, Q, *kv, lam) for kv in ((K, V), (K[::-1], V[::-1]))]
    return [each["answers"] for each in found]


@case("RidgeAttentionState", **LOOSE)
def reading(rng, RidgeAttentionState):
    """queries change nothing"""
    return queries_only_read(RidgeAttentionState, *pairs(rng, 4), 0.7)


@case("RidgeAttentionState", **LOOSE)
def two_states(rng, RidgeAttentionState):
    """two instances share nothing"""
    Q, K, V = (rng.normal(size=(2, 5, size)) for size in (3, 3, 2))
    return alternate(RidgeAttentionState, Q, K, V, 0.7)


@case("RidgeAttentionState", **LOOSE)
def of_lists(rng, RidgeAttentionState):
    """lists, integers and single precision: the arithmetic is that of float64"""
    shapes = (4, 3), (4, 3), (4, 2)
    return [stream(RidgeAttentionState, *arrays, 0.5)
            for arrays in (any_numbers(rng, *shapes), single(rng, *shapes))]
