"""Exams of `cross_attention` and `is_permutation_equivariant`."""

import numpy as np

from viva.cases.attention_exploration import sequences as known
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise, unmodified

cross = Exercise(
    "cross_attention", points=9, reference=(reference.cross_attention,),
    expects="(context (B, Td, d), weights (B, Td, Te)); every row of weights sums to one, or is "
            "zero where all is masked",
    survivors={
        "cross_attention: with np.errstate(invalid='ignore'): -> with np.errstate():":
            "a warning more, the numbers are the same",
    },
)

cross.values(2, "Decoder states ask, encoder states answer.", name="values",
             only=("no_mask", "given_scale"))
cross.values(2, "Masked encoder states have weight 0, whatever they hold.", name="mask",
             only=("padding", "loud_padding"))
cross.values(1, "Where everything is masked, context and weights are zero.", only=("all_padding",),
             name="all masked")
cross.values(1, "Large scores do not overflow.", only=("large_scores",), name="large scores")


@cross.item("padding is invisible", 1.5, "What stands in masked places changes nothing.")
def _(exam, cross_attention):
    dec, enc = exam.rng.normal(size=(2, 4, 5)), exam.rng.normal(size=(2, 6, 5))
    mask = np.ones((2, 6), bool)
    mask[0, 4:] = mask[1, :2] = False
    loud = np.where(mask[..., None], enc, 1e5 * exam.rng.normal(size=enc.shape))
    expected = reference.cross_attention(dec, enc, mask)
    exam.same(cross_attention(dec, enc, mask), expected)
    exam.same(cross_attention(dec, loud, mask), expected)


@cross.item("recall", 1, "A long sequence is no bottleneck: every state can be found again.")
def _(exam, cross_attention):
    steps = 40
    enc = np.eye(steps)[None, exam.rng.permutation(steps)]
    wanted = exam.rng.integers(steps, size=12)
    context, _ = cross_attention(enc[:, wanted], enc, scale=0.05)
    exam.same(np.asarray(context), enc[:, wanted], rtol=0, atol=1e-6)


cross.item("arguments unchanged", 0.5, "dec, enc and mask must stay as they were.")(unmodified)


def _scores(dec, enc, scale):
    return dec @ enc.swapaxes(-1, -2) / (np.sqrt(dec.shape[-1]) if scale is None else scale)


def _softmax(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total > 0, total, 1.0)


def _hidden(scores, mask, value=-np.inf):
    return scores if mask is None else np.where(mask[:, None, :], scores, value)


@cross.mistake("softmax_over_decoder", "The softmax runs over the encoder states, the last axis.")
def cross_attention(dec, enc, mask=None, scale=None):
    weights = _softmax(_hidden(_scores(dec, enc, scale), mask), axis=1)
    return weights @ enc, weights


@cross.mistake("mask_ignored", "The mask has no effect.")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(dec, enc, None, scale)


@cross.mistake("mask_inverted", "True marks a real token, not one to leave out.")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(dec, enc, None if mask is None else ~mask, scale)


@cross.mistake("returns_decoder", "The context is made of encoder states, not of decoder states.")
def cross_attention(dec, enc, mask=None, scale=None):
    _, weights = reference.cross_attention(dec, enc, mask, scale)
    return weights.sum(axis=-1, keepdims=True) * dec, weights


@cross.mistake("mean_pool", "Every decoder step gets the same mean: that is the bottleneck again.")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(0 * dec, enc, mask, scale)


@cross.mistake("mask_minus1e2", "A masked score lowered by 100 can still win: make it -infinity.")
def cross_attention(dec, enc, mask=None, scale=None):
    scores = _scores(dec, enc, scale)
    if mask is not None:
        scores = scores - 100.0 * ~mask[:, None, :]
    weights = _softmax(scores)
    if mask is not None:
        weights = weights * mask.any(axis=1)[:, None, None]
    return weights @ enc, weights


@cross.mistake("penalty_added", "A penalty leaves a row of padding with weights that sum to one: "
               "replace the scores by -infinity, and such a row by zeros.")
def cross_attention(dec, enc, mask=None, scale=None):
    scores = _scores(dec, enc, scale)
    weights = _softmax(scores if mask is None else scores - 1e9 * ~mask[:, None, :])
    return weights @ enc, weights


@cross.mistake("uniform_rows", "Where all is masked, a large negative score gives uniform weights; "
               "zeros are asked for.")
def cross_attention(dec, enc, mask=None, scale=None):
    weights = _softmax(_hidden(_scores(dec, enc, scale), mask, -1e9))
    return weights @ enc, weights


@cross.mistake("nan_rows", "Where all is masked, 0 / 0 gives NaN; zeros are asked for.")
def cross_attention(dec, enc, mask=None, scale=None):
    context, weights = reference.cross_attention(dec, enc, mask, scale)
    empty = np.where(weights.sum(axis=-1, keepdims=True) == 0, np.nan, 1.0)
    return context * empty, weights * empty


@cross.mistake("not_renormalised", "Masked after the softmax, the weights no longer sum to one: "
               "mask the scores.")
def cross_attention(dec, enc, mask=None, scale=None):
    weights = _softmax(_scores(dec, enc, scale))
    weights = weights if mask is None else weights * mask[:, None, :]
    return weights @ enc, weights


@cross.mistake("zero_scores", "A masked score of 0 still has weight: exp(0) is 1.")
def cross_attention(dec, enc, mask=None, scale=None):
    weights = _softmax(_hidden(_scores(dec, enc, scale), mask, 0.0))
    return weights @ enc, weights


@cross.mistake("no_scale", "By default the scores are divided by sqrt(d).")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(dec, enc, mask, 1.0 if scale is None else scale)


@cross.mistake("scale_by_d", "By default the scores are divided by sqrt(d), not by d.")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(dec, enc, mask, dec.shape[-1] if scale is None else scale)


@cross.mistake("scale_ignored", "The argument scale has no effect.")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(dec, enc, mask)


@cross.mistake("scale_multiplies", "The scores are divided by scale, not multiplied.")
def cross_attention(dec, enc, mask=None, scale=None):
    scale = np.sqrt(dec.shape[-1]) if scale is None else scale
    return reference.cross_attention(dec, enc, mask, 1 / scale)


@cross.mistake("scale_and_sqrt_d", "A given scale replaces sqrt(d); this divides by both.")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(
        dec, enc, mask, np.sqrt(dec.shape[-1]) * (1.0 if scale is None else scale))


@cross.mistake("roles_exchanged", "Decoder states are the queries, encoder states keys and values.")
def cross_attention(dec, enc, mask=None, scale=None):
    return reference.cross_attention(enc, dec, None, scale)


@cross.mistake("transposed_weights", "weights has the shape (B, Td, Te): a row for each decoder "
               "state.")
def cross_attention(dec, enc, mask=None, scale=None):
    context, weights = reference.cross_attention(dec, enc, mask, scale)
    return context, weights.swapaxes(-1, -2)


@cross.mistake("overflow", "exp of a large score overflows: shift each row by its maximum.")
def cross_attention(dec, enc, mask=None, scale=None):
    weights = np.exp(_hidden(_scores(dec, enc, scale), mask))
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total == 0, 1.0, total)
    return weights @ enc, weights


@cross.mistake("one_shift", "One shift for all rows: rows with small scores underflow to 0. Each "
               "row is shifted by its own maximum.")
def cross_attention(dec, enc, mask=None, scale=None):
    scores = _hidden(_scores(dec, enc, scale), mask)
    weights = np.exp(scores - scores.max())
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total > 0, total, 1.0)
    return weights @ enc, weights


@cross.mistake("shift_of_masked", "The row is shifted by the score of a masked token: the real "
               "ones underflow to 0. Mask first, then take the maximum.")
def cross_attention(dec, enc, mask=None, scale=None):
    scores = _scores(dec, enc, scale)
    weights = _hidden(np.exp(scores - scores.max(axis=-1, keepdims=True)), mask, 0.0)
    total = weights.sum(axis=-1, keepdims=True)
    weights = weights / np.where(total > 0, total, 1.0)
    return weights @ enc, weights


@cross.mistake("in_place", "enc belongs to the caller: do not blank the padding in place.")
def cross_attention(dec, enc, mask=None, scale=None):
    found = reference.cross_attention(dec, enc, mask, scale)
    if mask is not None:
        enc[~mask] = 0
    return found


@cross.variant("einsum, one pair after the other")
def cross_attention(dec, enc, mask=None, scale=None):
    B, Td, d = dec.shape
    weights = np.zeros((B, Td, enc.shape[1]))
    for b in range(B):
        real = np.arange(enc.shape[1]) if mask is None else np.flatnonzero(mask[b])
        if len(real):
            scores = np.einsum("td,sd->ts", dec[b], enc[b, real]) / (scale or np.sqrt(d))
            weights[b][:, real] = _softmax(scores)
    return np.einsum("bts,bsd->btd", weights, enc), weights


@cross.variant("a very low score, empty rows repaired")
def cross_attention(dec, enc, mask=None, scale=None):
    weights = _softmax(_hidden(_scores(dec, enc, scale), mask, -1e30))
    if mask is not None:
        weights = weights * mask[:, None, :]
    return weights @ enc, weights


order = Exercise(
    "is_permutation_equivariant", points=5, reference=(reference.is_permutation_equivariant,),
    expects="True if reordering the rows of X reorders the rows of f(X) in the same way",
    survivors={
        "is_permutation_equivariant: for _ in range(trials): -> for _ in range(trials + 1):":
            "one permutation more asks for no less",
        "is_permutation_equivariant: if np.max(np.abs(f(X[p]) - before[p])) > tol: -> "
        "if np.max(np.abs(before[p] - f(X[p]))) > tol:": "an absolute value has no sign",
    },
)

order.values(1.5, "Attention without positions is equivariant, with them it is not.",
             name="attention", only=("self_attention", "order_matters"))
order.values(1, "A function that ignores the order of the rows need not be equivariant.",
             name="other functions",
             only=("row_by_row", "same_whatever_the_order", "one_sign"))
order.values(0.5, "tol is absolute, for every entry.", only=("tolerance",), name="tolerance")
order.values(0.5, "As many permutations are tried as asked for.", name="trials",
             only=("one_trial", "two_rows", "self_attention"))


@order.item("fresh functions", 1, "Eight functions, each judged rightly.")
def _(exam, is_permutation_equivariant):
    X = exam.rng.normal(size=(16, 3))
    for f in known.KINDS:
        generator = np.random.default_rng(int(exam.rng.integers(2**32)))
        expected = f in (known.attention, known.own_rows, known.total)
        exam.same(is_permutation_equivariant(f, X, generator), expected)


@order.item("arguments unchanged", 0.5, "X must stay as it was.")
def _(exam, is_permutation_equivariant):
    X = exam.rng.normal(size=(12, 3))
    for f, expected in ((known.attention, True), (known.first_row, False)):  # no constant passes
        generator = np.random.default_rng(int(exam.rng.integers(2**32)))
        exam.same(is_permutation_equivariant(f, X, generator), expected)
    unmodified(exam, is_permutation_equivariant)


def _judge(slug, hint, agree):
    def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
        return all(agree(f, X, rng.permutation(len(X)), tol) for _ in range(trials))

    order.mistake(slug, hint)(is_permutation_equivariant)


def _near(a, b, tol):
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tol))


TOLERANCE = "tol is for each entry: it must have an effect, and no norm may add the entries up."
_judge("invariance", "This asks whether the output stays the same; its rows should move along.",
       lambda f, X, p, tol: _near(f(X[p]), f(X), tol))
_judge("identity_perm", "The rows are never reordered.",
       lambda f, X, p, tol: _near(f(X), f(X), tol))
_judge("inverse_perm", "The output is reordered by the inverse permutation.",
       lambda f, X, p, tol: _near(f(X[p]), f(X)[np.argsort(p)], tol))
_judge("columns", "Rows are tokens: reorder rows, not features.",
       lambda f, X, p, tol: _near(f(X[:, np.argsort(p[: X.shape[1]])]),
                                  f(X)[:, np.argsort(p[: X.shape[1]])], tol))
_judge("relative_tolerance", "tol is absolute; np.allclose adds a relative tolerance of 1e-5.",
       lambda f, X, p, tol: bool(np.allclose(f(X[p]), f(X)[p], atol=tol)))
_judge("tol_ignored", TOLERANCE,
       lambda f, X, p, tol: _near(f(X[p]), f(X)[p], 1e-8))
_judge("exact", "Sums in another order differ in the last digits: compare up to tol.",
       lambda f, X, p, tol: bool(np.array_equal(f(X[p]), f(X)[p])))
_judge("inverted", "True and False are exchanged.",
       lambda f, X, p, tol: not _near(f(X[p]), f(X)[p], tol))
_judge("same_set", "The rows must be the same in the same order, not only as a set.",
       lambda f, X, p, tol: _near(np.sort(f(X[p]), axis=0), np.sort(f(X)[p], axis=0), tol))
_judge("reversal", "Any order must do: one kind of reordering, such as turning the rows round, is "
       "not enough.",
       lambda f, X, p, tol: _near(f(X[::-1]), f(X)[::-1], tol))
_judge("norm_of_all", TOLERANCE,
       lambda f, X, p, tol: bool(np.linalg.norm(f(X[p]) - f(X)[p]) <= tol))
_judge("no_absolute_value", "A difference counts whichever side is larger: take absolute values.",
       lambda f, X, p, tol: bool(np.max(f(X[p]) - f(X)[p]) <= tol))
_judge("mean_error", "Every entry must agree; an average hides a wrong row.",
       lambda f, X, p, tol: bool(abs(np.mean(f(X[p]) - f(X)[p])) <= tol))


@order.mistake("one_trial", "Only one permutation is tried; it may be one that shows nothing.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    return reference.is_permutation_equivariant(f, X, rng, 1, tol)


@order.mistake("last_trial", "Every trial counts: this returns what the last one says.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        answer = reference.is_permutation_equivariant(f, X, rng, 1, tol)
    return answer


@order.mistake("any_trial", "All trials must agree, not any of them.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    return any([reference.is_permutation_equivariant(f, X, rng, 1, tol) for _ in range(trials)])


@order.mistake("one_too_few", "One permutation fewer is tried than asked for.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    return reference.is_permutation_equivariant(f, X, rng, trials - 1, tol)


@order.mistake("below_tol", "A difference of exactly tol is allowed; with tol = 0 equal is equal.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    return reference.is_permutation_equivariant(f, X, rng, trials, np.nextafter(tol, -1))


@order.mistake("five_trials", "trials has no effect.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    return reference.is_permutation_equivariant(f, X, rng, 5, tol)


@order.mistake("in_place", "X belongs to the caller: reorder a copy.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    answer = reference.is_permutation_equivariant(f, X, rng, trials, tol)
    rng.shuffle(X)
    return answer


@order.variant("matrices")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    gaps = []
    for _ in range(trials):
        P = rng.permutation(np.eye(len(X)))
        gaps.append(np.max(np.abs(f(P @ X) - P @ f(X))))
    return max(gaps) <= tol
