"""Cases of causal_linear_attention, LinearAttentionState and MultiHeadLinearAttention.

Default tolerance: float64 on small arrays, where only the order of summation may differ.
The drivers run beside the student's classes and hand back plain data.
"""

import tracemalloc

import numpy as np
import torch

from viva.case import beside, case


def _features(rng, *shape):
    return rng.uniform(0.1, 1, shape)


@case("causal_linear_attention")
def seven_tokens(rng, causal_linear_attention):
    """seven tokens, three positive features"""
    phiQ, phiK = _features(rng, 7, 3), _features(rng, 7, 3)
    return causal_linear_attention(phiQ, phiK, rng.normal(size=(7, 2)))


@case("causal_linear_attention")
def first_and_last_row(rng, causal_linear_attention):
    """the first row sees the first token only, the last row sees all"""
    phiQ, phiK, V = _features(rng, 5, 4), _features(rng, 5, 4), rng.normal(size=(5, 3))
    out = causal_linear_attention(phiQ, phiK, V)
    return {"first": out[0], "last": out[-1]}


@beside
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


@beside
def alternate(LinearAttentionState, Q, K, V):
    """Two states fed in turn with two sequences: outputs and states of both."""
    C, M = Q.shape[-1], V.shape[-1]
    states = [LinearAttentionState(np.exp, C, M) for _ in range(2)]
    rows = [[], []]
    for i in range(Q.shape[1]):
        for b, state in enumerate(states):
            rows[b].append(np.asarray(state.step(Q[b, i], K[b, i], V[b, i])))
    return {"rows": np.array(rows), "t": [state.t for state in states]}


@beside
def growth(LinearAttentionState, Q, K, V, warm):
    """Bytes that stay allocated between step `warm` and the last, and the last output."""
    state = LinearAttentionState(np.exp, Q.shape[-1], V.shape[-1])
    tracemalloc.start()
    try:
        for i in range(len(Q)):
            row = state.step(Q[i], K[i], V[i])
            if i == warm:
                before = tracemalloc.get_traced_memory()[0]
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    return {"bytes": after - before, "row": np.asarray(row), "S": np.asarray(state.S)}


@case("LinearAttentionState")
def token_by_token(rng, LinearAttentionState):
    """six tokens one by one, phi(x) = exp(x); then S, Z and t"""
    Q, K, V = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    return stream(LinearAttentionState, Q, K, V)


def module_weights(rng, E):
    """Weights and biases for the four projections."""
    shapes = {"weight": (E, E), "bias": (E,)}
    return {
        f"{name}.{part}": rng.normal(size=shape) / np.sqrt(E)
        for name in "qkvo"
        for part, shape in shapes.items()
    }


@beside
def run_module(MultiHeadLinearAttention, E, heads, causal, weights, x, gradient=None):
    """Output of the module with these weights; with `gradient`, what flows back from it too."""
    module = MultiHeadLinearAttention(E, heads, causal=causal).double()
    module.load_state_dict({name: torch.tensor(w) for name, w in weights.items()})
    x = torch.tensor(x, requires_grad=True)
    out = module(x)
    if gradient is None:
        return out.detach().numpy()
    out.backward(torch.tensor(gradient))
    grads = {name: p.grad.numpy() for name, p in module.named_parameters()}
    return {"x": x.grad.numpy(), **grads}


@case("MultiHeadLinearAttention")
def two_heads(rng, MultiHeadLinearAttention):
    """embed_dim 6, two heads, not causal"""
    weights, x = module_weights(rng, 6), rng.normal(size=(2, 5, 6))
    return run_module(MultiHeadLinearAttention, 6, 2, False, weights, x)


@case("MultiHeadLinearAttention")
def three_causal_heads(rng, MultiHeadLinearAttention):
    """embed_dim 6, three heads, causal"""
    weights, x = module_weights(rng, 6), rng.normal(size=(2, 4, 6))
    return run_module(MultiHeadLinearAttention, 6, 3, True, weights, x)
