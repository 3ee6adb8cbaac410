"""Cases of span_corrupt."""

import random

from viva.case import candidate_side, case
from viva.kits.pretraining.world import MASK


@candidate_side
def draws(span_corrupt, doc, block_size, seed, count):
    """Corrupted copies of a document, from one generator."""
    rng = random.Random(seed)
    return [span_corrupt(doc, block_size, rng) for _ in range(count)]


def document(rng, length):
    """A document in which every character is different, so that a piece shows where it was."""
    return "".join(chr(0x4E00 + int(i)) for i in rng.permutation(2000)[:length])


def pieces(text):
    """(prefix, suffix, span) of a corrupted text with two MASKs."""
    prefix, suffix, span = text.split(MASK)
    return prefix, suffix, span


def seed_of(rng):
    return int(rng.integers(2**32))


@case("span_corrupt")
def two_masks(rng, span_corrupt):
    """how often MASK occurs: always twice"""
    found = draws(span_corrupt, document(rng, 40), 32, seed_of(rng), 100)
    return sorted({text.count(MASK) for text in found})


@case("span_corrupt")
def nothing_lost(rng, span_corrupt):
    """prefix, span and suffix together are the beginning of the document"""
    doc = document(rng, 40)
    found = map(pieces, draws(span_corrupt, doc, 32, seed_of(rng), 100))
    return all(doc.startswith(prefix + span + suffix) for prefix, suffix, span in found)


@case("span_corrupt")
def never_empty(rng, span_corrupt):
    """the shortest prefix, suffix and span in 1000 draws: one character each"""
    found = draws(span_corrupt, document(rng, 30), 16, seed_of(rng), 1000)
    shortest = [min(map(len, each)) for each in zip(*map(pieces, found), strict=True)]
    return dict(zip(("prefix", "suffix", "span"), shortest, strict=True))


@case("span_corrupt")
def lengths(rng, span_corrupt):
    """the lengths of the beginning that is used: 4 to 28 for a block of 32"""
    found = draws(span_corrupt, document(rng, 60), 32, seed_of(rng), 1000)
    return sorted({len(text) - 2 for text in found})


@case("span_corrupt")
def shorter_than_the_block(rng, span_corrupt):
    """a document of ten characters, block of 32: lengths 4 to 10"""
    found = draws(span_corrupt, document(rng, 10), 32, seed_of(rng), 400)
    return sorted({len(text) - 2 for text in found})


@case("span_corrupt")
def mostly_whole(rng, span_corrupt):
    """ten characters, block of 32: 19 of the 25 lengths 4 ... 28 leave all of them"""
    found = draws(span_corrupt, document(rng, 10), 32, seed_of(rng), 1000)
    # 0.76, standard deviation 0.014
    return 0.66 < sum(len(text) == 12 for text in found) / 1000 < 0.86


@case("span_corrupt")
def share(rng, span_corrupt):
    """the mean share of the span is near a quarter, the largest near a half"""
    found = list(map(pieces, draws(span_corrupt, document(rng, 80), 64, seed_of(rng), 1000)))
    shares = [len(span) / sum(map(len, (prefix, suffix, span))) for prefix, suffix, span in found]
    mean, largest = sum(shares) / len(shares), max(shares)
    return {"the mean": "near a quarter" if 0.22 < mean < 0.29 else
                        "near a half" if 0.42 < mean < 0.58 else "elsewhere",
            "the largest": "near a half" if 0.44 < largest <= 0.6 else
                           "near 1" if largest > 0.9 else "elsewhere"}


@case("span_corrupt")
def everywhere(rng, span_corrupt):
    """the span begins anywhere: right after the first character, and up to the last but one"""
    found = list(map(pieces, draws(span_corrupt, document(rng, 12), 128, seed_of(rng), 1000)))
    return {"lengths of the prefix": sorted({len(prefix) for prefix, _, _ in found}),
            "lengths of the suffix": sorted({len(suffix) for _, suffix, _ in found})}


@case("span_corrupt")
def four_characters(rng, span_corrupt):
    """documents of four characters: lengths of prefix, suffix and span"""
    found = draws(span_corrupt, document(rng, 4), 16, seed_of(rng), 300)
    return sorted({tuple(map(len, pieces(text))) for text in found})


@case("span_corrupt")
def from_the_generator(rng, span_corrupt):
    """the same generator gives the same texts, another one others"""
    doc, seed = document(rng, 50), seed_of(rng)
    one, again, other = (draws(span_corrupt, doc, 64, s, 20) for s in (seed, seed, seed + 1))
    texts = {True: "the same texts", False: "other texts"}
    return {"the same state again": texts[one == again],
            "another state": texts[one == other],
            "draws differ": len(set(one)) > 1}
