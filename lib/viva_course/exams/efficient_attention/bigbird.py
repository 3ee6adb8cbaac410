"""Exam of bigbird_mask and masked_attention."""

import numpy as np

from viva.cases.efficient_attention.bigbird import OWN, facts, seen_without_chance
from viva.cases.efficient_attention.inputs import fresh, tokens
from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise

sparse = Exercise(
    "bigbird_mask",
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

sparse.values(1.5, "Window and global tokens, exactly.", name="window and global",
              only=("eight_tokens", "even_window", "only_itself", "all_global"))
sparse.values(1, "Each other query sees n_random further keys, its own, drawn from rng.",
              only=("random_keys", "generators", "any_free_key"), name="random keys")
sparse.values(0.5, "Fewer free keys than n_random: all of them.", only=("few_free_keys",),
              name="few free keys")
sparse.values(1.5, "The softmax runs over the allowed keys.", name="masked softmax",
              only=("full_mask", "diagonal", "some_pairs"))
sparse.values(1, "Any batch axes; lists and integers too; float64 comes back.",
              only=("masked_batch", "masked_lists"), name="batches and types")
sparse.values(1, "Neither large inputs nor large scores of masked keys do harm.",
              only=("hidden_giant", "low_scores", "far_below", "large"), name="overflow")


@sparse.item(1, "Twice the tokens have twice the pairs, within 5 percent.")
def linear_growth(exam, bigbird_mask, masked_attention):
    sizes = [int(np.sum(bigbird_mask(n, 7, 2, 3, fresh(exam.rng)))) for n in (400, 800)]
    exam.true(1.95 < sizes[1] / sizes[0] < 2.05, f"{sizes[0]} pairs, then {sizes[1]}")
    exam.true(sizes[0] == int(reference.bigbird_mask(400, 7, 2, 3, fresh(exam.rng)).sum()),
              f"{sizes[0]} pairs for 400 tokens")


@sparse.item(1, "For other sizes: the right number of further keys, others for other queries.")
def random_graphs(exam, bigbird_mask, masked_attention):
    for n, window, n_global, n_random in ((50, 4, 3, 5), (61, 9, 0, 2), (33, 1, 1, 7)):
        mask = np.asarray(bigbird_mask(n, window, n_global, n_random, fresh(exam.rng)))
        base = seen_without_chance(n, window, n_global)
        exam.true(mask.dtype == bool and mask.shape == (n, n), f"{mask.dtype} of {mask.shape}")
        exam.true(mask[base].all(), "a pair of the window or of a global token is missing")
        extra = (mask & ~base).sum(axis=1)
        exam.true((extra[n_global:] == n_random).all(), f"further keys: {set(extra)}")
        exam.true(facts(mask, window, n_global, n_random)["random keys"] == OWN,
                  "the queries share their random keys")


@sparse.item(1, "Masked keys and values have no influence; a query without any key raises "
             "ValueError.")
def masked_means_gone(exam, bigbird_mask, masked_attention):
    Q, K, V = tokens(exam.rng, 5, 6)
    mask = exam.rng.uniform(size=(5, 6)) < 0.6
    mask[:, 0], mask[:, 4] = True, False
    before = masked_attention(Q, K, V, mask)
    exam.same(before, reference.masked_attention(Q, K, V, mask))
    K[4], V[4] = 5.0, 1e6
    exam.same(masked_attention(Q, K, V, mask), before)
    mask[3] = False
    exam.raises(ValueError, masked_attention, Q, K, V, mask)


sparse.unmodified(0.5, "Nothing may be written into the arguments.")


def _mask(n, window, n_global, n_random, rng, base=None, draw=None):
    """The mask row by row, with places to go wrong: base(i, j, half, n_global) is what is seen
    without chance, draw(free, n, n_random, rng) the further keys of a query."""
    i, j = np.arange(n)[:, None], np.arange(n)
    seen = seen_without_chance(n, window, n_global)
    mask = seen if base is None else base(i, j, window // 2, n_global)
    for row in mask[n_global:]:
        free = np.flatnonzero(~row)
        if draw is None:
            keys = rng.choice(free, size=min(n_random, len(free)), replace=False)
        else:
            keys = draw(free, n, n_random, rng)
        row[keys] = True
    return mask


def _wrong(**places):
    return lambda *args, **named: _mask(*args, **named, **places)


SHARED = "One random set is shared by all queries: each query draws its own keys."


def _shared(pick):
    """One random order for all queries, of which each has pick(order, its free keys)[:n_random]."""
    def bigbird_mask(n, window, n_global, n_random, rng):
        order = rng.permutation(np.arange(n_global, n))
        return _mask(n, window, n_global, n_random, rng,
                     draw=lambda free, *_: pick(order, free)[:n_random])

    return bigbird_mask


sparse.mistakes_of(bigbird_mask={
    "shared_random": (SHARED, _shared(lambda order, free: order)),
    "shared_order": (SHARED, _shared(lambda order, free: order[np.isin(order, free)])),
    "double_window": ("The window counts both sides together: window // 2 on each.",
                      lambda n, window, *others: _mask(n, 2 * window, *others)),
    "odd_window": ("An even window has window // 2 keys on each side as well.",
                   lambda n, window, *others: _mask(n, window - 1, *others)),
    "last_global": ("The first n_global tokens are global, not the last.",
                    lambda *args: _mask(*args)[::-1, ::-1].copy()),
    "no_random": ("The random keys are missing.",
                  lambda n, window, n_global, n_random, rng: _mask(n, window, n_global, 0, rng)),
    "not_random": ("The further keys are always the first free ones: draw them.",
                   _wrong(draw=lambda free, n, n_random, rng: free[:n_random])),
    "no_global_row": ("The global tokens must see all others: their rows are full.",
                      _wrong(base=lambda i, j, half, n_global: (
                          (abs(i - j) <= half) | (j < n_global)))),
    "no_global_col": (
        "The other tokens must see the global tokens too: their columns are full.",
        _wrong(base=lambda i, j, half, n_global: (abs(i - j) <= half) | (i < n_global))),
    "strict_window": (
        "The ends of the window belong to it: |i - j| may equal window // 2.",
        _wrong(base=lambda i, j, half, n_global: (
            (abs(i - j) < max(half, 1)) | (i < n_global) | (j < n_global)))),
    "past_only": ("The window looks to both sides.", _wrong(base=lambda i, j, half, n_global: (
            ((i >= j) & (i - j <= half)) | (i < n_global) | (j < n_global)))),
    "with_replacement": (
        "Random keys may coincide with each other or with keys that are seen already: draw "
        "without replacement among the others.",
        _wrong(draw=lambda free, n, n_random, rng: rng.integers(n, size=n_random))),
    "replaced": ("Random keys may coincide with each other: draw them without replacement.",
                 _wrong(draw=lambda free, n, n_random, rng: (
                     rng.choice(free, n_random) if len(free) else free))),
    "among_all": (
        "Random keys are drawn among all tokens: some are seen already, so the query gains fewer "
        "than n_random.",
        _wrong(draw=lambda free, n, n_random, rng: (
            rng.choice(n, size=min(n_random, n), replace=False)))),
    "crash": ("Fewer free keys than n_random: take all of them instead of failing.", _wrong(
        draw=lambda free, n, n_random, rng: rng.choice(free, n_random, replace=False))),
    "own_generator": (
        "A generator of your own with a fixed seed gives the same mask for ever: draw from rng.",
        lambda *args: _mask(*args[:4], np.random.default_rng(0))),
    "symmetric": (
        "Random pairs were made mutual: a query gains the n_random keys it draws and no others.",
        lambda *args: (mask := _mask(*args)) | mask.T),
    "numbers": ("The mask holds True and False, not numbers.",
                lambda *args: _mask(*args).astype(int)),
})
sparse.mistakes_of(masked_attention={
    "mask_zero_scores": ("A score of 0 still has weight exp(0) = 1: masked keys must have none.",
                         lambda Q, K, V, mask: _masked(Q, K, V, mask, fill=0.0)),
    "mask_ignored": (
        "The mask has no effect.",
        lambda Q, K, V, mask: _refuse(mask) or _masked(Q, K, V, np.ones(np.shape(mask), bool))),
    "nan_row": ("A query without any key must be refused with ValueError.",
                lambda Q, K, V, mask: _masked(Q, K, V, mask, refuse=lambda mask: None)),
    "single": (
        "The result must be float64 whatever the inputs are.",
        lambda Q, K, *VM: _masked(Q, K, *VM).astype("f8" if np.array(K).dtype == "f8" else "f4")),
    "mask_after": ("Masked after the softmax the weights no longer add up to one.",
                   lambda Q, K, V, mask: _masked(Q, K, V, mask, after=True)),
    "small_negative": ("-10 is a low score, not a forbidden one; large inputs get past it.",
                       lambda Q, K, V, mask: _masked(Q, K, V, mask, fill=-10.0)),
    "minus_thousand": ("-1000 is a low score, not a forbidden one: allowed keys may score lower. "
                       "Minus infinity is below all of them.",
                       lambda Q, K, V, mask: _masked(Q, K, V, mask, fill=-1000.0)),
    "minus_billion": ("-10^9 is a low score, not a forbidden one: allowed keys may score lower "
                      "still. Minus infinity is below all of them.",
                      lambda Q, K, V, mask: _masked(Q, K, V, mask, fill=-1e9)),
    "inverted": ("The mask is turned around: True means that the pair is allowed.",
                 lambda Q, K, V, mask: _refuse(mask) or (
                     _masked(Q, K, V, ~mask | mask.all(axis=-1, keepdims=True)))),
    "inverted_and_refused": (
        "The mask is turned around: True means that the pair is allowed, also where a query "
        "without any key is looked for.",
        lambda Q, K, V, mask: _masked(Q, K, V, ~np.asarray(mask, bool))),
    "no_scale": ("The factor 1/sqrt(d) is missing.",
                 lambda Q, K, V, mask: _masked(Q, K, V, mask, scale=0)),
    "softmax_cols": ("The softmax runs over the queries: each query needs weights over the keys "
                     "that add up to one.",
                     lambda Q, K, V, mask: np.nan_to_num(_masked(Q, K, V, mask, axis=-2))),
    "no_shift": ("Subtract the maximum before taking exp: large inputs overflow.",
                 lambda Q, K, V, mask: _masked(Q, K, V, mask, top=lambda scores: 0.0)),
    "max_of_all": (
        "The maximum runs over masked keys as well: one with a huge score makes all allowed "
        "weights zero, and 0/0 is NaN.",
        lambda Q, K, V, mask: (
            _masked(Q, K, V, mask, top=lambda scores: scores.max(axis=-1, keepdims=True)))),
})


@sparse.mistake("random_past", "Random keys may lie on either side of the query.")
def bigbird_mask(n, window, n_global, n_random, rng):
    queries = iter(range(n_global, n))

    def draw(free, n, n_random, rng):
        past = free[free < next(queries)]
        return rng.permutation(past if len(past) >= n_random else free)[:n_random]

    return _mask(n, window, n_global, n_random, rng, draw=draw)


def _refuse(mask):
    if not np.asarray(mask).any(axis=-1).all():
        raise ValueError


def _masked(Q, K, V, mask, scale=0.5, fill=-np.inf, top=None, after=False, axis=-1,
            refuse=_refuse):
    """Masked attention with places to go wrong."""
    Q, K, V, mask = *(np.asarray(x, float) for x in (Q, K, V)), np.asarray(mask, bool)
    refuse(mask)
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** scale
    with np.errstate(all="ignore"):
        seen = scores if after else np.where(mask, scores, fill)
        shift = seen.max(axis=axis, keepdims=True) if top is None else top(scores)
        weights = np.exp(seen - shift)
        weights = weights / weights.sum(axis=axis, keepdims=True)
        return np.where(mask, weights, 0.0) @ V if after else weights @ V


@sparse.mistake("penalty_added", "A penalty of 10^9 is outweighed by an enormous score: replace "
                "the scores of masked keys instead of lowering them.")
def masked_attention(Q, K, V, mask):
    Q, K, V, mask = *(np.asarray(x, float) for x in (Q, K, V)), np.asarray(mask, bool)
    _refuse(mask)
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5 - 1e9 * ~mask
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V


@sparse.mistake("zero_row", "A query without any key must be refused with ValueError.")
def masked_attention(Q, K, V, mask):
    alive = np.asarray(mask).any(axis=-1)
    return np.where(alive[:, None], _masked(Q, K, V, mask | ~alive[:, None]), 0.0)


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
