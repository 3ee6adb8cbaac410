"""Exam of blocked_attention."""

import numpy as np

from viva.cases.efficient_attention.blocked import reader
from viva.cases.efficient_attention.inputs import tokens
from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise, then

blocked = Exercise("blocked_attention", "softmax attention over all keys, exactly, and the "
                   "logarithm of each query's sum of exponentials")

blocked.values(2.5, "The values must be those of softmax attention over all blocks together.",
               only=("one_block", "three_blocks", "rising", "falling"))
blocked.values(1.5, "Large scores give neither NaN nor overflow, in whichever block they stand.",
               only=("large", "all_scores_low"), name="large")
blocked.values(0.5, "Lists and integers too; float64 comes back.", only=("of_lists",),
               name="types")


@blocked.item(1, "However the keys are cut into blocks, the answer is the same.")
def any_cut(exam, blocked_attention):
    Q, K, V = tokens(exam.rng, 6, 24, d=5, c=3, scale=2.0)
    expected = reference.blocked_attention(Q, reader(K, V), 1)
    for cuts in ((12,), tuple(range(1, 24)), (1,), (23,), (5, 11, 13)):
        exam.same(blocked_attention(Q, reader(K, V, *cuts), len(cuts) + 1), expected)


@blocked.item(1, "Every block is read exactly once.")
def one_pass(exam, blocked_attention):
    Q, K, V = tokens(exam.rng, 4, 20, d=3)
    tally = [0] * 5
    found = blocked_attention(Q, reader(K, V, 3, 8, 9, 15, tally=tally), 5)
    exam.same(found, reference.blocked_attention(Q, reader(K, V), 1))
    exam.true(tally == [1] * 5, f"the five blocks were read {tally} times")


@blocked.item(2, "Nothing of a block is kept: 130 MB of keys and values pass through 20 MB of "
              "memory.")
def one_block_at_a_time(exam, blocked_attention):
    Q = exam.rng.normal(size=(8, 64))
    K, V, factors = *exam.rng.normal(size=(2, 512, 64)), exam.rng.uniform(0.5, 1.5, size=256)

    def read(b):
        return factors[b] * K, factors[-b] * V

    found = exam.within(20, blocked_attention, Q, read, len(factors))
    exam.same(found, reference.blocked_attention(Q, read, len(factors)), rtol=1e-8, atol=1e-9)


blocked.unmodified(0.5, "Nothing may be written into the arguments.")


def _stream(Q, read, blocks, scale=0.5, start=-np.inf, merge=np.maximum, shrink=np.exp,
            shrink_total=True, shrink_out=True, highest=lambda S: S.max(axis=1)):
    """The one pass, with places to go wrong."""
    Q = np.asarray(Q, float) / np.shape(Q)[1] ** scale
    top, total, out = np.full(len(Q), start), np.zeros(len(Q)), 0.0
    with np.errstate(all="ignore"):
        for b in range(blocks):
            K, V = (np.asarray(x, float) for x in read(b))
            S = Q @ K.T
            new = merge(top, highest(S))
            factor, weights = shrink(top - new), np.exp(S - new[:, None])
            total = (factor * total if shrink_total else total) + weights.sum(axis=1)
            out = (factor[:, None] * out if shrink_out else out) + weights @ V
            top = new
        return out, total, top


def _finish(out, total, top):
    with np.errstate(all="ignore"):
        return out / total[:, None], top + np.log(total)


def _one_pass(finish):
    """What becomes of the right sums, each block read once: finish(out, total, top)."""
    return lambda Q, read, blocks: finish(*_stream(Q, read, blocks))


def _all(Q, read, blocks):
    """Scores of all blocks (Nq, Nk) and all values."""
    parts = [[np.asarray(x, float) for x in read(b)] for b in range(blocks)]
    K, V = (np.concatenate(each) for each in zip(*parts, strict=True))
    return np.asarray(Q, float) @ K.T / np.sqrt(np.shape(Q)[1]), V


def _averaged(weigh):
    """Softmax attention of each block by itself, put together by weights (blocks, Nq)."""
    def blocked_attention(Q, read, blocks):
        parts = [reference.blocked_attention(Q, lambda _, b=b: read(b), 1) for b in range(blocks)]
        outs, logs = (np.array(each) for each in zip(*parts, strict=True))
        w = weigh(logs)
        return (w[..., None] * outs).sum(axis=0), np.logaddexp.reduce(logs)
    return blocked_attention


blocked.mistakes_of(blocked_attention={
    "mean_of_blocks": (
        "Each block is normalised by itself and the results are averaged: a block with large "
        "scores must count more than one with small scores.",
        _averaged(lambda logs: np.full_like(logs, 1 / len(logs)))),
    "last_block": ("Only the last block is in the answer: what came before must be carried along.",
                   _averaged(lambda logs: np.arange(len(logs))[:, None] * np.ones_like(logs)
                             == len(logs) - 1)),
    "nothing_rescaled": (
        "When the maximum changes, the sums so far were taken relative to the old one: they have "
        "to be rescaled.",
        lambda Q, read, blocks: _finish(*_stream(Q, read, blocks, shrink_total=False,
                                                 shrink_out=False))),
    "denominator_not_rescaled": (
        "The sum of the weights is not rescaled when the maximum changes.",
        lambda Q, read, blocks: _finish(*_stream(Q, read, blocks, shrink_total=False))),
    "numerator_not_rescaled": (
        "The weighted sum of the values is not rescaled when the maximum changes.",
        lambda Q, read, blocks: _finish(*_stream(Q, read, blocks, shrink_out=False))),
    "inverse_factor": (
        "The factor is turned around: an old sum becomes smaller when the maximum grows.",
        lambda Q, read, blocks: _finish(*_stream(
            Q, read, blocks, shrink=lambda x: np.where(np.isinf(x), 0, np.exp(-x))))),
    "maximum_of_the_block": (
        "The maximum of the newest block replaces the running one even where it is smaller: if "
        "scores fall from block to block, the factor overflows.",
        lambda Q, read, blocks: _finish(*_stream(Q, read, blocks, merge=lambda old, new: new))),
    "no_maximum": (
        "Without a maximum subtracted, large scores overflow and very low ones give 0/0.",
        lambda Q, read, blocks: _finish(*_stream(Q, read, blocks, start=0.0,
                                                 merge=lambda old, new: old))),
    "starts_at_zero": (
        "The running maximum starts at 0: where all scores are far below, every weight is zero. "
        "Which start is below every score?",
        lambda Q, read, blocks: _finish(*_stream(Q, read, blocks, start=0.0))),
    "one_maximum_for_all": (
        "One maximum serves all queries: a query whose scores are much lower loses its weights. "
        "Every query has a maximum of its own.",
        lambda Q, read, blocks: _finish(*_stream(
            Q, read, blocks, highest=lambda S: np.full(len(S), S.max())))),
    "no_scale": ("The factor 1/sqrt(d) is missing from the scores.",
                 lambda Q, read, blocks: _finish(*_stream(Q, read, blocks, scale=0))),
    "not_normalised": ("The sums are not divided by the sum of the weights at the end.",
                       _one_pass(lambda out, total, top: (out, top + np.log(total)))),
    "total_without_log": (
        "The second part is the logarithm of the sum of exponentials, not the sum itself.",
        then(reference.blocked_attention,
             lambda out, logs: (out, np.exp(np.minimum(logs, 700))))),
    "maximum_for_log": (
        "The second part is the largest score only: the logarithm of the sum over the shifted "
        "exponentials is missing.",
        _one_pass(lambda out, total, top: (out / total[:, None], top))),
    "log_without_maximum": (
        "The logarithm is that of the shifted sum: the maximum that was subtracted has to be "
        "added again.",
        _one_pass(lambda out, total, top: (out / total[:, None], np.log(total)))),
    "outputs_only": ("Two things are returned: the outputs and the logarithms.",
                     lambda Q, read, blocks: reference.blocked_attention(Q, read, blocks)[0]),
})


@blocked.mistake("two_passes", "Every block is read twice, once for the maximum and once for the "
                 "sums: rescale instead, and read it once.")
def blocked_attention(Q, read, blocks):
    _stream(Q, read, blocks)
    return reference.blocked_attention(Q, read, blocks)


@blocked.mistake("first_block_twice", "The first block is read once more, for a shape or a first "
                 "maximum: every block is read once. Start before any block is read.")
def blocked_attention(Q, read, blocks):
    read(0)
    return reference.blocked_attention(Q, read, blocks)


@blocked.mistake("weighed_by_length", "Each block is normalised by itself and counts by its number "
                 "of keys: a block with large scores must count more than one with small scores.")
def blocked_attention(Q, read, blocks):
    parts = [tuple(np.asarray(x, float) for x in read(b)) for b in range(blocks)]
    outs, logs = zip(*(reference.blocked_attention(Q, lambda _, part=part: part, 1)
                       for part in parts), strict=True)
    lengths = [len(K) for K, _ in parts]
    return np.average(outs, axis=0, weights=lengths), np.logaddexp.reduce(logs)


@blocked.mistake("all_at_once", "All blocks are collected before anything is computed: that is "
                 "the memory which was to be saved.", hidden_only="memory of long sequences")
def blocked_attention(Q, read, blocks):
    S, V = _all(Q, read, blocks)
    logs = np.logaddexp.reduce(S, axis=1)
    return np.exp(S - logs[:, None]) @ V, logs


@blocked.mistake("single", "The results must be float64 whatever the inputs are.")
def blocked_attention(Q, read, blocks):
    out, logs = reference.blocked_attention(Q, read, blocks)
    return (out, logs) if np.asarray(Q).dtype == np.float64 else (out.astype(np.float32), logs)


@blocked.mistake("in_place", "Q belongs to the caller: scale a copy.")
def blocked_attention(Q, read, blocks):
    expected = reference.blocked_attention(Q, read, blocks)
    if isinstance(Q, np.ndarray) and Q.dtype == float:
        Q /= 2
    return expected


@blocked.variant("normalised outputs, merged by their logarithms")
def blocked_attention(Q, read, blocks):
    out, logs = None, None
    for b in range(blocks):
        K, V = (np.asarray(x, float) for x in read(b))
        S = np.asarray(Q, float) @ K.T / K.shape[1] ** 0.5
        part = np.logaddexp.reduce(S, axis=1)
        mean = np.exp(S - part[:, None]) @ V
        if out is None:
            out, logs = mean, part
            continue
        both = np.logaddexp(logs, part)
        out = np.exp(logs - both)[:, None] * out + np.exp(part - both)[:, None] * mean
        logs = both
    return out, logs


@blocked.variant("query by query, a column of ones")
def blocked_attention(Q, read, blocks):
    rows = [(-np.inf, 0.0)] * len(Q)
    for b in reversed(range(blocks)):
        K, V = (np.asarray(x, float) for x in read(b))
        V = np.hstack([V, np.ones((len(V), 1))])
        for i, (top, sums) in enumerate(rows):
            scores = K @ np.asarray(Q[i], float) / np.sqrt(K.shape[1])
            new = max(top, scores.max())
            rows[i] = new, np.exp(top - new) * sums + np.exp(scores - new) @ V
    sums = np.array([each for _, each in rows])
    return sums[:, :-1] / sums[:, -1:], np.array([top for top, _ in rows]) + np.log(sums[:, -1])
