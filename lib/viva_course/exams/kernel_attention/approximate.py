"""Exam of rff_softmax_attention."""

import numpy as np

from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise

LOOSE = {"rtol": 1e-8, "atol": 1e-8}  # denominators add features of either sign

rff = Exercise("rff_softmax_attention", "attention with a G b, where the features estimate G, "
               "without overflow")

rff.values(2.5, "For given W it is attention with the assembled similarity.",
           only=("exact_for_given_frequencies",))
rff.values(1, "With 8192 frequencies the error against softmax is below 0.05.",
           only=("close_to_softmax",), name="close to softmax")


@rff.item(1, "Keys of unequal length: each carries its own prefactor.")
def unequal_keys(exam, rff_softmax_attention):
    Q, K, V, W = _inputs(exam.rng, Nq=4, Nk=8, n=6000)
    K *= np.linspace(0.2, 2, 8)[:, None] / np.linalg.norm(K, axis=-1, keepdims=True)
    V = np.linspace(0, 2, 8)[:, None] + 0.1 * V  # long keys are those with large values
    truth = reference.kernel_attention(Q, K, V, reference.softmax_sim)
    error = float(np.abs(np.asarray(rff_softmax_attention(Q, K, V, W), float) - truth).max())
    exam.true(error < 0.05, f"the error against softmax attention is {error:.2g}")


@rff.item(0.5, "Any leading axes; D, M, n, Nq and Nk may all differ.")
def batch_axes(exam, rff_softmax_attention):
    for batch, D in (((2,), 4), ((2, 3), 9)):
        Q, K, V, W = _inputs(exam.rng, batch=batch, D=D, n=200)
        expected = reference.rff_softmax_attention(Q, K, V, W)
        exam.same(rff_softmax_attention(Q, K, V, W), expected, **LOOSE)


@rff.item(0.5, "A denominator may be small or negative: divide by it as it is.")
def any_denominator(exam, rff_softmax_attention):
    Q, K, V, W = _inputs(exam.rng, Nq=60, n=16)
    Q, K = 4 * Q, 4 * K  # far apart: many estimated similarities are negative
    phiQ = reference.rff_features(Q, W)
    phiK = np.exp(_shifted(_half(K))) * reference.rff_features(K, W)
    total = np.abs(phiQ @ phiK.sum(axis=-2))
    clear = total > 0.02 * total.max()  # what is smaller amplifies rounding
    got = rff_softmax_attention(Q, K, V, W)
    exam.same(got[clear], reference.rff_softmax_attention(Q, K, V, W)[clear], **LOOSE)


@rff.item(1.5, "Subtract the largest exponent of each sequence: nothing overflows.")
def large_keys(exam, rff_softmax_attention):
    Q, K, V, W = _inputs(exam.rng, batch=(2,), n=400)
    # |k|^2 / (2 sigma2) is 2000 in the first sequence and of order 1 in the second
    Q[0, :, 0] = K[0, :, 0] = np.sqrt(2 * 2 * 2000)
    got = rff_softmax_attention(Q, K, V, W)
    # angles of 100 radians lose two digits
    exam.same(got, reference.rff_softmax_attention(Q, K, V, W), rtol=1e-6, atol=1e-6)
    K[1, 2, 1] = np.sqrt(2 * 2 * 2000)  # one long key outweighs all others
    got = rff_softmax_attention(Q[1], K[1], V[1], W)
    exam.same(got, np.repeat(V[1, 2:3], len(Q[1]), axis=0), rtol=1e-6, atol=1e-6)


@rff.item(1.5, "Memory must stay linear in N: no N x N similarity.")
def never_N_x_N(exam, rff_softmax_attention):
    N = 6000  # N^2 numbers are 288 MB, in float32 144 MB
    Q, K, V, W = _inputs(exam.rng, Nq=N, Nk=N, n=8)
    found = exam.within(40, rff_softmax_attention, Q, K, V, W)
    exam.same(found, reference.rff_softmax_attention(Q, K, V, W), rtol=1e-7, atol=1e-7)


rff.unmodified(0.5, "Nothing may be written into the arguments.")


def _inputs(rng, batch=(), Nq=6, Nk=8, D=4, M=3, n=64):
    """Tokens of standard deviation 0.4 (all denominators clearly positive) and frequencies."""
    Q, K = 0.4 * rng.normal(size=(*batch, Nq, D)), 0.4 * rng.normal(size=(*batch, Nk, D))
    return Q, K, rng.normal(size=(*batch, Nk, M)), rng.normal(size=(n, D)) / D**0.25


def _attend(Q, K, V, W, exponent):
    """Linear attention with the prefactor exp(exponent) on the keys."""
    phiQ, phiK = reference.rff_features(Q, W), np.exp(exponent) * reference.rff_features(K, W)
    with np.errstate(all="ignore"):
        total = phiQ @ phiK.sum(axis=-2)[..., None]
        return phiQ @ (phiK.swapaxes(-1, -2) @ V) / total


def _half(K, sigma2=None):
    sigma2 = np.sqrt(K.shape[-1]) if sigma2 is None else sigma2
    return (K**2).sum(axis=-1, keepdims=True) / (2 * sigma2)


def _shifted(exponent):
    return exponent - exponent.max(axis=-2, keepdims=True)


rff.mistakes_of(rff_softmax_attention={
    "prefactor_on_query_only": ("The prefactor of the query cancels in the ratio; that of the keys "
                                "is missing.",
                                lambda Q, K, V, W: _attend(Q, K, V, W, np.zeros_like(K[..., :1]))),
    "sigma2_D": ("The prefactor needs sigma2 = sqrt(D), not D.",
                 lambda Q, K, V, W: _attend(Q, K, V, W, _shifted(_half(K, K.shape[-1])))),
    "sigma2_one": ("The prefactor needs sigma2 = sqrt(D), not 1.",
                   lambda Q, K, V, W: _attend(Q, K, V, W, _shifted(_half(K, 1.0)))),
    "no_half": ("The exponent is |k|^2 / (2 sigma2): the 2 is missing.",
                lambda Q, K, V, W: _attend(Q, K, V, W, _shifted(2 * _half(K)))),
    "global_max": ("Take the maximum per sequence: another one's may underflow this one.",
                   lambda Q, K, V, W: _attend(Q, K, V, W, _half(K) - _half(K).max())),
    "prefactor_negative": ("The prefactor of a key grows with its length: plus, not minus.",
                           lambda Q, K, V, W: _attend(Q, K, V, W, _shifted(-_half(K)))),
})


@rff.mistake("norm_not_squared", "The prefactor needs the squared norm of the key.")
def rff_softmax_attention(Q, K, V, W):
    norm = np.linalg.norm(K, axis=-1, keepdims=True)
    return _attend(Q, K, V, W, _shifted(norm / (2 * np.sqrt(K.shape[-1]))))


@rff.mistake("overflow", "exp(|k|^2 / 2 sigma2) overflows: subtract the largest exponent first.")
def rff_softmax_attention(Q, K, V, W):
    with np.errstate(all="ignore"):
        return _attend(Q, K, V, W, _half(K))


@rff.mistake("mean_shift", "Subtract the largest exponent: above the mean there may be too much.")
def rff_softmax_attention(Q, K, V, W):
    with np.errstate(all="ignore"):
        return _attend(Q, K, V, W, _half(K) - _half(K).mean(axis=-2, keepdims=True))


@rff.mistake("first_key_shift", "The exponent of the first key is subtracted: where another key "
             "is much longer, it overflows. Subtract the largest exponent.")
def rff_softmax_attention(Q, K, V, W):
    with np.errstate(all="ignore"):
        return _attend(Q, K, V, W, _half(K) - _half(K)[..., :1, :])


def _clamped(smallest, scaled=True):
    """Exercise 9 with denominators of at least `smallest`; features with or without 1 / sqrt(n)."""
    def rff_softmax_attention(Q, K, V, W):
        scale = 1 if scaled else len(W)
        phiQ = scale * reference.rff_features(Q, W)
        phiK = np.exp(_shifted(_half(K))) * reference.rff_features(K, W)
        total = phiQ @ phiK.sum(axis=-2)[..., None]
        return phiQ @ (phiK.swapaxes(-1, -2) @ V) / smallest(total)

    return rff_softmax_attention


rff.mistakes_of(rff_softmax_attention={
    f"clamped_at_{least:g}{'' if scaled else '_unscaled'}": (
        "A clamped denominator changes the formula: divide as it is, also where it is negative.",
        _clamped(lambda total, least=least: np.maximum(total, least), scaled))
    for least in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6) for scaled in (True, False)
} | {
    "absolute_denominator": ("A negative denominator stays negative: divide by it as it is.",
                             _clamped(np.abs)),
})


@rff.mistake("prefactor_on_value_only", "The prefactor belongs into the denominator as well.")
def rff_softmax_attention(Q, K, V, W):
    weighted = np.exp(_shifted(_half(K))) * V
    phiQ, phiK = reference.rff_features(Q, W), reference.rff_features(K, W)
    return reference.linear_attention(phiQ, phiK, weighted)


@rff.mistake("quadratic", "The numbers are right, but an N x N array is made: keep the features.")
def rff_softmax_attention(Q, K, V, W):
    phiQ = reference.rff_features(Q, W)
    phiK = np.exp(_shifted(_half(K))) * reference.rff_features(K, W)
    weights = phiQ @ phiK.swapaxes(-1, -2)
    return weights @ V / weights.sum(axis=-1, keepdims=True)


@rff.mistake("one_sequence", "axis=0 and max() are right for one sequence only.")
def rff_softmax_attention(Q, K, V, W):
    half = (K**2).sum(-1) / (2 * np.sqrt(K.shape[-1]))
    phiK = np.exp(half - half.max())[:, None] * reference.rff_features(K, W)
    phiQ = reference.rff_features(Q, W)
    return phiQ @ (phiK.T @ V) / (phiQ @ phiK.sum(0))[:, None]


@rff.mistake("in_place", "The arguments belong to the caller: scale a copy of V.")
def rff_softmax_attention(Q, K, V, W):
    out = reference.rff_softmax_attention(Q, K, V, W)
    V *= np.exp(_shifted(_half(K)))
    return out


@rff.variant("query prefactor kept, other scale")
def rff_softmax_attention(Q, K, V, W):
    half_q, half_k = _half(Q), _half(K)
    phiQ = np.exp(half_q - half_q.max(axis=-1, keepdims=True)) * reference.rff_features(Q, W)
    phiK = np.exp(half_k - half_k.max(axis=-2, keepdims=True)) * reference.rff_features(K, W)
    both = len(W) * phiK.swapaxes(-1, -2) @ np.concatenate([V, np.ones_like(V[..., :1])], axis=-1)
    return (phiQ @ both)[..., :-1] / (phiQ @ both)[..., -1:]


@rff.variant("sums of sines and cosines")
def rff_softmax_attention(Q, K, V, W):
    weight = np.exp(_shifted(_half(K)))
    top = bottom = 0.0
    for wave in (np.sin, np.cos):
        q, k = wave(Q @ W.T), weight * wave(K @ W.T)
        top = top + q @ (k.swapaxes(-1, -2) @ V)
        bottom = bottom + q @ k.sum(axis=-2)[..., None]
    return top / bottom
