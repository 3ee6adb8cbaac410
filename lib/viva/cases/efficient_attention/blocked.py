"""Cases of blocked_attention: keys and values that are read block by block."""

import numpy as np

from viva.case import case
from viva.cases.efficient_attention.inputs import any_numbers, tokens


def reader(K, V, *cuts, tally=None):
    """read(b): the b-th piece of K and V between the cuts; tally[b] counts how often."""
    pieces = list(zip(np.split(K, cuts), np.split(V, cuts), strict=True))

    def read(b):
        if tally is not None:
            tally[b] += 1
        return pieces[b]

    return read


@case("blocked_attention")
def one_block(rng, blocked_attention):
    """all five keys in a single block"""
    Q, K, V = tokens(rng, 4, 5)
    return blocked_attention(Q, reader(K, V), 1)


@case("blocked_attention")
def three_blocks(rng, blocked_attention):
    """four queries, seven keys in blocks of two, four and one"""
    Q, K, V = tokens(rng, 4, 7)
    return blocked_attention(Q, reader(K, V, 2, 6), 3)


@case("blocked_attention")
def rising(rng, blocked_attention):
    """the scores of each block are larger than those of the block before"""
    Q, K, V = np.abs(tokens(rng, 3, 6)[0]), *tokens(rng, 3, 6)[1:]
    return blocked_attention(Q, reader(K + np.arange(6)[:, None], V, 2, 4), 3)


@case("blocked_attention")
def falling(rng, blocked_attention):
    """the scores of each block are smaller than those of the block before"""
    Q, K, V = np.abs(tokens(rng, 3, 6)[0]), *tokens(rng, 3, 6)[1:]
    return blocked_attention(Q, reader(K - np.arange(6)[:, None], V, 2, 4), 3)


@case("blocked_attention")
def large(rng, blocked_attention):
    """scores of several thousand, of both signs: nothing overflows, no 0/0"""
    Q, K, V = tokens(rng, 5, 8, d=4, scale=60.0)
    return [blocked_attention(Q, reader(sign * K, V, 3, 5), 3) for sign in (1, -1)]


@case("blocked_attention")
def all_scores_low(rng, blocked_attention):
    """every score is below -1000: the weights still add up to one"""
    Q, K, V = tokens(rng, 3, 6)
    low = np.hstack([K, np.full((6, 1), -900.0)])
    return blocked_attention(np.hstack([Q, np.full((3, 1), 3.0)]), reader(low, V, 4), 2)


@case("blocked_attention")
def each_block_once(rng, blocked_attention):
    """every block is read exactly once"""
    Q, K, V = tokens(rng, 3, 9)
    tally = [0] * 4
    blocked_attention(Q, reader(K, V, 2, 5, 6, tally=tally), 4)
    return {f"reads of block {b}": reads for b, reads in enumerate(tally)}


@case("blocked_attention")
def of_lists(rng, blocked_attention):
    """lists, single precision and integers: the results are float64"""
    Q, K, V = any_numbers(rng, (4, 3), (5, 3), (5, 2))
    singles = [np.asarray(x, np.float32) for x in (Q, K, V)]
    return [blocked_attention(Q, lambda b: (K, V), 1),
            blocked_attention(singles[0], reader(*singles[1:], 2), 2)]
