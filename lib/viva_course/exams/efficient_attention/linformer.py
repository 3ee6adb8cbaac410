"""Exam of linformer_attention."""

import numpy as np

from viva.cases.efficient_attention.inputs import tokens
from viva.cases.efficient_attention.linformer import projections
from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise, then

linformer = Exercise("linformer_attention", "softmax attention, scaled by sqrt(d), over the k rows "
                     "of E K and F V")

linformer.values(2.5, "The values must be those of attention over the projected tokens.",
                 only=("identity", "three_summaries", "constant_values"))
linformer.values(1, "Any batch axes; lists and integers too; float64 comes back.",
                 only=("of_a_batch", "of_lists"), name="batches and types")
linformer.values(1, "Large inputs must not overflow.", only=("large",), name="overflow")


@linformer.item(1, "E acts on the keys only, F on the values only.",
                name="E for keys, F for values")
def e_for_keys_f_for_values(exam, linformer_attention):
    Q, K, V = tokens(exam.rng, 5, 8, d=4, c=3)
    E, F = projections(exam.rng, 3, 8)
    exam.same(linformer_attention(Q, K, V, E, 2 * F),
              2 * np.asarray(linformer_attention(Q, K, V, E, F)))
    exam.same(linformer_attention(Q, K, V, 0 * E, F), np.tile((F @ V).mean(axis=0), (5, 1)))


@linformer.item(0.5, "The first output depends on the last token: every summary mixes all tokens.")
def not_causal(exam, linformer_attention):
    Q, K, V = tokens(exam.rng, 6, 6, d=4)
    E, F = projections(exam.rng, 3, 6)
    before = np.asarray(linformer_attention(Q, K, V, E, F))
    exam.same(before, reference.linformer_attention(Q, K, V, E, F))
    K[-1] += 1
    after = np.asarray(linformer_attention(Q, K, V, E, F))
    exam.true(np.abs(after - before)[0].max() > 1e-9, "the last token is not seen")


@linformer.item(1.5, "4000 tokens and eight summaries need no array of 4000 x 4000 numbers (128 "
                "MB; allowed are 40).")
def linear_memory(exam, linformer_attention):
    Q, K, V = tokens(exam.rng, 4000, 4000, d=4, c=2)
    E, F = projections(exam.rng, 8, 4000)
    found = exam.within(40, linformer_attention, Q, K, V, E, F)
    exam.same(found, reference.linformer_attention(Q, K, V, E, F))


linformer.unmodified(0.5, "Nothing may be written into the arguments.")


def _softmax(x, axis=-1):
    weights = np.exp(x - x.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _T(x):
    return np.swapaxes(x, -1, -2)


def _floats(*arrays):
    return [np.asarray(x, float) for x in arrays]


@linformer.mistake("project_after", "The n x n attention matrix is projected: that saves nothing "
                   "and gives other numbers. Project keys and values before the scores.")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _floats(Q, K, V, E, F)
    return _softmax(Q @ _T(K) / np.sqrt(Q.shape[-1])) @ E.T @ (F @ V)


@linformer.mistake("project_after_softmax_scores", "The scores of all tokens are projected: that "
                   "needs n x n numbers. Project the keys first.",
                   hidden_only="memory of long sequences")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _floats(Q, K, V, E, F)
    return _softmax(Q @ _T(K) @ E.T / np.sqrt(Q.shape[-1])) @ (F @ V)


linformer.mistakes_of(linformer_attention={
    "scale_k": (
        "The scores are divided by the root of d, the length of a key, not of the number of "
        "summaries.",
        then(_floats, lambda Q, K, V, E, F: _softmax(Q @ _T(E @ K) / np.sqrt(len(E))) @ (F @ V))),
    "no_scale": ("The factor 1/sqrt(d) is missing.",
                 then(_floats, lambda Q, K, V, E, F: _softmax(Q @ _T(E @ K)) @ (F @ V))),
    "shared": ("E is used for the values too: they have their own projection F.",
               lambda Q, K, V, E, F: reference.linformer_attention(Q, K, V, E, E)),
    "swapped": ("E and F are exchanged: E is for the keys, F for the values.",
                lambda Q, K, V, E, F: reference.linformer_attention(Q, K, V, F, E)),
    "project_features": (
        "Nothing is projected: this is ordinary attention.",
        then(_floats, lambda Q, K, V, E, F: _softmax(Q @ _T(K) / np.sqrt(Q.shape[-1])) @ V)),
    "no_softmax": (
        "The softmax over the summaries is missing.",
        then(_floats, lambda Q, K, V, E, F: Q @ _T(E @ K) / np.sqrt(Q.shape[-1]) @ (F @ V))),
})


@linformer.mistake("softmax_cols", "The softmax runs over the queries: each query needs weights "
                   "over the summaries that add up to one.")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _floats(Q, K, V, E, F)
    return _softmax(Q @ _T(E @ K) / np.sqrt(Q.shape[-1]), axis=-2) @ (F @ V)


@linformer.mistake("keys_only", "The values are not projected with F but pooled evenly.")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _floats(Q, K, V, E, F)
    pooled = np.full(F.shape, 1 / F.shape[1]) @ V
    return _softmax(Q @ _T(E @ K) / np.sqrt(Q.shape[-1])) @ pooled


@linformer.mistake("projections_normalised", "E and F are used as they are: their rows need not "
                   "add up to one.")
def linformer_attention(Q, K, V, E, F):
    E, F = (_softmax(np.asarray(x, float)) for x in (E, F))
    return reference.linformer_attention(Q, K, V, E, F)


@linformer.mistake("rows_divided", "E and F are used as they are: their rows are not divided by "
                   "their sums.")
def linformer_attention(Q, K, V, E, F):
    E, F = (np.asarray(x, float) / np.sum(x, axis=1, keepdims=True) for x in (E, F))
    return reference.linformer_attention(Q, K, V, E, F)


@linformer.mistake("no_shift", "Subtract the maximum before taking exp: large inputs overflow.")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _floats(Q, K, V, E, F)
    with np.errstate(all="ignore"):
        weights = np.exp(Q @ _T(E @ K) / np.sqrt(Q.shape[-1]))
        return weights / weights.sum(axis=-1, keepdims=True) @ (F @ V)


@linformer.mistake("one_batch", "Only the first sequence of a batch is used: E and F act on the "
                   "second axis from the end of every one.")
def linformer_attention(Q, K, V, E, F):
    K, V = _floats(K, V)
    first = (0,) * (K.ndim - 2)
    return reference.linformer_attention(Q, K[first], V[first], E, F)


@linformer.mistake("single", "The result must be float64 whatever the inputs are.")
def linformer_attention(Q, K, V, E, F):
    out = reference.linformer_attention(Q, K, V, E, F)
    return out if np.asarray(K).dtype == np.float64 else out.astype(np.float32)


@linformer.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def linformer_attention(Q, K, V, E, F):
    expected = reference.linformer_attention(Q, K, V, E, F)
    if isinstance(Q, np.ndarray):
        Q /= 2
    return expected


@linformer.variant("einsum and logarithms")
def linformer_attention(Q, K, V, E, F):
    Q, K, V, E, F = _floats(Q, K, V, E, F)
    keys = np.einsum("kn,...nd->...kd", E, K)
    scores = np.einsum("...qd,...kd->...qk", Q, keys) * K.shape[-1] ** -0.5
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return np.einsum("...qk,...kc->...qc", weights, np.einsum("kn,...nc->...kc", F, V))


@linformer.variant("torch")
def linformer_attention(Q, K, V, E, F):
    import torch

    Q, K, V, E, F = (torch.tensor(np.asarray(x, float)) for x in (Q, K, V, E, F))
    scores = Q @ (E @ K).mT / Q.shape[-1] ** 0.5
    return (torch.softmax(scores, dim=-1) @ (F @ V)).numpy()
