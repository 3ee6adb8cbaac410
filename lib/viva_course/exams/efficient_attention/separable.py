"""Exam of separable_attention."""

import numpy as np

from viva.cases.efficient_attention.inputs import tokens
from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise, then

separable = Exercise("separable_attention", "softmax over the features of each query, times the "
                     "keys' softmax over the tokens, times V")

separable.values(2.5, "The values must be those of the two softmaxes.",
                 only=("by_hand", "four_queries", "row_sums", "weights"))
separable.values(1, "Any batch axes; lists and integers too; float64 comes back.",
                 only=("batch", "lists_and_integers"), name="batches and types")
separable.values(1.5, "Large inputs must not overflow.", only=("large",), name="overflow")


@separable.item(1, "The weights of twelve tokens with three features have rank three.", name="rank")
def ask_rank(exam, separable_attention):
    Q, K, _ = tokens(exam.rng, 12, 12)
    weights = np.asarray(separable_attention(Q, K, np.eye(12)))
    exam.true(weights.shape == (12, 12), f"weights of shape {weights.shape}")
    exam.true(np.allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-9), "rows must sum to one")
    exam.true((weights >= 0).all(), "weights must not be negative")
    rank = int(np.linalg.matrix_rank(weights, tol=1e-9))
    exam.true(rank == 3, f"rank {rank}")


@separable.item(1.5, "4000 tokens need no array of 4000 x 4000 numbers (128 MB; allowed are 40).")
def linear_memory(exam, separable_attention):
    Q, K, V = tokens(exam.rng, 4000, 4000, d=8, c=4)
    found = exam.within(40, separable_attention, Q, K, V)
    exam.same(found, reference.separable_attention(Q, K, V))


separable.unmodified(0.5, "Nothing may be written into the arguments.")


def _softmax(x, axis):
    weights = np.exp(x - x.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _floats(*arrays):
    return [np.asarray(x, float) for x in arrays]


def _T(x):
    return np.swapaxes(x, -1, -2)


separable.mistakes_of(separable_attention={
    "row_softmax_K": ("The keys' softmax runs over the features here: it must run over the tokens, "
                      "or the weights of a query do not add up to one.",
                      then(_floats, lambda Q, K, V: _softmax(Q, -1) @ (_T(_softmax(K, -1)) @ V))),
    "both_swapped": ("The two axes are exchanged: queries over features, keys over tokens.",
                     then(_floats, lambda Q, K, V: _softmax(Q, -2) @ (_T(_softmax(K, -1)) @ V))),
    "both_over_tokens": (
        "The queries' softmax runs over the features of each query.",
        then(_floats, lambda Q, K, V: _softmax(Q, -2) @ (_T(_softmax(K, -2)) @ V))),
    "softmax_again": (
        "The product of the two softmaxes is normalised already; a third softmax changes it.",
        then(_floats, lambda Q, K, V: _softmax(_softmax(Q, -1) @ _T(_softmax(K, -2)), -1) @ V)),
    "standard": ("This is ordinary softmax attention.",
                 then(_floats, lambda Q, K, V: _softmax(Q @ _T(K), -1) @ V)),
    "standard_scaled": (
        "This is ordinary softmax attention.",
        then(_floats, lambda Q, K, V: _softmax(Q @ _T(K) / np.sqrt(Q.shape[-1]), -1) @ V)),
    "keys_plain": ("The keys need their softmax as well.",
                   then(_floats, lambda Q, K, V: _softmax(Q, -1) @ (_T(K) @ V))),
    "global_softmax": (
        "Each feature of the keys has its own sum over the tokens.",
        then(_floats, lambda Q, K, V: _softmax(Q, -1) @ (_T(_softmax(K, (-1, -2))) @ V))),
    "axis_zero": ("Axis 0 is a batch axis when there is one: count axes from the end.",
                  then(_floats, lambda Q, K, V: _softmax(Q, -1) @ (_T(_softmax(K, 0)) @ V))),
    "single": ("The result must be float64 whatever the inputs are.",
               lambda Q, K, V: reference.separable_attention(Q, K, V).astype(np.float32)),
})


@separable.mistake("scaled", "No factor 1/sqrt(d) belongs inside these softmaxes.")
def separable_attention(Q, K, V):
    Q, K, V = _floats(Q, K, V)
    root = np.sqrt(Q.shape[-1])
    return _softmax(Q / root, -1) @ (_T(_softmax(K / root, -2)) @ V)


@separable.mistake("queries_scaled", "No factor 1/sqrt(d) belongs inside these softmaxes, not even "
                   "in that of the queries.")
def separable_attention(Q, K, V):
    Q, K, V = _floats(Q, K, V)
    return _softmax(Q / np.sqrt(Q.shape[-1]), -1) @ (_T(_softmax(K, -2)) @ V)


@separable.mistake("no_shift", "Large inputs overflow, or a whole distribution underflows: before "
                   "exp, subtract the maximum along the axis of the softmax.")
def separable_attention(Q, K, V):
    Q, K, V = _floats(Q, K, V)
    with np.errstate(all="ignore"):
        fQ, fK = np.exp(Q), np.exp(K)
        fQ, fK = fQ / fQ.sum(axis=-1, keepdims=True), fK / fK.sum(axis=-2, keepdims=True)
    return fQ @ (_T(fK) @ V)


@separable.mistake("quadratic", "Multiply the keys with the values first: nothing of size n x n is "
                   "needed.", hidden_only="memory of long sequences")
def separable_attention(Q, K, V):
    Q, K, V = _floats(Q, K, V)
    return (_softmax(Q, -1) @ _T(_softmax(K, -2))) @ V


@separable.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def separable_attention(Q, K, V):
    expected = reference.separable_attention(Q, K, V)
    if isinstance(K, np.ndarray):
        K -= K.max()
    return expected


@separable.variant("einsum and logarithms")
def separable_attention(Q, K, V):
    Q, K, V = _floats(Q, K, V)
    Q = np.exp(Q - np.logaddexp.reduce(Q, axis=-1, keepdims=True))
    K = np.exp(K - np.logaddexp.reduce(K, axis=-2, keepdims=True))
    return np.einsum("...nd,...dc->...nc", Q, np.einsum("...nd,...nc->...dc", K, V))


@separable.variant("torch")
def separable_attention(Q, K, V):
    import torch

    Q, K, V = (torch.tensor(np.asarray(x, float)) for x in (Q, K, V))
    return (torch.softmax(Q, -1) @ (torch.softmax(K, -2).mT @ V)).numpy()
