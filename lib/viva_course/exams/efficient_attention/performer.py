"""Exam of performer_attention."""

import numpy as np

from viva.cases.efficient_attention.inputs import tokens
from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise

performer = Exercise(
    "performer_attention",
    expects="the average of the values with weights f(q / d^(1/4)) . f(k / d^(1/4))",
    survivors={
        "performer_attention: state = state + fK[..., i, :, None] * V1[..., i, None, :] -> "
        "state = state - fK[..., i, :, None] * V1[..., i, None, :]":
            "both sums change their sign, and the ratio does not",
    },
)

performer.values(3, "The values must be those of the explicit product of features.",
                 only=("five_features", "many_features"))
performer.values(2, "Causal: query i averages over the keys 0 .. i.", only=("causal",),
                 name="causal")
performer.values(1.5, "Any batch axes; lists and integers too; float64 comes back.",
                 only=("of_a_batch", "of_lists"), name="batches and types")
performer.values(0.5, "Inputs of size 40 give neither NaN nor overflow.", only=("large",),
                 name="large")
performer.values(1, "Inputs of size 1000 give no NaN for any query.", only=("very_large",),
                 name="very large")


def explicit(Q, K, V, W, causal=False):
    """The average with the full matrix of weights, from logarithms."""
    Q, K = Q / Q.shape[-1] ** 0.25, K / K.shape[-1] ** 0.25
    logs = [X @ W.T - (X**2).sum(axis=-1, keepdims=True) / 2 for X in (Q, K)]
    pairs = np.logaddexp.reduce(logs[0][:, None] + logs[1][None], axis=-1)  # (Nq, Nk)
    pairs = np.where(np.tri(*pairs.shape, dtype=bool), pairs, -np.inf) if causal else pairs
    weights = np.exp(pairs - pairs.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V


@performer.item(1.5, "Positive weights that add up to one: outputs stay between the values, even "
                "with four features and inputs of size 3.")
def in_the_hull(exam, performer_attention):
    for causal in (False, True):
        Q, K, V = tokens(exam.rng, 20, 20, d=5, scale=3.0)
        W = exam.rng.normal(size=(4, 5))
        out = np.asarray(performer_attention(Q, K, V, W, causal))
        exam.same(out, explicit(Q, K, V, W, causal), rtol=1e-8, atol=1e-9)
        inside = (out >= V.min(axis=0) - 1e-9) & (out <= V.max(axis=0) + 1e-9)
        exam.true(inside.all(), "an output lies outside the values")


@performer.item(1, "Causal: tokens from 4 on do not change outputs before 4, and the first output "
                "is the first value.")
def the_future_is_unseen(exam, performer_attention):
    Q, K, V = tokens(exam.rng, 7, 7, d=4)
    W, K2, V2 = exam.rng.normal(size=(5, 4)), K.copy(), V.copy()
    K2[4:], V2[4:] = exam.rng.normal(size=(3, 4)), exam.rng.normal(size=(3, 2))
    before, after = (np.asarray(performer_attention(Q, *kv, W, causal=True))
                     for kv in ((K, V), (K2, V2)))
    exam.same(after[:4], before[:4])
    exam.same(before[0], V[0])
    exam.true((np.abs(after - before)[4:].max(axis=1) > 1e-9).all(), "a token is not seen")


@performer.item(2, "4000 tokens need no array of 4000 x 4000 numbers, causal or not (128 MB; "
                "allowed are 40).")
def linear_memory(exam, performer_attention):
    Q, K, V = tokens(exam.rng, 4000, 4000, d=4, c=2, scale=0.5)
    W = exam.rng.normal(size=(8, 4))
    for causal in (False, True):
        out = exam.within(40, performer_attention, Q, K, V, W, causal)
        expected = reference.performer_attention(Q, K, V, W, causal)
        exam.same(out, expected, rtol=1e-8, atol=1e-9)


performer.unmodified(0.5, "Nothing may be written into the arguments.")


def _T(x):
    return np.swapaxes(x, -1, -2)


def _performer(Q, K, V, W, causal=False, power=0.25, half=0.5, shift="direction", strict=False,
               denominator=lambda weights, masked: masked.sum(axis=-1, keepdims=True)):
    """The quadratic formula, with places to go wrong."""
    Q, K, V, W = (np.asarray(x, float) for x in (Q, K, V, W))
    Q, K = Q / Q.shape[-1] ** power, K / K.shape[-1] ** power
    logQ, logK = Q @ W.T, K @ W.T - half * (K**2).sum(axis=-1, keepdims=True)
    axes = {"direction": -2, "all": (-1, -2), "key": -1, "feature": -2}[shift]
    top = logK.max(axis=axes, keepdims=True)
    logQ = logQ + top if shift == "direction" else logQ
    with np.errstate(all="ignore"):
        fQ, fK = np.exp(logQ - logQ.max(axis=-1, keepdims=True)), np.exp(logK - top)
        weights = fQ @ _T(fK)
        masked = np.tril(weights, -1 if strict else 0) if causal else weights
        return masked @ V / denominator(weights, masked)


performer.mistakes_of(performer_attention={
    "no_quarter_scale": ("The scores lack the factor 1/sqrt(d): queries and keys must both be "
                         "scaled before the features.",
                         lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, power=0)),
    "sqrt_scale": ("Dividing both q and k by sqrt(d) divides the scores by d.",
                   lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, power=0.5)),
    "max_per_key": ("A maximum per key is subtracted: that changes the weight of the keys among "
                    "each other. One constant for all keys cancels.",
                    lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, shift="key")),
    "max_per_feature": (
        "A maximum per feature is subtracted from the keys and not given back to the queries: it "
        "does not cancel.",
        lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, shift="feature")),
    "one_maximum": (
        "One constant for all keys cancels, and for very large inputs it is not enough: the "
        "features of a query and those of the keys can all be zero in different directions. Let "
        "the constant depend on the direction.",
        lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, shift="all")),
    "key_norm_missing": ("|k|^2 / 2 differs from key to key and does not cancel.",
                         lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, half=0)),
    "norm_not_half": ("|k|^2 needs a factor 1/2.",
                      lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, half=1)),
    "norm_unscaled": ("|k|^2 is that of the scaled key, the one that enters w . k.",
                      lambda Q, K, V, W, causal=False: (
                          _performer(Q, K, V, W, causal, half=0.5 * np.shape(Q)[-1] ** 0.5))),
    "plus_norm": ("The sign of |k|^2 / 2 is wrong: it shrinks the feature.",
                  lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, half=-0.5)),
    "causal_ignored": ("causal=True has no effect.",
                       lambda Q, K, V, W, causal=False: reference.performer_attention(Q, K, V, W)),
    "causal_exclusive": (
        "A query sees its own token too: the sums run to i, not to i - 1.",
        lambda Q, K, V, W, causal=False: _performer(Q, K, V, W, causal, strict=True)),
    "no_normaliser": ("The weights are not divided by their sum.",
                      lambda Q, K, V, W, causal=False: (
                          _performer(Q, K, V, W, causal, denominator=lambda weights, masked: 1.0))),
    "quadratic": ("An n x n array is built: sum over the keys first.",
                  lambda Q, K, V, W, causal=False: (
                      _performer(Q, K, V, W, causal)), "memory of long sequences"),
})


@performer.mistake("queries_only", "Scaling the queries alone by 1/sqrt(d) is right for the exact "
                   "kernel; here the features of q and k would be unbalanced.")
def performer_attention(Q, K, V, W, causal=False):
    root = np.shape(Q)[-1] ** 0.5
    return _performer(np.asarray(Q, float) / root, K, V, W, causal, power=0)


@performer.mistake("causal_numerator_only", "The denominator must be causal as well.")
def performer_attention(Q, K, V, W, causal=False):
    return _performer(Q, K, V, W, causal,
                      denominator=lambda weights, masked: weights.sum(axis=-1, keepdims=True))


@performer.mistake("causal_exclusive_but_first", "A query sees its own token too: the sums run to "
                   "i, not to i - 1.")
def performer_attention(Q, K, V, W, causal=False):
    out = _performer(Q, K, V, W, causal, strict=True)
    if causal:
        out[..., 0, :] = np.asarray(V)[..., 0, :]
    return out


@performer.mistake("reversed_causal", "The mask is turned around: query i sees the past, not the "
                   "future.")
def performer_attention(Q, K, V, W, causal=False):
    if not causal:
        return reference.performer_attention(Q, K, V, W)
    Q, K, V = (np.flip(np.asarray(x, float), axis=-2) for x in (Q, K, V))
    return np.flip(reference.performer_attention(Q, K, V, W, True), axis=-2)


@performer.mistake("epsilon", "The denominator is positive already: a constant added to it is an "
                   "error where features are small.")
def performer_attention(Q, K, V, W, causal=False):
    return _performer(Q, K, V, W, causal, denominator=lambda weights, masked: masked.sum(
        axis=-1, keepdims=True) + 1e-6)


@performer.mistake("unstable", "Without a maximum subtracted all features of large inputs are "
                   "zero, and 0/0 is NaN.")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = (np.asarray(x, float) for x in (Q, K, V, W))
    fQ, fK = (reference.positive_features(X / X.shape[-1] ** 0.25, W) for X in (Q, K))
    with np.errstate(all="ignore"):
        weights = fQ @ _T(fK)
        weights = np.tril(weights) if causal else weights
        return weights @ V / weights.sum(axis=-1, keepdims=True)


@performer.mistake("softmax", "This is exact softmax attention: the random features are asked for.")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    scores = Q @ _T(K) / np.sqrt(Q.shape[-1])
    scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf) if causal else scores
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V


@performer.mistake("causal_quadratic", "The causal case builds an n x n array: keep running sums.",
                   hidden_only="memory of long sequences")
def performer_attention(Q, K, V, W, causal=False):
    if not causal:
        return reference.performer_attention(Q, K, V, W)
    return _performer(Q, K, V, W, causal)


@performer.mistake("single", "The result must be float64 whatever the inputs are.")
def performer_attention(Q, K, V, W, causal=False):
    out = reference.performer_attention(Q, K, V, W, causal)
    return out if np.asarray(K).dtype == np.float64 else out.astype(np.float32)


@performer.mistake("in_place", "The arguments belong to the caller: scale copies.")
def performer_attention(Q, K, V, W, causal=False):
    expected = reference.performer_attention(Q, K, V, W, causal)
    if isinstance(Q, np.ndarray):
        Q /= 2
    return expected


@performer.variant("a maximum per feature, given back; cumulative sums")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = (np.asarray(x, float) for x in (Q, K, V, W))
    Q, K = Q * Q.shape[-1] ** -0.25, K * K.shape[-1] ** -0.25
    logK = K @ W.T - 0.5 * np.sum(K * K, axis=-1)[..., None]
    top = logK.max(axis=-2, keepdims=True)
    logQ = Q @ W.T + top
    fQ, fK = np.exp(logQ - logQ.max(axis=-1, keepdims=True)), np.exp(logK - top)
    values = np.concatenate([V, np.ones_like(V[..., :1])], axis=-1)
    if causal:
        sums = np.cumsum(fK[..., :, None] * values[..., None, :], axis=-3)
        both = np.einsum("...nm,...nmc->...nc", fQ, sums)
    else:
        both = fQ @ (_T(fK) @ values)
    return both[..., :-1] / both[..., -1:]


@performer.variant("features with all prefactors")
def performer_attention(Q, K, V, W, causal=False):
    Q, K, V, W = (np.asarray(x, float) for x in (Q, K, V, W))
    logs = [X @ W.T - (X**2).sum(axis=-1, keepdims=True) / 2 - 0.5 * np.log(len(W))
            for X in (Q / Q.shape[-1] ** 0.25, K / K.shape[-1] ** 0.25)]
    top = logs[1].max(axis=tuple(range(K.ndim - 1)))  # (m,), for the whole batch
    fQ, fK = np.exp(logs[0] + top - (logs[0] + top).max(axis=-1, keepdims=True)), np.exp(
        logs[1] - top)
    if not causal:
        return fQ @ (_T(fK) @ V) / (fQ * fK.sum(axis=-2, keepdims=True)).sum(axis=-1)[..., None]
    out, S, z = np.empty((*Q.shape[:-1], V.shape[-1])), 0.0, 0.0
    for i in range(Q.shape[-2]):
        S = S + fK[..., i, :, None] * V[..., i, None, :]
        z = z + fK[..., i, :]
        query = fQ[..., i, :]
        out[..., i, :] = np.einsum("...m,...mc->...c", query, S) / (query * z).sum(-1)[..., None]
    return out
