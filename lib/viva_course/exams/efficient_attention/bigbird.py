"""Exam of bigbird_mask and masked_attention."""

import numpy as np

from viva.cases.efficient_attention.bigbird import facts, seen_without_chance
from viva.cases.efficient_attention.inputs import fresh, tokens
from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise, unmodified

sparse = Exercise(
    "bigbird_mask", points=12, reference=(reference.bigbird_mask, reference.masked_attention),
    expects={
        "bigbird_mask": "bool (n, n): a window, global rows and columns, and n_random further "
                        "keys for every other query",
        "masked_attention": "softmax over the allowed keys only, scaled by sqrt(d)",
    },
    survivors={
        "bigbird_mask: mask = np.abs(token[:, None] - token) <= window // 2 -> "
        "mask = np.abs(token - token[:, None]) <= window // 2": "a distance has no order",
        "masked_attention: if not np.all(np.any(mask, axis=-1)): -> "
        "if not np.all(np.any(mask, axis=1)):": "a mask has two axes: 1 is the last",
    },
)

sparse.values(2, "Window and global tokens, exactly.", name="window and global",
              only=("eight_tokens", "even_window", "only_itself", "all_global"))
sparse.values(1.5, "Each other query sees n_random further keys, its own, drawn from rng.",
              only=("random_keys", "generators", "any_free_key"), name="random keys")
sparse.values(1, "Fewer free keys than n_random: all of them.", only=("few_free_keys",),
              name="few free keys")
sparse.values(2, "The softmax runs over the allowed keys.", name="masked softmax",
              only=("full_mask", "diagonal", "some_pairs"))
sparse.values(1, "Any batch axes; lists and integers too; float64 comes back.",
              only=("masked_batch", "masked_lists"), name="batches and types")
sparse.values(1, "Neither large inputs nor large scores of masked keys do harm.",
              only=("hidden_giant", "low_scores", "large"), name="overflow")


@sparse.item("linear growth", 1, "Twice the tokens have twice the pairs, within 5 percent.")
def _(exam, bigbird_mask, masked_attention):
    sizes = [int(np.sum(bigbird_mask(n, 7, 2, 3, fresh(exam.rng)))) for n in (400, 800)]
    exam.true(1.95 < sizes[1] / sizes[0] < 2.05, f"{sizes[0]} pairs, then {sizes[1]}")
    exam.true(sizes[0] == int(reference.bigbird_mask(400, 7, 2, 3, fresh(exam.rng)).sum()),
              f"{sizes[0]} pairs for 400 tokens")


@sparse.item("random graphs", 1, "For other sizes: the right number of further keys, others for "
             "other queries.")
def _(exam, bigbird_mask, masked_attention):
    for n, window, n_global, n_random in ((50, 4, 3, 5), (61, 9, 0, 2), (33, 1, 1, 7)):
        mask = np.asarray(bigbird_mask(n, window, n_global, n_random, fresh(exam.rng)))
        base = seen_without_chance(n, window, n_global)
        exam.true(mask.dtype == bool and mask.shape == (n, n), f"{mask.dtype} of {mask.shape}")
        exam.true(bool(mask[base].all()), "a pair of the window or of a global token is missing")
        extra = (mask & ~base).sum(axis=1)
        exam.true(bool((extra[n_global:] == n_random).all()), f"further keys: {set(extra)}")
        exam.true(not facts(mask, window, n_global)["queries share their random keys"],
                  "the queries share their random keys")


@sparse.item("masked means gone", 1, "Masked keys and values have no influence; a query without "
             "any key raises ValueError.")
def _(exam, bigbird_mask, masked_attention):
    Q, K, V = tokens(exam.rng, 5, 6)
    mask = exam.rng.uniform(size=(5, 6)) < 0.6
    mask[:, 0], mask[:, 4] = True, False
    before = masked_attention(Q, K, V, mask)
    exam.same(before, reference.masked_attention(Q, K, V, mask))
    K[4], V[4] = 5.0, 1e6
    exam.same(masked_attention(Q, K, V, mask), before)
    mask[3] = False
    exam.raises(ValueError, masked_attention, Q, K, V, mask)


sparse.item("arguments unchanged", 0.5, "Nothing may be written into the arguments.")(unmodified)


def _mask(n, window, n_global, n_random, rng, base=None, draw=None):
    """The mask row by row, with places to go wrong."""
    i, j = np.arange(n)[:, None], np.arange(n)
    mask = seen_without_chance(n, window, n_global) if base is None else base(i, j)
    for index, row in enumerate(mask[n_global:], n_global):
        free = np.flatnonzero(~row)
        if draw is None:
            keys = rng.choice(free, size=min(n_random, len(free)), replace=False)
        else:
            keys = draw(index, free)
        row[keys] = True
    return mask


@sparse.mistake("shared_random", "One random set is shared by all queries: each query draws its "
                "own keys.")
def bigbird_mask(n, window, n_global, n_random, rng):
    keys = rng.permutation(np.arange(n_global, n))[:n_random]
    return _mask(n, window, n_global, n_random, rng, draw=lambda i, free: keys)


@sparse.mistake("no_global_col", "The other tokens must see the global tokens too: their columns "
                "are full.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng,
                 base=lambda i, j: (abs(i - j) <= window // 2) | (i < n_global))


@sparse.mistake("no_global_row", "The global tokens must see all others: their rows are full.")
def bigbird_mask(n, window, n_global, n_random, rng):
    mask = _mask(n, window, n_global, n_random, rng)
    i, j = np.arange(n_global)[:, None], np.arange(n)
    mask[:n_global] = (abs(i - j) <= window // 2) | (j < n_global)
    return mask


@sparse.mistake("double_window", "The window counts both sides together: window // 2 on each.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, 2 * window, n_global, n_random, rng)


@sparse.mistake("strict_window", "The ends of the window belong to it: |i - j| may equal "
                "window // 2.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng, base=lambda i, j: (
        abs(i - j) < max(window // 2, 1)) | (i < n_global) | (j < n_global))


@sparse.mistake("past_only", "The window looks to both sides.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng, base=lambda i, j: (
        (i >= j) & (i - j <= window // 2)) | (i < n_global) | (j < n_global))


@sparse.mistake("last_global", "The first n_global tokens are global, not the last.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng)[::-1, ::-1].copy()


@sparse.mistake("with_replacement", "Random keys may coincide with each other or with keys that "
                "are seen already: draw without replacement among the others.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng,
                 draw=lambda i, free: rng.integers(n, size=n_random))


@sparse.mistake("among_all", "Random keys are drawn among all tokens: some are seen already, so "
                "the query gains fewer than n_random.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng, draw=lambda i, free: rng.choice(
        n, size=min(n_random, n), replace=False))


@sparse.mistake("no_random", "The random keys are missing.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, 0, rng)


@sparse.mistake("not_random", "The further keys are always the first free ones: draw them.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng, draw=lambda i, free: free[:n_random])


@sparse.mistake("random_past", "Random keys may lie on either side of the query.")
def bigbird_mask(n, window, n_global, n_random, rng):
    def draw(i, free):
        first = free[free < i] if (free < i).sum() >= n_random else free
        return rng.permutation(first)[:n_random]
    return _mask(n, window, n_global, n_random, rng, draw=draw)


@sparse.mistake("symmetric", "Random pairs were made mutual: a query gains the n_random keys it "
                "draws and no others.")
def bigbird_mask(n, window, n_global, n_random, rng):
    mask = _mask(n, window, n_global, n_random, rng)
    return mask | mask.T


@sparse.mistake("crash", "Fewer free keys than n_random: take all of them instead of failing.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng,
                 draw=lambda i, free: rng.choice(free, size=n_random, replace=False))


@sparse.mistake("own_generator", "A generator of your own with a fixed seed gives the same mask "
                "for ever: draw from rng.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, np.random.default_rng(0))


@sparse.mistake("numbers", "The mask holds True and False, not numbers.")
def bigbird_mask(n, window, n_global, n_random, rng):
    return _mask(n, window, n_global, n_random, rng).astype(int)


def _masked(Q, K, V, mask, scale=0.5, fill=-np.inf, top=None, after=False, axis=-1):
    """Masked attention with places to go wrong."""
    Q, K, V, mask = *(np.asarray(x, float) for x in (Q, K, V)), np.asarray(mask, bool)
    if not mask.any(axis=-1).all():
        raise ValueError
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** scale
    with np.errstate(all="ignore"):
        seen = scores if after else np.where(mask, scores, fill)
        shift = seen.max(axis=axis, keepdims=True) if top is None else top(scores)
        weights = np.exp(seen - shift)
        weights = weights / weights.sum(axis=axis, keepdims=True)
        return np.where(mask, weights, 0.0) @ V if after else weights @ V


@sparse.mistake("mask_zero_scores", "A score of 0 still has weight exp(0) = 1: masked keys must "
                "have none.")
def masked_attention(Q, K, V, mask):
    return _masked(Q, K, V, mask, fill=0.0)


@sparse.mistake("mask_after", "Masked after the softmax the weights no longer add up to one.")
def masked_attention(Q, K, V, mask):
    return _masked(Q, K, V, mask, after=True)


@sparse.mistake("inverted", "The mask is turned around: True means that the pair is allowed.")
def masked_attention(Q, K, V, mask):
    mask = np.asarray(mask, bool)
    if not mask.any(axis=-1).all():
        raise ValueError
    opposite = np.where(mask.all(axis=-1, keepdims=True), True, ~mask)
    return _masked(Q, K, V, opposite)


@sparse.mistake("mask_ignored", "The mask has no effect.")
def masked_attention(Q, K, V, mask):
    if not np.asarray(mask).any(axis=-1).all():
        raise ValueError
    return _masked(Q, K, V, np.ones(np.shape(mask), bool))


@sparse.mistake("small_negative", "-10 is a low score, not a forbidden one; large inputs get past "
                "it.")
def masked_attention(Q, K, V, mask):
    return _masked(Q, K, V, mask, fill=-10.0)


@sparse.mistake("minus_thousand", "-1000 is a low score, not a forbidden one: allowed keys may "
                "score lower. Minus infinity is below all of them.")
def masked_attention(Q, K, V, mask):
    return _masked(Q, K, V, mask, fill=-1000.0)


@sparse.mistake("penalty_added", "A penalty of 10^9 is outweighed by an enormous score: replace "
                "the scores of masked keys instead of lowering them.")
def masked_attention(Q, K, V, mask):
    Q, K, V, mask = *(np.asarray(x, float) for x in (Q, K, V)), np.asarray(mask, bool)
    if not mask.any(axis=-1).all():
        raise ValueError
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5 - 1e9 * ~mask
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V


@sparse.mistake("no_scale", "The factor 1/sqrt(d) is missing.")
def masked_attention(Q, K, V, mask):
    return _masked(Q, K, V, mask, scale=0)


@sparse.mistake("softmax_cols", "The softmax runs over the queries: each query needs weights over "
                "the keys that add up to one.")
def masked_attention(Q, K, V, mask):
    return np.nan_to_num(_masked(Q, K, V, mask, axis=-2))


@sparse.mistake("no_shift", "Subtract the maximum before taking exp: large inputs overflow.")
def masked_attention(Q, K, V, mask):
    return _masked(Q, K, V, mask, top=lambda scores: 0.0)


@sparse.mistake("max_of_all", "The maximum runs over masked keys as well: one with a huge score "
                "makes all allowed weights zero, and 0/0 is NaN.")
def masked_attention(Q, K, V, mask):
    return _masked(Q, K, V, mask, top=lambda scores: scores.max(axis=-1, keepdims=True))


@sparse.mistake("nan_row", "A query without any key must be refused with ValueError.")
def masked_attention(Q, K, V, mask):
    if not np.asarray(mask).any(axis=-1).all():
        return np.full((*np.shape(Q)[:-1], np.shape(V)[-1]), np.nan)
    return _masked(Q, K, V, mask)


@sparse.mistake("zero_row", "A query without any key must be refused with ValueError.")
def masked_attention(Q, K, V, mask):
    alive = np.asarray(mask).any(axis=-1)
    return np.where(alive[:, None], _masked(Q, K, V, mask | ~alive[:, None]), 0.0)


@sparse.mistake("single", "The result must be float64 whatever the inputs are.")
def masked_attention(Q, K, V, mask):
    out = _masked(Q, K, V, mask)
    return out if np.asarray(K).dtype == np.float64 else out.astype(np.float32)


@sparse.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def masked_attention(Q, K, V, mask):
    out = _masked(Q, K, V, mask)
    mask[:] = True
    return out


@sparse.variant("set by set")
def bigbird_mask(n, window, n_global, n_random, rng):
    mask = np.zeros((n, n), dtype=bool)
    for i in range(n):
        seen = set(range(n)) if i < n_global else set(range(min(n_global, n)))
        seen |= set(range(max(0, i - window // 2), min(n, i + window // 2 + 1)))
        if i >= n_global:
            others = [j for j in range(n) if j not in seen]
            rng.shuffle(others)
            seen |= set(others[:n_random])
        mask[i, sorted(seen)] = True
    return mask


@sparse.variant("the smallest of random numbers")
def bigbird_mask(n, window, n_global, n_random, rng):
    mask = seen_without_chance(n, window, n_global)
    order = np.argsort(np.where(mask, 2.0, rng.random((n, n))), axis=1)[:, :n_random]
    chosen = np.zeros((n, n), bool)
    np.put_along_axis(chosen, order, True, axis=1)
    chosen[:n_global] = False
    return mask | chosen


@sparse.variant("query by query")
def masked_attention(Q, K, V, mask):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    out = []
    for i, keys in enumerate(mask):
        if not np.any(keys):
            raise ValueError(f"query {i} sees nothing")
        scores = (K[..., keys, :] @ Q[..., i, :, None])[..., 0] / np.sqrt(Q.shape[-1])
        scores = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
        out.append((scores[..., None, :] @ V[..., keys, :])[..., 0, :])
    return np.stack(out, axis=-2)


@sparse.variant("additive mask")
def masked_attention(Q, K, V, mask):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    if (~np.asarray(mask)).all(axis=-1).any():
        raise ValueError("no key")
    scores = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(Q.shape[-1])
    scores = np.where(mask, scores, -1e300)
    weights = np.exp(scores - scores.max(axis=-1)[..., None])
    return weights @ V / weights.sum(axis=-1)[..., None]
