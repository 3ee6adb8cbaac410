"""Cases of LinearAttentionState."""
import numpy as np

from viva.case import case, rule
from viva.cases.kernel_attention.memory import size_word, with_peak


def stream(LinearAttentionState, Q, K, V, resets=0):
    """Feed a sequence token by token, `resets` times more after a reset."""
    state = LinearAttentionState(np.exp, Q.shape[-1], V.shape[-1])
    passes = []
    for again in range(resets + 1):
        if again:
            state.reset()
        rows = [np.asarray(state.step(*token)) for token in zip(Q, K, V, strict=True)]
        passes.append({"rows": np.stack(rows), "t": state.t})
    return {"passes": passes, "S": np.asarray(state.S), "Z": np.asarray(state.Z)}


def alternate(LinearAttentionState, Q, K, V):
    """Two states fed in turn with two sequences: outputs and states of both."""
    C, M = Q.shape[-1], V.shape[-1]
    states = [LinearAttentionState(np.exp, C, M) for _ in range(2)]
    rows = [[], []]
    for i in range(Q.shape[1]):
        for b, state in enumerate(states):
            rows[b].append(np.asarray(state.step(Q[b, i], K[b, i], V[b, i])))
    return {"rows": np.array(rows), "t": [state.t for state in states]}


@case("LinearAttentionState")
def token_by_token(rng, LinearAttentionState):
    """six tokens one by one, phi(x) = exp(x); then S, Z and t"""
    Q, K, V = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    return stream(LinearAttentionState, Q, K, V)


@rule("LinearAttentionState")
def after_reset(rng, LinearAttentionState):
    """the same tokens again after reset()"""
    Q, K, V = rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 2))
    return stream(LinearAttentionState, Q, K, V, resets=1)


@rule("LinearAttentionState")
def two_states(rng, LinearAttentionState):
    """two instances fed in turn share nothing"""
    Q, K, V = (rng.normal(size=(2, 4, n)) for n in (3, 3, 2))
    return alternate(LinearAttentionState, Q, K, V)


@rule("LinearAttentionState")
def nothing_grows(rng, LinearAttentionState):
    """300 tokens whose values are 5000 numbers each: the last answers, and no token is kept"""
    state = LinearAttentionState(np.exp, 1, 5000)
    q, keys, values = (rng.normal(size=size) for size in (1, (300, 1), (2, 5000)))

    def read_all():
        for i, key in enumerate(keys):
            out = state.step(q, key, values[i % 2].copy())
        return out

    out, peak = with_peak(read_all)  # the values of all tokens are 12 MB, the state is 0.04
    return {"last answers": out[:3], "less than 3 MB of memory": peak < 3,
            "the largest moment has": size_word(peak, 12, "something of every token")}
