"""Exams of `cross_attention` and `is_permutation_equivariant`."""

import numpy as np

from viva.cases.attention_exploration import sequences as known
from viva_course.exams.attention_exploration.weights import (
    first,
    hidden,
    judge,
    lowered,
    near,
    root,
    scores_of,
    shares,
    softmax,
    weighted,
)
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise, then, unmodified

cross = Exercise(
    "cross_attention",
    expects="(context (B, Td, d), weights (B, Td, Te)); every row of weights sums to one, or is "
            "zero where all is masked",
    survivors={
        "cross_attention: with np.errstate(invalid='ignore'): -> with np.errstate():":
            "a warning more, the numbers are the same",
    },
)

cross.values(1.5, "Decoder states ask, encoder states answer.", name="values",
             only=("no_mask", "given_scale"))
cross.values(1.5, "Masked encoder states have weight 0, whatever they hold.", name="mask",
             only=("padding", "loud_padding"))
cross.values(1, "Where everything is masked, context and weights are zero.", only=("all_padding",),
             name="all masked")
cross.values(1, "Large scores do not overflow.", only=("large_scores",), name="large scores")


@cross.item(1.5, "What stands in masked places changes nothing.")
def padding_is_invisible(exam, cross_attention):
    dec, enc = exam.rng.normal(size=(2, 4, 5)), exam.rng.normal(size=(2, 6, 5))
    mask = np.ones((2, 6), bool)
    mask[0, 4:] = mask[1, :2] = False
    loud = np.where(mask[..., None], enc, 1e5 * exam.rng.normal(size=enc.shape))
    expected = reference.cross_attention(dec, enc, mask)
    exam.same(cross_attention(dec, enc, mask), expected)
    exam.same(cross_attention(dec, loud, mask), expected)


@cross.item(1, "A long sequence is no bottleneck: every state can be found again.")
def recall(exam, cross_attention):
    steps = 40
    enc = np.eye(steps)[None, exam.rng.permutation(steps)]
    wanted = exam.rng.integers(steps, size=12)
    context, _ = cross_attention(enc[:, wanted], enc, scale=0.05)
    exam.same(np.asarray(context), enc[:, wanted], rtol=0, atol=1e-6)


cross.unmodified(0.5, "dec, enc and mask must stay as they were.")


LOWERED = ("A masked score that is lowered by a constant can still win, however large the constant "
           "is: make it -infinity.")
_attend, _equivariant = reference.cross_attention, reference.is_permutation_equivariant

cross.mistakes_of(cross_attention={
    "mask_ignored": ("The mask has no effect.",
                     lambda dec, enc, mask=None, scale=None: _attend(dec, enc, None, scale)),
    "mask_inverted": ("True marks a real token, not one to leave out.",
                      lambda dec, enc, mask=None, scale=None: (
                          _attend(dec, enc, None if mask is None else ~mask, scale))),
    "mean_pool": ("Every decoder step gets the same mean: that is the bottleneck again.",
                  lambda dec, enc, mask=None, scale=None: _attend(0 * dec, enc, mask, scale)),
    "no_scale": ("By default the scores are divided by sqrt(d).",
                 lambda dec, enc, mask=None, scale=None: _attend(dec, enc, mask, scale or 1.0)),
    "scale_by_d": (
        "By default the scores are divided by sqrt(d), not by d.",
        lambda dec, enc, mask=None, scale=None: _attend(dec, enc, mask, scale or dec.shape[-1])),
    "scale_multiplies": (
        "The scores are divided by scale, not multiplied.",
        lambda dec, enc, mask=None, scale=None: _attend(dec, enc, mask, 1 / (scale or root(dec)))),
    "scale_and_sqrt_d": ("A given scale replaces sqrt(d); this divides by both.",
                         lambda dec, enc, mask=None, scale=None: (
                             _attend(dec, enc, mask, root(dec) * (scale or 1.0)))),
    "root_of_scale": ("A given scale divides the scores as it is: only sqrt(d) is a root.",
                      lambda dec, enc, mask=None, scale=None: (
                          _attend(dec, enc, mask, (scale or dec.shape[-1]) ** 0.5))),
    "scale_ignored": ("The argument scale has no effect.",
                      lambda dec, enc, mask=None, scale=None: _attend(dec, enc, mask)),
    "roles_exchanged": ("Decoder states are the queries, encoder states keys and values.",
                        lambda dec, enc, mask=None, scale=None: _attend(enc, dec, None, scale)),
    "transposed_weights": (
        "weights has the shape (B, Td, Te): a row for each decoder state.",
        then(_attend, lambda context, weights: (context, weights.swapaxes(-1, -2)))),
    "softmax_over_decoder": (
        "The softmax runs over the encoder states, the last axis.",
        weighted(lambda scores, mask: softmax(hidden(scores, mask), axis=1))),
    "penalty_added": (
        "A penalty leaves a row of padding with weights that sum to one: replace the scores by "
        "-infinity, and such a row by zeros.",
        weighted(lambda scores, mask: (
            softmax(scores if mask is None else scores - 1e9 * ~mask[:, None, :])))),
    "uniform_rows": (
        "Where all is masked, a large negative score gives uniform weights; zeros are asked for.",
        weighted(lambda scores, mask: softmax(hidden(scores, mask, -1e9)))),
    "not_renormalised": (
        "Masked after the softmax, the weights no longer sum to one: mask the scores.",
        weighted(lambda scores, mask: hidden(softmax(scores), mask, 0.0))),
    "penalty_1e4": (LOWERED, lowered(1e4)),
    "mask_minus1e2": (LOWERED, lowered(100.0)),
    "scale_by_source": (
        "By default the scores are divided by sqrt(d): d is the size of a state, not their number.",
        lambda dec, enc, mask=None, scale=None: (
            _attend(dec, enc, mask, scale or enc.shape[1] ** 0.5))),
    "constant_in_sum": (
        "A constant is added to the sum of each row: its weights no longer sum to one.",
        lambda dec, enc, mask=None, scale=None: tuple(
            each * (1 - 1e-6) for each in _attend(dec, enc, mask, scale))),
    "padding_zeroed": ("Padding was set to 0 in enc: a score of 0 still has weight.",
                       lambda dec, enc, mask=None, scale=None: _attend(
                           dec, enc if mask is None else enc * mask[..., None], None, scale)),
    "zero_scores": ("A masked score of 0 still has weight: exp(0) is 1.",
                    weighted(lambda scores, mask: softmax(hidden(scores, mask, 0.0)))),
    "overflow": ("exp of a large score overflows: shift each row by its maximum.",
                 weighted(lambda scores, mask: shares(np.exp(hidden(scores, mask))))),
    "one_shift": (
        "One shift for all rows: rows with small scores underflow to 0. Each row is shifted by "
        "its own maximum.",
        weighted(lambda scores, mask: (
            shares(np.exp(hidden(scores, mask) - hidden(scores, mask).max()))))),
    "shift_of_masked": (
        "The row is shifted by the score of a masked token: the real ones underflow to 0. Mask "
        "first, then take the maximum.",
        weighted(lambda scores, mask: shares(
            hidden(np.exp(scores - scores.max(axis=-1, keepdims=True)), mask, 0.0)))),
})


@cross.mistake("returns_decoder", "The context is made of encoder states, not of decoder states.")
def cross_attention(dec, enc, mask=None, scale=None):
    _, weights = reference.cross_attention(dec, enc, mask, scale)
    return weights.sum(axis=-1, keepdims=True) * dec, weights


@cross.mistake("nan_rows", "Where all is masked, 0 / 0 gives NaN; zeros are asked for.")
def cross_attention(dec, enc, mask=None, scale=None):
    context, weights = reference.cross_attention(dec, enc, mask, scale)
    empty = np.where(weights.sum(axis=-1, keepdims=True) == 0, np.nan, 1.0)
    return context * empty, weights * empty


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
            weights[b][:, real] = softmax(scores)
    return np.einsum("bts,bsd->btd", weights, enc), weights


@cross.variant("a very low score, empty rows repaired")
def cross_attention(dec, enc, mask=None, scale=None):
    weights = softmax(hidden(scores_of(dec, enc, scale), mask, -1e30))
    if mask is not None:
        weights = weights * mask[:, None, :]
    return weights @ enc, weights


order = Exercise(
    "is_permutation_equivariant",
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
             only=("row_by_row", "same_whatever_the_order", "one_sign"), name="other functions")
order.values(0.5, "tol is absolute, for every entry.", only=("tolerance", "one_entry"),
             name="tolerance")
order.values(0.5, "As many permutations are tried as asked for, drawn from rng.", name="trials",
             only=("one_trial", "two_rows", "self_attention", "orders_from_rng"))


@order.item(1, "Eight functions, each judged rightly.")
def fresh_functions(exam, is_permutation_equivariant):
    X = exam.rng.normal(size=(16, 3))
    for f in known.KINDS:
        generator = np.random.default_rng(int(exam.rng.integers(2**32)))
        expected = f in (known.attention, known.own_rows, known.total)
        exam.same(is_permutation_equivariant(f, X, generator), expected)


@order.item(0.5, "X must stay as it was.")
def arguments_unchanged(exam, is_permutation_equivariant):
    X = exam.rng.normal(size=(12, 3))
    for f, expected in ((known.attention, True), (known.first_row, False)):  # no constant passes
        generator = np.random.default_rng(int(exam.rng.integers(2**32)))
        exam.same(is_permutation_equivariant(f, X, generator), expected)
    unmodified(exam, is_permutation_equivariant)


TOLERANCE = "tol is for each entry: it must have an effect, and no norm may add the entries up."

order.mistakes_of(is_permutation_equivariant={
    "invariance": ("This asks whether the output stays the same; its rows should move along.",
                   judge(lambda f, X, p, tol: near(f(X[p]), f(X), tol))),
    "identity_perm": ("The rows are never reordered.",
                      judge(lambda f, X, p, tol: near(f(X), f(X), tol))),
    "inverse_perm": ("The output is reordered by the inverse permutation.",
                     judge(lambda f, X, p, tol: near(f(X[p]), f(X)[np.argsort(p)], tol))),
    "columns": (
        "Rows are tokens: reorder rows, not features.",
        judge(lambda f, X, p, tol: (
            near(f(X[:, first(p, X)]), f(X)[:, first(p, X)], tol)))),
    "relative_tolerance": (
        "tol is absolute; np.allclose adds a relative tolerance of 1e-5.",
        judge(lambda f, X, p, tol: bool(np.allclose(f(X[p]), f(X)[p], atol=tol)))),
    "tol_ignored": (TOLERANCE, judge(lambda f, X, p, tol: near(f(X[p]), f(X)[p], 1e-8))),
    "exact": ("Sums in another order differ in the last digits: compare up to tol.",
              judge(lambda f, X, p, tol: bool(np.array_equal(f(X[p]), f(X)[p])))),
    "inverted": ("True and False are exchanged.",
                 judge(lambda f, X, p, tol: not near(f(X[p]), f(X)[p], tol))),
    "same_set": (
        "The rows must be the same in the same order, not only as a set.",
        judge(lambda f, X, p, tol: (
            near(np.sort(f(X[p]), axis=0), np.sort(f(X)[p], axis=0), tol)))),
    "reversal": ("Any order must do: one kind of reordering, such as turning the rows round, is "
                 "not enough.",
                 judge(lambda f, X, p, tol: near(f(X[::-1]), f(X)[::-1], tol))),
    "norm_of_all": (TOLERANCE,
                    judge(lambda f, X, p, tol: bool(np.linalg.norm(f(X[p]) - f(X)[p]) <= tol))),
    "no_absolute_value": ("A difference counts whichever side is larger: take absolute values.",
                          judge(lambda f, X, p, tol: bool(np.max(f(X[p]) - f(X)[p]) <= tol))),
    "mean_error": ("Every entry must agree; an average hides a wrong row.",
                   judge(lambda f, X, p, tol: bool(abs(np.mean(f(X[p]) - f(X)[p])) <= tol))),
    "mean_gap": ("Every entry must agree; an average hides a wrong row.",
                 judge(lambda f, X, p, tol: bool(np.mean(np.abs(f(X[p]) - f(X)[p])) <= tol))),
    **{slug: ("The permutations must come from rng, the generator that is given, and from nothing "
              "else.",
              lambda f, X, rng, trials=5, tol=1e-8, seed=seed: (
                  _equivariant(f, X, np.random.default_rng(seed), trials, tol)))
       for slug, seed in (("global_random", None), ("own_generator", 0))},
    "one_trial": ("Only one permutation is tried; it may be one that shows nothing.",
                  lambda f, X, rng, trials=5, tol=1e-8: _equivariant(f, X, rng, 1, tol)),
    "any_trial": ("All trials must agree, not any of them.",
                  lambda f, X, rng, trials=5, tol=1e-8: (
                      any([_equivariant(f, X, rng, 1, tol) for _ in range(trials)]))),
    "one_too_few": ("One permutation fewer is tried than asked for.",
                    lambda f, X, rng, trials=5, tol=1e-8: _equivariant(f, X, rng, trials - 1, tol)),
    "below_tol": ("A difference of exactly tol is allowed; with tol = 0 equal is equal.",
                  lambda f, X, rng, trials=5, tol=1e-8: (
                      _equivariant(f, X, rng, trials, np.nextafter(tol, -1)))),
    "five_trials": ("trials has no effect.",
                    lambda f, X, rng, trials=5, tol=1e-8: _equivariant(f, X, rng, 5, tol)),
})


@order.mistake("last_trial", "Every trial counts: this returns what the last one says.")
def is_permutation_equivariant(f, X, rng, trials=5, tol=1e-8):
    for _ in range(trials):
        answer = reference.is_permutation_equivariant(f, X, rng, 1, tol)
    return answer


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
