"""Exam of `head_patterns`, `multihead_concat` and `multihead_additive`."""

import numpy as np

from viva.cases.adaptation_and_circuits.heads import heads_of
from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise

heads = Exercise(
    "head_patterns",
    expects={
        "head_patterns": "weights (n, n): row t says what token t reads, and sums to one",
        "multihead_concat": "the output (d_model, n) of all heads through W_O",
        "multihead_additive": "a list: what each head alone adds to the stream, each (d_model, n)",
    },
)

heads.values(2, "Rows are queries; scores are divided by sqrt(d_head).", name="pattern",
             only=("rows_are_queries",))
heads.values(2, "A causal head reads no later token; large scores do not overflow.", name="causal",
             only=("past_only", "large_scores", "loud_future", "quiet_past"))
heads.values(2, "The joined heads through W_O.", only=("concatenated",), name="concatenation")
heads.values(2, "The contribution of each head.", only=("added",), name="addition")
heads.values(2.5, "Heads of different widths, causal or not.", name="widths",
             only=("concatenated_widths", "added_widths"))


@heads.item(1.5, "Token t of head h is the sum over s of P[t, s] W_O^h W_V^h x_s.")
def token_by_token(exam, head_patterns, multihead_concat, multihead_additive):
    X = exam.rng.normal(size=(4, 5))
    layers, WO = heads_of(exam.rng, 4, (2, 3))
    for causal in (False, True):
        parts = list(multihead_additive(X, layers, WO, causal=causal))
        exam.true(len(parts) == 2, f"{len(parts)} contributions of two heads")
        for part, block, (WQ, WK, WV) in zip(parts, (WO[:, :2], WO[:, 2:]), layers, strict=True):
            P = reference.head_patterns(X, WQ, WK, causal)
            exam.same(head_patterns(X, WQ, WK, causal), P)
            expected = np.zeros((4, 5))
            for t in range(5):
                for s in range(5):
                    expected[:, t] += P[t, s] * (block @ (WV @ X[:, s]))
            exam.same(np.asarray(part, float), expected)


@heads.item(1.5, "Without head h and its columns of W_O, exactly its contribution is missing.")
def a_head_taken_out(exam, head_patterns, multihead_concat, multihead_additive):
    X = exam.rng.normal(size=(5, 4))
    widths = (1, 3, 2)
    layers, WO = heads_of(exam.rng, 5, widths)
    whole = np.asarray(multihead_concat(X, layers, WO), float)
    parts = [np.asarray(part, float) for part in multihead_additive(X, layers, WO)]
    exam.same(whole, sum(reference.multihead_additive(X, layers, WO)))
    for h in range(3):
        start = sum(widths[:h])
        kept = np.delete(WO, range(start, start + widths[h]), axis=1)
        rest = multihead_concat(X, layers[:h] + layers[h + 1:], kept)
        exam.same(whole - np.asarray(rest, float), parts[h])


heads.unmodified(0.5, "X, the heads and W_O must stay as they were.")


def _weights(scores, axis=1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _scores(X, WQ, WK, causal, scale=None, hidden=-np.inf):
    scores = (WQ @ X).T @ (WK @ X) / (np.sqrt(len(WQ)) if scale is None else scale)
    return np.where(np.tri(len(scores), dtype=bool), scores, hidden) if causal else scores


def _concat(X, heads, WO, causal, pattern=reference.head_patterns):
    return WO @ np.concatenate([WV @ X @ pattern(X, WQ, WK, causal).T for WQ, WK, WV in heads])


def _scaled_by_first(heads):
    """Heads whose scores come out as if they were divided by the root of the first one's width."""
    width = len(heads[0][0])
    return [(WQ * np.sqrt(len(WQ) / width), WK, WV) for WQ, WK, WV in heads]


heads.mistakes_of(head_patterns={
    "softmax_columns": (
        "The softmax runs over the keys of a query: rows sum to one.",
        lambda X, WQ, WK, causal=False: _weights(_scores(X, WQ, WK, causal), axis=0)),
    "transposed_pattern": (
        "Rows are queries, columns are keys; this is the transpose.",
        lambda X, WQ, WK, causal=False: reference.head_patterns(X, WQ, WK, causal).T),
    "q_k_exchanged": ("W_Q makes the queries, the rows; W_K makes the keys.",
                      lambda X, WQ, WK, causal=False: reference.head_patterns(X, WK, WQ, causal)),
    "no_scale": ("The scores are divided by sqrt(d_head).",
                 lambda X, WQ, WK, causal=False: _weights(_scores(X, WQ, WK, causal, 1.0))),
    "scale_d_model": (
        "The scale is sqrt(d_head), the number of rows of W_Q, not sqrt(d_model).",
        lambda X, WQ, WK, causal=False: _weights(_scores(X, WQ, WK, causal, np.sqrt(len(X))))),
    "scale_d_head": ("The scores are divided by the root of d_head, not by d_head.",
                     lambda X, WQ, WK, causal=False: _weights(_scores(X, WQ, WK, causal, len(WQ)))),
    "causal_ignored": ("causal has no effect.",
                       lambda X, WQ, WK, causal=False: reference.head_patterns(X, WQ, WK)),
    "always_causal": ("Without causal every token reads all others.",
                      lambda X, WQ, WK, causal=False: reference.head_patterns(X, WQ, WK, True)),
    "zero_scores": (
        "A hidden score of 0 still has weight: exp(0) is 1.",
        lambda X, WQ, WK, causal=False: _weights(_scores(X, WQ, WK, causal, hidden=0.0))),
})
heads.mistakes_of(multihead_concat={
    "concat_first_scale": (
        "The scale is the root of each head's own width; here that of the first head is used.",
        lambda X, heads, WO, causal=False: _concat(X, _scaled_by_first(heads), WO, causal)),
    "concat_pattern_transposed": (
        "Token t averages with row t of the pattern: the pattern stands transposed on the right.",
        lambda X, heads, WO, causal=False: (
            _concat(X, heads, WO, causal, lambda *given: reference.head_patterns(*given).T))),
    "mean_heads": ("The heads are added, not averaged.",
                   lambda X, heads, WO, causal=False: _concat(X, heads, WO, causal) / len(heads)),
    "concat_causal_lost": ("causal must be passed on to every head.",
                           lambda X, heads, WO, causal=False: _concat(X, heads, WO, False)),
    "concat_reversed": ("The heads are stacked in the order of the list.",
                        lambda X, heads, WO, causal=False: _concat(X, heads[::-1], WO, causal)),
    "no_output_matrix": (
        "The stacked heads go through W_O.",
        lambda X, heads, WO, causal=False: _concat(X, heads, np.eye(WO.shape[1]), causal)),
    "with_the_stream": ("Only what the heads write is asked for, without X.",
                        lambda X, heads, WO, causal=False: X + _concat(X, heads, WO, causal)),
})
def _with_pattern(X, heads, WO, causal):
    """The contributions with P where its transpose belongs."""
    ends = np.cumsum([len(WV) for _, _, WV in heads])[:-1]
    return [block @ WV @ X @ reference.head_patterns(X, WQ, WK, causal)
            for block, (WQ, WK, WV) in zip(np.split(WO, ends, axis=1), heads, strict=True)]


heads.mistakes_of(multihead_additive={
    "additive_mean": (
        "The contributions add up to the output; none is divided by the number of heads.",
        lambda X, heads, WO, causal=False: (
            [part / len(heads) for part in reference.multihead_additive(X, heads, WO, causal)])),
    "r_d_model": (
        "r^h has d_head rows: it still has to go through its columns of W_O.",
        lambda X, heads, WO, causal=False: (
            [WV @ X @ reference.head_patterns(X, WQ, WK, causal).T for WQ, WK, WV in heads])),
    "additive_P_not_transposed": (
        "Row t of P says what token t reads: with tokens in columns it stands transposed.",
        lambda X, heads, WO, causal=False: _with_pattern(X, heads, WO, causal)),
    "summed": ("A list with one contribution for each head is asked for, not their sum.",
               lambda X, heads, WO, causal=False: (
                   [sum(reference.multihead_additive(X, heads, WO, causal))])),
    "joined": ("A list with one contribution for each head is asked for, not the joined output.",
               lambda X, heads, WO, causal=False: _concat(X, heads, WO, causal)),
    "additive_first_scale": (
        "The scale is the root of each head's own width; here that of the first head is used.",
        lambda X, heads, WO, causal=False: reference.multihead_additive(
            X, _scaled_by_first(heads), WO, causal)),
    "additive_causal_lost": (
        "causal must be passed on to every head, here too.",
        lambda X, heads, WO, causal=False: reference.multihead_additive(X, heads, WO)),
})


@heads.mistake("reads_the_future", "The mask is upside down: later tokens are read, earlier not.")
def head_patterns(X, WQ, WK, causal=False):
    scores = _scores(X, WQ, WK, False)
    return _weights(np.where(np.tri(len(scores)).T > 0, scores, -np.inf) if causal else scores)


@heads.mistake("minus_100", "A later score lowered by 100 can still win: make it -infinity.")
def head_patterns(X, WQ, WK, causal=False):
    scores = _scores(X, WQ, WK, False)
    return _weights(scores - 100 * np.triu(np.ones(scores.shape), 1) if causal else scores)


@heads.mistake("minus_10000", "A later score lowered by 10,000 can still win: make it -infinity.")
def head_patterns(X, WQ, WK, causal=False):
    scores = _scores(X, WQ, WK, False)
    return _weights(scores - 1e4 * np.triu(np.ones(scores.shape), 1) if causal else scores)


@heads.mistake("minus_1000", "A finite number stands for -infinity: where the scores of the past "
               "are lower, later tokens are read.")
def head_patterns(X, WQ, WK, causal=False):
    return _weights(_scores(X, WQ, WK, causal, hidden=-1e3))


@heads.mistake("not_itself", "A token reads itself, too: the mask takes away the diagonal.")
def head_patterns(X, WQ, WK, causal=False):
    scores = _scores(X, WQ, WK, causal)
    if causal:
        scores[np.arange(1, len(scores)), np.arange(1, len(scores))] = -np.inf
    return _weights(scores)


@heads.mistake("shift_before_mask", "The rows are shifted by a maximum that includes hidden "
               "scores: what is left underflows. Mask first.")
def head_patterns(X, WQ, WK, causal=False):
    scores = _scores(X, WQ, WK, False)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = np.tril(weights) if causal else weights
    with np.errstate(all="ignore"):
        return weights / weights.sum(axis=1, keepdims=True)


@heads.mistake("not_renormalised", "Masked after the softmax, the rows no longer sum to one.")
def head_patterns(X, WQ, WK, causal=False):
    weights = reference.head_patterns(X, WQ, WK)
    return np.tril(weights) if causal else weights


@heads.mistake("overflow", "exp of a large score overflows: shift each row by its maximum.")
def head_patterns(X, WQ, WK, causal=False):
    weights = np.exp(_scores(X, WQ, WK, causal))
    return weights / weights.sum(axis=1, keepdims=True)


@heads.mistake("one_shift", "One shift for all rows: rows with small scores underflow. Shift each "
               "row by its own maximum.")
def head_patterns(X, WQ, WK, causal=False):
    scores = _scores(X, WQ, WK, causal)
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=1, keepdims=True)


@heads.mistake("equal_slices", "Heads may have different widths: W_O is cut at their own widths.")
def multihead_additive(X, heads, WO, causal=False):
    width, parts = WO.shape[1] // len(heads), []
    for h, (WQ, WK, WV) in enumerate(heads):
        r = WV @ X @ reference.head_patterns(X, WQ, WK, causal).T
        block = np.zeros((len(WO), len(r)))
        own = WO[:, h * width : (h + 1) * width][:, : len(r)]
        block[:, : own.shape[1]] = own
        parts.append(block @ r)
    return parts


@heads.mistake("full_WO_each", "Every head has its own columns of W_O, not the first ones.")
def multihead_additive(X, heads, WO, causal=False):
    return [WO[:, : len(WV)] @ WV @ X @ reference.head_patterns(X, WQ, WK, causal).T
            for WQ, WK, WV in heads]


@heads.mistake("rows_of_WO", "The columns of W_O are cut, one block for each head, not the rows.")
def multihead_additive(X, heads, WO, causal=False):
    parts = reference.multihead_additive(X, heads, WO, causal)
    total, height, cut = sum(parts), len(WO) // len(heads), []
    for h in range(len(heads)):
        block = np.zeros(total.shape)
        block[h * height : (h + 1) * height] = total[h * height : (h + 1) * height]
        cut.append(block)
    return cut


@heads.mistake("in_place", "X belongs to the caller: scale a copy.")
def head_patterns(X, WQ, WK, causal=False):
    found = reference.head_patterns(X, WQ, WK, causal)
    X /= 2
    return found


@heads.variant("loops")
def head_patterns(X, WQ, WK, causal=False):
    n = X.shape[1]
    A = np.zeros((n, n))
    for t in range(n):
        last = t + 1 if causal else n
        scores = np.array([(WQ @ X[:, t]) @ (WK @ X[:, s]) for s in range(last)])
        e = np.exp(scores / WQ.shape[0] ** 0.5 - scores.max() / WQ.shape[0] ** 0.5)
        A[t, :last] = e / e.sum()
    return A


@heads.variant("a sum of blocks")
def multihead_concat(X, heads, WO, causal=False):
    return sum(reference.multihead_additive(X, heads, WO, causal))


@heads.variant("split at the widths")
def multihead_additive(X, heads, WO, causal=False):
    blocks = np.split(WO, np.cumsum([len(WV) for _, _, WV in heads])[:-1], axis=1)
    return [np.einsum("de,em,mn,tn->dt", block, WV, X, reference.head_patterns(X, WQ, WK, causal))
            for block, (WQ, WK, WV) in zip(blocks, heads, strict=True)]
