"""Cases of bigbird_mask and masked_attention."""

import numpy as np

from viva.case import case, outcome
from viva.cases.efficient_attention.inputs import any_numbers, fresh, tokens

OWN = "each query has its own"


def seen_without_chance(n, window, n_global):
    """The pairs that window and global tokens allow."""
    i, j = np.arange(n)[:, None], np.arange(n)
    return (np.abs(i - j) <= window // 2) | (i < n_global) | (j < n_global)


def facts(mask, window, n_global, n_random):
    """What is the same for every draw of the random keys."""
    mask = np.asarray(mask)
    n = len(mask)
    base = seen_without_chance(n, window, n_global)
    extra = (mask.astype(bool) & ~base)[n_global:]
    sets = {tuple(np.flatnonzero(row)) for row in extra}
    return {
        "dtype": str(mask.dtype),
        "no query gains fewer than n_random keys": bool((extra.sum(axis=1) >= n_random).all()),
        "no query gains more than n_random keys": bool((extra.sum(axis=1) <= n_random).all()),
        "window and global pairs are there": bool((mask & base == base).all()),
        "random keys": "shared by many queries" if len(sets) < (n - n_global) / 2 else OWN,
        "share of queries that gain n_random keys, to 0.5":
            float(np.round(2 * np.mean(extra.sum(axis=1) == n_random)) / 2),
    }


@case("bigbird_mask")
def eight_tokens(rng, bigbird_mask):
    """n = 8, window 3, one global token, nothing random: 34 pairs"""
    return bigbird_mask(8, 3, 1, 0, fresh(rng))


@case("bigbird_mask")
def even_window(rng, bigbird_mask):
    """n = 11, window 6 (three on each side), two global tokens"""
    return bigbird_mask(11, 6, 2, 0, fresh(rng))


@case("bigbird_mask")
def only_itself(rng, bigbird_mask):
    """window 1, no global token: the identity"""
    return bigbird_mask(5, 1, 0, 0, fresh(rng))


@case("bigbird_mask")
def random_keys(rng, bigbird_mask):
    """40 tokens, window 5, two global tokens, three random keys for each other query"""
    return facts(bigbird_mask(40, 5, 2, 3, fresh(rng)), 5, 2, 3)


@case("bigbird_mask")
def few_free_keys(rng, bigbird_mask):
    """six tokens and ten random keys: all of them are seen"""
    return bigbird_mask(6, 3, 1, 10, fresh(rng))


@case("bigbird_mask")
def all_global(rng, bigbird_mask):
    """as many global tokens as tokens: all pairs"""
    return bigbird_mask(4, 1, 4, 2, fresh(rng))


@case("bigbird_mask")
def generators(rng, bigbird_mask):
    """the same seed gives the same mask, another seed another one"""
    seed = int(rng.integers(2**32))
    masks = [np.asarray(bigbird_mask(30, 3, 1, 2, np.random.default_rng(s)))
             for s in (seed, seed, seed + 1)]
    return {"same seed": bool((masks[0] == masks[1]).all()),
            "other seed": bool((masks[0] == masks[2]).all())}


@case("bigbird_mask")
def any_free_key(rng, bigbird_mask):
    """over 120 masks every free key is drawn at some time"""
    seen = sum(np.asarray(bigbird_mask(9, 3, 1, 2, fresh(rng))).astype(int) for _ in range(120))
    return (seen > 0).tolist()


@case("bigbird_mask")
def full_mask(rng, masked_attention):
    """every pair allowed: softmax attention"""
    return masked_attention(*tokens(rng, 4, 5), np.ones((4, 5), bool))


@case("bigbird_mask")
def diagonal(rng, masked_attention):
    """every query sees one key: its value comes back"""
    return masked_attention(*tokens(rng, 5, 5), np.eye(5, dtype=bool))


@case("bigbird_mask")
def some_pairs(rng, masked_attention):
    """a mask with holes, six queries, seven keys"""
    mask = rng.uniform(size=(6, 7)) < 0.4
    mask[np.arange(6), np.arange(6)] = True
    return masked_attention(*tokens(rng, 6, 7), mask)


@case("bigbird_mask")
def masked_batch(rng, masked_attention):
    """a batch of three times two sequences, one mask for all"""
    mask = rng.uniform(size=(4, 5)) < 0.5
    mask[:, 2] = True
    return masked_attention(*tokens(rng, 3, 2, 4, 5), mask)


@case("bigbird_mask")
def no_key(rng, masked_attention):
    """a query that sees nothing: ValueError"""
    mask = np.ones((3, 4), bool)
    mask[1] = False
    return outcome(masked_attention, *tokens(rng, 3, 4), mask)


@case("bigbird_mask")
def hidden_giant(rng, masked_attention):
    """a masked key with a score of 10^12 changes nothing"""
    Q, K, V = tokens(rng, 4, 5)
    K[2] = 1e12 * Q[1]
    mask = np.ones((4, 5), bool)
    mask[:, 2] = False
    return masked_attention(Q, K, V, mask)


@case("bigbird_mask")
def low_scores(rng, masked_attention):
    """all allowed scores are below -3000, and that of the masked key is 0"""
    Q, K, V = tokens(rng, 4, 5)
    Q, K, mask = 1 + np.abs(Q), K - 2000, np.ones((4, 5), bool)
    K[2], mask[:, 2] = 0, False
    return masked_attention(Q, K, V, mask)


@case("bigbird_mask", rtol=1e-3, atol=1e-3)  # equal scores of size 1e11 are equal to 1e-4
def far_below(rng, masked_attention):
    """all allowed keys are the same, with scores below -10^10; that of the masked key is 0"""
    Q, K, V = tokens(rng, 4, 5)
    Q, K, mask = 1 + np.abs(Q), np.full_like(K, -1e11), np.ones((4, 5), bool)
    K[2], mask[:, 2] = 0, False
    return masked_attention(Q, K, V, mask)


@case("bigbird_mask")
def large(rng, masked_attention):
    """inputs of size 100: nothing overflows"""
    mask = rng.uniform(size=(4, 5)) < 0.5
    mask[:, 0] = True
    return masked_attention(*tokens(rng, 4, 5, scale=100.0), mask)


@case("bigbird_mask")
def masked_lists(rng, masked_attention):
    """lists, single precision and integers: the result is float64"""
    mask = np.ones((4, 5), bool)
    mask[1, 2] = mask[3, 0] = False
    return masked_attention(*any_numbers(rng, (4, 3), (5, 3), (5, 2)), mask)
