"""Exam of LinearAttentionState."""

import numpy as np

from viva.cases.kernel_attention.recurrent import alternate, stream
from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise

recurrent = Exercise(
    "LinearAttentionState", expects="step() absorbs the token, then answers; S (C, M), Z (C,), t",
    survivors={
        "LinearAttentionState.step: return query @ self.S / (query @ self.Z) -> "
        "return query @ self.S / (self.Z @ query)": "the product of two vectors has no order",
    },
)

recurrent.values(3.5, "Token by token it must give the rows of causal_linear_attention.")


def _tokens(rng, *shape, D=3, M=2):
    return [rng.normal(size=(*shape, d)) for d in (D, D, M)]


@recurrent.item(1.5, "Nothing but S (C, M) and Z (C,) is kept from step to step.")
def constant_size(exam, LinearAttentionState):
    M = 30_000  # the state takes 0.2 MB, the values of all tokens 216
    q, keys, values = (exam.rng.normal(size=size) for size in (1, (900, 1), (2, M)))
    state, expected = (each(np.exp, 1, M) for each in (LinearAttentionState,
                                                       reference.LinearAttentionState))
    with exam.room(40, LinearAttentionState):
        for i, key in enumerate(keys):
            token = q, key, values[i % 2].copy()
            found, row = state.step(*token), expected.step(*token)
    exam.same(found, row, rtol=1e-8, atol=1e-9)
    exam.same(state.S, expected.S, rtol=1e-8, atol=1e-9)


@recurrent.item(1, "Two instances share nothing.")
def own_state(exam, LinearAttentionState):
    tokens = _tokens(exam.rng, 2, 5)
    expected = alternate(reference.LinearAttentionState, *tokens)
    exam.same(alternate(LinearAttentionState, *tokens), expected, **TIGHT)


@recurrent.item(1, "After reset() the same tokens give the same rows, and t starts at 0.",
                name="reset")
def ask_reset(exam, LinearAttentionState):
    tokens = _tokens(exam.rng, 4)
    found = stream(LinearAttentionState, *tokens, resets=2)["passes"]
    exam.same(found, stream(reference.LinearAttentionState, *tokens, resets=2)["passes"], **TIGHT)


class _Base(reference.LinearAttentionState):
    """What the mistakes below do not get wrong."""


@recurrent.mistake("read_before_write", "Absorb the token first, then answer for it.")
class LinearAttentionState(_Base):
    def step(self, q, k, v):
        query, key = self.phi(q), self.phi(k)
        with np.errstate(all="ignore"):
            out = query @ self.S / (query @ self.Z)
        self.S, self.Z, self.t = self.S + np.outer(key, v), self.Z + key, self.t + 1
        return out


@recurrent.mistake("shared_class_state", "Keep S and Z on the instance, not on the class.")
class LinearAttentionState:
    memory: dict = {}

    def __init__(self, phi, C, M):
        self.phi, self.C, self.M = phi, C, M
        self.reset()

    S = property(lambda self: self.memory["S"])
    Z = property(lambda self: self.memory["Z"])
    t = property(lambda self: self.memory["t"])

    def reset(self):
        self.memory.update(S=np.zeros((self.C, self.M)), Z=np.zeros(self.C), t=0)

    def step(self, q, k, v):
        query, key = self.phi(q), self.phi(k)
        self.memory.update(S=self.S + np.outer(key, v), Z=self.Z + key, t=self.t + 1)
        return query @ self.S / (query @ self.Z)


@recurrent.mistake("kv_cache", "Memory grows with t: keep no keys, values, answers or old "
                   "states; S and Z hold all that matters.")
class LinearAttentionState(_Base):
    def __init__(self, phi, C, M):
        super().__init__(phi, C, M)
        self.seen = []

    def step(self, q, k, v):
        self.seen.append((np.array(k), np.array(v)))
        return super().step(q, k, v)


@recurrent.mistake("q_k_swapped", "Keys are stored, queries read.")
class LinearAttentionState(_Base):
    def step(self, q, k, v):
        return super().step(k, q, v)


@recurrent.mistake("decay", "S must not decay: old tokens count as much as new ones.")
class LinearAttentionState(_Base):
    def step(self, q, k, v):
        self.S = 0.9 * self.S
        return super().step(q, k, v)


@recurrent.mistake("decay_of_both", "A decay of S and Z gives recent tokens more weight.")
class LinearAttentionState(_Base):
    def step(self, q, k, v):
        self.S, self.Z = 0.9 * self.S, 0.9 * self.Z
        return super().step(q, k, v)


@recurrent.mistake("no_normaliser", "Divide by phi(q) . Z.")
class LinearAttentionState(_Base):
    def step(self, q, k, v):
        super().step(q, k, v)
        return self.phi(q) @ self.S


@recurrent.mistake("features_forgotten", "Apply phi to the query and to the key.")
class LinearAttentionState(_Base):
    def __init__(self, phi, C, M):
        super().__init__(lambda x: np.abs(x), C, M)


@recurrent.mistake("reset_keeps_Z", "reset() must clear S, Z and t.")
class LinearAttentionState(_Base):
    def reset(self):
        self.S = np.zeros_like(self.S)


@recurrent.mistake("reset_of_t_only", "reset() must clear S and Z as well, not the count alone.")
class LinearAttentionState(_Base):
    def reset(self):
        if hasattr(self, "S"):
            self.t = 0
        else:
            super().reset()


@recurrent.mistake("reset_keeps_t", "reset() must set t back to 0 as well.")
class LinearAttentionState(_Base):
    def reset(self):
        t = getattr(self, "t", 0)
        super().reset()
        self.t = t


@recurrent.mistake("sums_on_the_class", "S and Z live on the class, so all machines share them: "
                   "make them in reset(), on self.")
class LinearAttentionState:
    sums: list = []

    def __init__(self, phi, C, M):
        self.phi, self.C, self.M = phi, C, M
        self.reset()

    S, Z = property(lambda self: self.sums[0]), property(lambda self: self.sums[1])

    def reset(self):
        self.sums[:] = np.zeros((self.C, self.M)), np.zeros(self.C)
        self.t = 0

    def step(self, q, k, v):
        query, key = self.phi(q), self.phi(k)
        self.sums[:] = self.S + np.outer(key, v), self.Z + key
        self.t += 1
        return query @ self.S / (query @ self.Z)


@recurrent.mistake("t_not_counted", "t counts the tokens.")
class LinearAttentionState(_Base):
    def step(self, q, k, v):
        out = super().step(q, k, v)
        self.t = 0
        return out


@recurrent.mistake("transposed_state", "S has the shape (C, M): outer product of phi(k) and v.")
class LinearAttentionState:
    def __init__(self, phi, C, M):
        self.phi, self.S, self.Z, self.t = phi, np.zeros((M, C)), np.zeros(C), 0

    def reset(self):
        self.S, self.Z, self.t = 0 * self.S, 0 * self.Z, 0

    def step(self, q, k, v):
        self.S, self.Z = self.S + np.outer(v, self.phi(k)), self.Z + self.phi(k)
        self.t += 1
        return self.S @ self.phi(q) / (self.phi(q) @ self.Z)


@recurrent.variant("in-place state")
class LinearAttentionState:
    def __init__(self, phi, C, M):
        self.phi, self.C, self.M = phi, C, M
        self.reset()

    def reset(self):
        self.S, self.Z, self.t = np.zeros((self.C, self.M)), np.zeros(self.C), 0

    def step(self, q, k, v):
        key, query = self.phi(k), self.phi(q)
        self.S += key[:, None] * v
        self.Z += key
        self.t += 1
        return self.S.T @ query / self.Z.dot(query)
