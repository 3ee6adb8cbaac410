"""Exam of span_corrupt."""

import random

import numpy as np

from viva.cases.pretraining import spans as cases
from viva.cases.pretraining.spans import pieces, seed_of
from viva.kits.pretraining.world import MASK
from viva_course.rubric import Exercise

corrupt = Exercise(
    "span_corrupt", expects="prefix MASK suffix MASK span, from a random beginning of the document",
    survivors={
        "span_corrupt: m = max(round(rng.uniform(0, 0.5) * L), 1) -> "
        "m = max(round(rng.uniform(0.5, 0) * L), 1)": "the same interval, from its other end",
    },
)

corrupt.values(5, "A random beginning, a random span of it moved to the end, and MASK twice.")


def _drawn(exam, span_corrupt, length, block, count=200):
    """A document of different characters, and (prefix, suffix, span) of each draw from it."""
    doc = cases.document(exam.rng, length)
    found = cases.draws(span_corrupt, doc, block, seed_of(exam.rng), count)
    exam.true(all(isinstance(each, str) for each in found), "the result is a string")
    exam.true(all(each.count(MASK) == 2 for each in found), "MASK must occur exactly twice")
    return doc, [pieces(each) for each in found]


@corrupt.item(2, "prefix, span and suffix are the beginning of the document, each piece once and "
              "none of them empty.", name="nothing lost, nothing leaked")
def nothing_lost_nothing_leaked(exam, span_corrupt):
    for length, block in ((4, 16), (5, 128), (9, 20), (60, 40), (200, 128)):
        doc, found = _drawn(exam, span_corrupt, length, block)
        for prefix, suffix, span in found:
            whole = prefix + span + suffix
            exam.true(min(len(prefix), len(suffix), len(span)) >= 1, "a piece is empty")
            exam.true(doc.startswith(whole), "the pieces are not the document's beginning")
            exam.true(4 <= len(whole) <= int(block * 7 / 8), f"{len(whole)} characters were used")


@corrupt.item(2, "The length is drawn evenly from 4 to int(7/8 block), and is at most that of the "
              "document.")
def the_length_is_random(exam, span_corrupt):
    doc, found = _drawn(exam, span_corrupt, 100, 40, 3000)
    lengths = np.bincount([sum(map(len, each)) for each in found], minlength=36)[4:36]
    # 32 lengths, 93.75 draws of each on average, standard deviation 9.5: 6 of them either way
    exam.true(lengths.min() > 36 and lengths.max() < 152, "the lengths are not drawn evenly")
    exam.true(lengths.sum() == 3000, "a length is outside 4 ... 35")
    _, found = _drawn(exam, span_corrupt, 11, 40, 2000)
    whole = np.mean([sum(map(len, each)) == 11 for each in found])
    # 25 of the 32 lengths are cut down to 11: 0.781, standard deviation 0.009
    exam.true(abs(whole - 25 / 32) < 0.06, "a short document is cut too often, or never")


@corrupt.item(2, "The span takes a quarter on average and a half at most, and begins anywhere.")
def the_span_is_random(exam, span_corrupt):
    _, found = _drawn(exam, span_corrupt, 41, 4000, 4000)
    found = [each for each in found if sum(map(len, each)) == 41]  # nearly all
    spans = np.array([len(span) for _, _, span in found])
    # uniform on 0 ... 20.5, rounded: mean 10.26, standard deviation 5.9 / sqrt(4000) = 0.094
    exam.true(abs(spans.mean() - 10.26) < 0.5, f"the mean span is {spans.mean():.1f} of 41")
    exam.true(spans.min() == 1 and 20 <= spans.max() <= 21, "spans go from 1 to a half")
    starts = np.array([(len(prefix) - 1) / max(len(prefix) + len(suffix) - 2, 1)
                       for prefix, suffix, _ in found])
    # uniform on [0, 1] for a given span: standard deviation 0.29 / sqrt(4000) = 0.005
    exam.true(abs(starts.mean() - 0.5) < 0.03, "the span does not begin anywhere")
    exam.true(abs(starts.std() - 0.3) < 0.03, "the beginnings of spans are not even")
    four = cases.draws(span_corrupt, cases.document(exam.rng, 4), 64, seed_of(exam.rng), 2000)
    # a share above 3/8 of 4 is rounded to 2, one in four; standard deviation 0.01
    pairs_hidden = np.mean([len(pieces(text)[2]) == 2 for text in four])
    exam.true(abs(pairs_hidden - 0.25) < 0.06, "the share is not drawn evenly and rounded")


@corrupt.item(1, "All randomness comes from rng: the same state gives the same text.")
def from_the_generator(exam, span_corrupt):
    doc, seed = cases.document(exam.rng, 50), seed_of(exam.rng)
    one, two, other = (cases.draws(span_corrupt, doc, 64, s, 30) for s in (seed, seed, seed + 7))
    exam.true(one == two, "the same generator gave different texts")
    exam.true(one != other and len(set(one)) > 10, "the texts do not depend on the generator")
    exam.true(all(doc.startswith(p + m + s) for p, s, m in map(pieces, one)), "not yet right")


def _parts(doc, block, rng, L=None, share=None, start=None):
    """(prefix, suffix, span) with some of the three draws replaced."""
    if L is None:
        L = min(len(doc), rng.randint(4, int(block * 7 / 8)))
    m = min(max(round((rng.uniform(0, 0.5) if share is None else share) * L), 1), L - 2)
    s = rng.randint(1, L - m - 1) if start is None else start
    return doc[:s], doc[s + m : L], doc[s : s + m]


def _joined(prefix, suffix, span):
    return prefix + MASK + suffix + MASK + span


def _corruption(slug, hint, **options):
    """Declare a mistake that is made of the same three draws."""

    def declare(make):
        def span_corrupt(doc, block_size, rng):
            return make(doc, block_size, rng)

        return corrupt.mistake(slug, hint, **options)(span_corrupt)

    return declare


@_corruption("no_trunc", "The document is used up to the longest length; it must be cut at a "
             "random length.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, L=min(len(doc), int(block * 7 / 8))))


@_corruption("whole_document", "The document is not cut: a long one does not fit into the block.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, L=len(doc)))


@_corruption("whole_spans", "The share of the text is drawn evenly, and then rounded; here the "
             "number of characters is drawn.", hidden_only="thousands of draws")
def _(doc, block, rng):
    L = min(len(doc), rng.randint(4, int(block * 7 / 8)))
    return _joined(*_parts(doc, block, rng, L=L, share=rng.randint(1, L // 2) / L))


@_corruption("half", "The span is always half of the text; its share is drawn from 0 to a half.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, share=0.5))


@_corruption("quarter", "The span is always a quarter of the text; its share is drawn.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, share=0.25))


@_corruption("up_to_all", "The share is drawn between 0 and a half, not between 0 and 1.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, share=rng.random()))


@_corruption("start", "The span always begins at the second character; its place is drawn.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, start=1))


@_corruption("empty_prefix", "Prefix or suffix may be empty here; at least one character of each "
             "must be left.")
def _(doc, block, rng):
    L = min(len(doc), rng.randint(4, int(block * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    s = rng.randint(0, L - m)
    return _joined(doc[:s], doc[s + m : L], doc[s : s + m])


def _placed(low, high, half=0.5, number=round):
    """A span that starts between low and L - m - high."""

    def make(doc, block, rng):
        L = min(len(doc), rng.randint(4, int(block * 7 / 8)))
        m = min(max(number(rng.uniform(0, half) * L), 1), L - 2)
        s = rng.randint(low, L - m - high)
        return _joined(doc[:s], doc[s + m : L], doc[s : s + m])

    return make


@_corruption("start_before_size", "The span is cut short where it does not fit behind its start: "
             "draw its size first, then its start.")
def _(doc, block, rng):
    L = min(len(doc), rng.randint(4, int(block * 7 / 8)))
    s = rng.randint(1, L - 2)
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 1 - s)
    return _joined(doc[:s], doc[s + m : L], doc[s : s + m])


_corruption("first_in_span", "The prefix may be empty here: the span starts at 1 at the earliest.")(
    _placed(0, 1))
_corruption("last_in_span", "The suffix may be empty here: at least one character must be left "
            "behind the span.")(_placed(1, 0))
_corruption("start_too_early", "The last possible place of the span is never drawn: `randint` "
            "includes both ends, `randrange` does not.")(
    lambda doc, block, rng: _placed(1, 2)(doc, block, rng) if len(doc) > 9 else _placed(1, 1)(
        doc, block, rng))
_corruption("floored", "The share of the text is rounded; here it is cut to a whole number.")(
    _placed(1, 1, number=int))


@_corruption("rest_of_document", "The suffix goes on to the end of the document; it must end at "
             "the cut, after L characters.")
def _(doc, block, rng):
    prefix, suffix, span = _parts(doc, block, rng)
    return _joined(prefix, doc[len(prefix) + len(span):], span)


@_corruption("cut_to_document", "The random length goes up to 7/8 of the block whatever the "
             "document's length is; the smaller of both counts. Here a short document is cut "
             "too often.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, L=rng.randint(4, min(len(doc), int(block * 7 / 8)))))


@_corruption("length_excluded", "The largest length, int(7/8 block), is never drawn: `randrange` "
             "leaves its end out.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng,
                           L=min(len(doc), rng.randrange(4, int(block * 7 / 8)))))


@_corruption("empty_span", "A span of no characters asks nothing: it has at least one.")
def _(doc, block, rng):
    L = min(len(doc), rng.randint(4, int(block * 7 / 8)))
    m = min(round(rng.uniform(0, 0.5) * L), L - 2)
    s = rng.randint(1, L - m - 1)
    return _joined(doc[:s], doc[s + m : L], doc[s : s + m])


@_corruption("one_mask", "The second MASK is missing: nobody knows where the answer begins.")
def _(doc, block, rng):
    prefix, suffix, span = _parts(doc, block, rng)
    return prefix + MASK + suffix + span


@_corruption("third_mask", "Two MASKs are enough: none follows the span.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng)) + MASK


@_corruption("bert", "One MASK stands for the whole span, not one for each character.")
def _(doc, block, rng):
    prefix, suffix, span = _parts(doc, block, rng)
    return prefix + MASK * len(span) + suffix + MASK + span


@_corruption("order", "The span must go to the end; here it stays and the suffix is moved.")
def _(doc, block, rng):
    prefix, suffix, span = _parts(doc, block, rng)
    return prefix + MASK + span + MASK + suffix


@_corruption("kept", "The span is still in its place: the answer can be copied.")
def _(doc, block, rng):
    prefix, suffix, span = _parts(doc, block, rng)
    return prefix + MASK + span + suffix + MASK + span


@_corruption("seven_eighths_of_document", "7/8 is taken of the block, not of the document.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, L=rng.randint(4, max(int(len(doc) * 7 / 8), 4))))


@_corruption("block_not_7_8", "The longest length is 7/8 of the block: the MASKs need room too.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, rng, L=min(len(doc), rng.randint(4, block))))


@_corruption("global_random", "A draw comes from another generator, not from rng: nothing can be "
             "repeated.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, random))


@_corruption("reseeded", "A new generator with a fixed seed gives the same draw every time.")
def _(doc, block, rng):
    return _joined(*_parts(doc, block, random.Random(0)))


@_corruption("middle_of_document", "The beginning of the document is used, not a piece from its "
             "middle.")
def _(doc, block, rng):
    L = min(len(doc), rng.randint(4, int(block * 7 / 8)))
    first = rng.randint(0, len(doc) - L)
    return _joined(*_parts(doc[first:], block, rng, L=L))


@_corruption("reversed_pieces", "The suffix comes before the span: prefix, suffix, span.")
def _(doc, block, rng):
    prefix, suffix, span = _parts(doc, block, rng)
    return span + MASK + prefix + MASK + suffix


@corrupt.variant("randrange and random")
def span_corrupt(doc, block_size, rng):
    doc = doc[: rng.randrange(4, int(7 / 8 * block_size) + 1)]
    size = int(np.clip(round(rng.random() / 2 * len(doc)), 1, len(doc) - 2))
    start = rng.choice(range(1, len(doc) - size))
    return MASK.join([doc[:start], doc[start + size :], doc[start : start + size]])
