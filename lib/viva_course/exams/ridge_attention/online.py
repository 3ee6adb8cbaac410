"""Exam of RidgeAttentionState."""

import numpy as np

from viva.cases.ridge_attention.inputs import pairs
from viva.cases.ridge_attention.online import final, long_final
from viva_course.exams.ridge_attention.rank_one import INVERSES
from viva_course.reference import ridge_attention as reference
from viva_course.rubric import Exercise, altered

online = Exercise(
    "RidgeAttentionState",
    expects="after any pairs query(q) is W^T q with the W of ridge regression; P = G^-1, H, t",
    forbidden=INVERSES,
    survivors={
        "RidgeAttentionState.update: Pk = self.P @ k -> Pk = k @ self.P": "P is symmetric",
    },
)

online.values(4, "After each pair the answer must be that of ridge regression on all pairs so far.",
              only=("eight_pairs", "more_values", "as_many_values"))
online.values(2, "Before any pair the answer is zero; one pair is answered by "
              "v |k|^2 / (|k|^2 + lam).", only=("one_pair",), name="none and one")
online.values(1.5, "The order of the pairs is irrelevant.", only=("any_order",), name="any order")
online.values(1, "Queries read; they change nothing.", only=("reading",), name="queries read")
online.values(1, "Two instances share nothing.", only=("two_states",), name="own state")
online.values(1, "Lists, single precision and integers are welcome.", only=("of_lists",),
              name="types")


@online.item(2.5, "After 60 pairs, for several shapes, the answers agree with the batch solution "
             "to 1e-9.")
def online_is_batch(exam, RidgeAttentionState):
    for d, m in ((5, 2), (2, 6), (1, 1)):
        Q, K, V = pairs(exam.rng, 60, d=d, m=m, Nq=4)
        lam = float(exam.rng.uniform(0.3, 3))
        found = final(RidgeAttentionState, Q, K, V, lam)
        expected = list(Q @ reference.ridge_weights(K, V, lam))
        exam.same(found["answers"], expected, rtol=1e-9, atol=1e-9)


@online.item(1.5, "After 2000 pairs P is still symmetric and the inverse, to 1e-7.")
def no_drift(exam, RidgeAttentionState):
    Q, K, V = pairs(exam.rng, 2000, d=4, m=2, Nq=3)
    found = long_final(RidgeAttentionState, Q, K, V, 0.5)
    P, G = np.asarray(found["P"]), 0.5 * np.eye(4) + K.T @ K
    exam.true(P.shape == (4, 4), f"P has shape {P.shape}")
    exam.true(np.abs(P - P.T).max() <= 1e-12, "P is no longer symmetric")
    exam.same(P @ G, np.eye(4), rtol=0, atol=1e-7)
    expected = list(Q @ reference.ridge_weights(K, V, 0.5))
    exam.same(found["answers"], expected, rtol=0, atol=1e-7)


@online.item(1.5, "Nothing but P, H and t is kept, however many pairs come.")
def constant_size(exam, RidgeAttentionState):
    m = 30_000  # the state takes 0.2 MB, the values of all pairs 216
    keys, values, q = exam.rng.normal(size=(900, 1)), exam.rng.normal(size=(2, m)), np.ones(1)
    state, expected = RidgeAttentionState(1, m, 0.5), reference.RidgeAttentionState(1, m, 0.5)
    with exam.room(40, RidgeAttentionState):
        for i, k in enumerate(keys):
            state.update(k, values[i % 2].copy())
            expected.update(k, values[i % 2])
        found = state.query(q)
    exam.same(found, expected.query(q), rtol=1e-7, atol=1e-8)


class _Base(reference.RidgeAttentionState):
    """What the mistakes below do not get wrong."""


online.mistakes_of(RidgeAttentionState={
    "linear_attention": ("The answer is H^T q: without the inverse this is linear attention.",
                         altered(_Base, query=lambda self, q: self.H.T @ np.asarray(q, float))),
    "answers_a_row": ("The answer is a vector of shape (m,), not a matrix of one row.",
                      altered(_Base, query=lambda self, q: (
                          np.asarray(q, float)[None] @ self.P @ self.H))),
    "answers_a_column": ("The answer is a vector of shape (m,), not a matrix of one column.",
                         altered(_Base, query=lambda self, q: (
                             self.H.T @ self.P @ np.asarray(q, float)[:, None]))),
    "W_not_transposed": (
        "The prediction is W^T q; W q has the right shape only by accident, if d = m.",
        altered(_Base, query=lambda self, q: self.P @ self.H @ np.asarray(q, float))),
})


@online.mistake("lam_not_inverted", "Before any pair G = lam I, so P is its inverse.")
class RidgeAttentionState(_Base):
    def __init__(self, d, m, lam):
        super().__init__(d, m, lam)
        self.P = lam * np.eye(d)


@online.mistake("no_lam", "lam is ignored: P does not start from the inverse of lam I.")
class RidgeAttentionState(_Base):
    def __init__(self, d, m, lam):
        super().__init__(d, m, lam)
        self.P = np.eye(d)


def _wrong_update(slug, hint, updated):
    class RidgeAttentionState(_Base):
        def update(self, k, v):
            k = np.asarray(k, float)
            self.P, self.H = updated(self.P, k, self.P @ k), self.H + np.outer(k, v)
            self.t += 1

    online.mistake(slug, hint)(RidgeAttentionState)


_wrong_update("plus", "A new pair makes G larger and so P smaller: the correction is subtracted.",
              lambda P, k, Pk: P + np.outer(Pk, Pk) / (1 + k @ Pk))
_wrong_update("den_minus", "The denominator is 1 + k^T P k.",
              lambda P, k, Pk: P - np.outer(Pk, Pk) / (1 - k @ Pk))
_wrong_update("no_denominator", "The correction is divided by 1 + k^T P k.",
              lambda P, k, Pk: P - np.outer(Pk, Pk))
_wrong_update("k_for_Pk", "The correction is the outer product of P k with itself, not of k.",
              lambda P, k, Pk: P - np.outer(k, k) / (1 + k @ Pk))
_wrong_update("P_constant", "P stays as it was at the start: every key must reach it.",
              lambda P, k, Pk: P)
_wrong_update("all_divided", "Only the correction is divided by 1 + k^T P k: here all of P is.",
              lambda P, k, Pk: (P - np.outer(Pk, Pk)) / (1 + k @ Pk))
_wrong_update("new_P_in_denominator", "The denominator uses the P before the update.",
              lambda P, k, Pk: P - np.outer(Pk, Pk) / (1 + k @ Pk - (k @ Pk) ** 2 / (1 + k @ Pk)))


@online.mistake("H_transposed", "H has the shape (d, m): the outer product of key and value.")
class RidgeAttentionState(_Base):
    def __init__(self, d, m, lam):
        super().__init__(d, m, lam)
        self.H = np.zeros((m, d))

    def update(self, k, v):
        H = self.H + np.outer(v, k)
        self.H = np.zeros_like(H.T)
        super().update(k, v)
        self.H = H

    def query(self, q):
        return self.H @ (self.P @ np.asarray(q, float))


@online.mistake("P_is_G", "The attribute P is the inverse of G, not G itself.")
class RidgeAttentionState(_Base):
    def __init__(self, d, m, lam):
        super().__init__(d, m, lam)
        self.inverse, self.P = self.P, lam * np.eye(d)

    def update(self, k, v):
        G = self.P + np.outer(k, k)
        self.P = self.inverse
        super().update(k, v)
        self.inverse, self.P = self.P, G

    def query(self, q):
        return self.H.T @ (self.inverse @ np.asarray(q, float))


@online.mistake("stores_all", "All pairs are kept; P and H hold all that matters.",
                hidden_only="memory of many pairs")
class RidgeAttentionState(_Base):
    def __init__(self, d, m, lam):
        super().__init__(d, m, lam)
        self.seen = []

    def update(self, k, v):
        self.seen.append((np.array(k), np.array(v)))
        super().update(k, v)


@online.mistake("skips_first", "The first key does not reach P.")
class RidgeAttentionState(_Base):
    def update(self, k, v):
        P = self.P
        super().update(k, v)
        if self.t == 1:
            self.P = P


@online.mistake("H_overwritten", "H adds up all pairs; here only the last one is left.")
class RidgeAttentionState(_Base):
    def update(self, k, v):
        self.H = np.zeros_like(self.H)
        super().update(k, v)


@online.mistake("H_of_errors", "H adds up k v^T with the value itself; here it is the value less "
                "the answer so far, which belongs to an update of W.")
class RidgeAttentionState(_Base):
    def update(self, k, v):
        super().update(k, np.asarray(v, float) - self.query(k))


@online.mistake("mean_H", "H is a sum over the pairs, not a mean.")
class RidgeAttentionState(_Base):
    def query(self, q):
        return super().query(q) / max(self.t, 1)


@online.mistake("shared_state", "H is kept on the class, so all instances share it.")
class RidgeAttentionState:
    memory: dict = {}

    def __init__(self, d, m, lam):
        self.P, self.t = np.eye(d) / lam, 0
        self.memory["H"] = np.zeros((d, m))

    H = property(lambda self: self.memory["H"])

    def update(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        Pk = self.P @ k
        self.P = self.P - np.outer(Pk, Pk) / (1 + k @ Pk)
        self.memory["H"] = self.H + np.outer(k, v)
        self.t += 1

    def query(self, q):
        return self.H.T @ (self.P @ np.asarray(q, float))


@online.mistake("t_not_counted", "t counts the pairs.")
class RidgeAttentionState(_Base):
    def update(self, k, v):
        super().update(k, v)
        self.t = 0


@online.mistake("query_counts", "A query is not a pair: t counts updates only.")
class RidgeAttentionState(_Base):
    def query(self, q):
        self.t += 1
        return super().query(q)


@online.mistake("query_learns", "A query changes P, as if it were a key: queries only read.")
class RidgeAttentionState(_Base):
    def query(self, q):
        answer = super().query(q)
        Pq = self.P @ np.asarray(q, float)
        self.P = self.P - np.outer(Pq, Pq) / (1 + np.asarray(q, float) @ Pq)
        return answer


@online.mistake("forgets", "Old pairs fade away: in ridge regression all count the same.")
class RidgeAttentionState(_Base):
    def update(self, k, v):
        self.P, self.H = self.P / 0.95, 0.95 * self.H
        super().update(k, v)


@online.mistake("inverts", "P is computed by an inversion each time: update it.")
class RidgeAttentionState(_Base):
    __viva_source__ = "np.linalg.inv(G)"  # inspect confuses the classes of one name in a module

    def update(self, k, v):
        G = np.linalg.inv(self.P) + np.outer(k, k)
        super().update(k, v)
        self.P = np.linalg.inv(G)


@online.variant("in place, with W")
class RidgeAttentionState:
    def __init__(self, d, m, lam):
        self.P, self.H, self.t = np.diag(np.full(d, 1 / lam)), np.zeros((d, m)), 0

    def update(self, k, v):
        k, v = np.array(k, dtype=float), np.array(v, dtype=float)
        gain = self.P @ k / (1 + k @ self.P @ k)
        self.P -= np.outer(gain, self.P @ k)
        self.P = (self.P + self.P.T) / 2
        self.H += k[:, None] * v[None, :]
        self.t = self.t + 1

    def query(self, q):
        W = self.P @ self.H
        return W.T @ np.asarray(q, dtype=float)


@online.variant("row vectors")
class RidgeAttentionState:
    def __init__(self, d, m, lam):
        self.H, self.P, self.t = np.zeros((d, m)), np.identity(d) * (1.0 / lam), 0

    def update(self, k, v):
        k, v = np.asarray(k, float).reshape(1, -1), np.asarray(v, float).reshape(1, -1)
        Pk = self.P @ k.T
        self.P = self.P - Pk @ Pk.T / (1.0 + (k @ Pk)[0, 0])
        self.H = self.H + k.T @ v
        self.t += 1
        return self

    def query(self, q):
        return (np.asarray(q, float) @ self.P) @ self.H
