"""Cases of CharVocab, span_corrupt and qa_example."""

import random
import string

from viva.case import beside, case, outcome
from viva.kits.pretraining.world import MASK, PAD

LETTERS = PAD + MASK + " ?" + string.ascii_letters


class Alphabet:
    """A vocabulary of given characters, in their order: what qa_example is given."""

    def __init__(self, characters):
        self.itos = list(characters)
        self.stoi = {each: i for i, each in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi[each] for each in text]

    def decode(self, ids):
        return "".join(self.itos[int(i)] for i in ids)


def word(rng, length, letters=string.ascii_lowercase):
    """Random letters."""
    return "".join(letters[i] for i in rng.integers(0, len(letters), length))


# ---- CharVocab

def vocabulary(CharVocab, texts):
    """The characters by their numbers, the numbers by their characters, and how many there are."""
    made = CharVocab(texts)
    size, itos = len(made), made.itos
    return {"itos": [itos[i] for i in range(size)], "stoi": dict(made.stoi), "size": size}


def there_and_back(CharVocab, texts, text):
    made = CharVocab(texts)
    ids = [int(i) for i in made.encode(text)]
    return {"ids": ids, "text": made.decode(ids)}


def encoding_outcome(CharVocab, texts, text):
    """The name of the exception, or "no exception"."""
    return outcome(CharVocab(texts).encode, text)


def encoding(CharVocab, texts, text):
    """The ids of a text, or the name of the exception."""
    made = CharVocab(texts)
    raised = outcome(made.encode, text)
    return raised if raised != "no exception" else [int(i) for i in made.encode(text)]


@case("CharVocab")
def banana(rng, CharVocab):
    """the texts "cab" and "banana": PAD, MASK, a, b, c, n"""
    return vocabulary(CharVocab, ["cab", "banana"])


@case("CharVocab")
def round_trip(rng, CharVocab):
    """a text as ids, and back"""
    texts = [word(rng, 12) for _ in range(3)]
    return there_and_back(CharVocab, texts, texts[1][::-1])


@case("CharVocab")
def any_order(rng, CharVocab):
    """the same texts in another order"""
    texts = [word(rng, 6), word(rng, 9), "Zürich 8!"]
    return [vocabulary(CharVocab, texts)["itos"], vocabulary(CharVocab, texts[::-1])["itos"]]


@case("CharVocab")
def special_in_texts(rng, CharVocab):
    """texts that contain PAD and MASK already"""
    return vocabulary(CharVocab, [f"ab{MASK}ra{MASK}b", f"c{PAD}{PAD}"])


@case("CharVocab")
def specials_coded(rng, CharVocab):
    """PAD is 0 and MASK is 1, in a text as well"""
    return there_and_back(CharVocab, ["so it is"], f"is it{MASK}so{MASK}{PAD}")


@case("CharVocab")
def unknown(rng, CharVocab):
    """a character that never occurred: KeyError"""
    return encoding(CharVocab, ["abc"], "abd")


# ---- span_corrupt

@beside
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
    """the shortest prefix, suffix and span in 1000 draws: 1, 1, 1"""
    found = draws(span_corrupt, document(rng, 30), 16, seed_of(rng), 400)
    return [min(map(len, each)) for each in zip(*map(pieces, found), strict=True)]


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
def share(rng, span_corrupt):
    """the mean share of the span is near a quarter, the largest near a half"""
    found = list(map(pieces, draws(span_corrupt, document(rng, 80), 64, seed_of(rng), 1000)))
    shares = [len(span) / sum(map(len, (prefix, suffix, span))) for prefix, suffix, span in found]
    return [0.22 < sum(shares) / len(shares) < 0.29, 0.44 < max(shares) <= 0.6]


@case("span_corrupt")
def everywhere(rng, span_corrupt):
    """the span begins anywhere: right after the first character, and up to the last but one"""
    found = list(map(pieces, draws(span_corrupt, document(rng, 12), 128, seed_of(rng), 1000)))
    return [sorted({len(prefix) for prefix, _, _ in found}),
            sorted({len(suffix) for _, suffix, _ in found})]


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
    return [one == again, one == other, len(set(one)) > 1]


# ---- qa_example

@beside
def alphabet(qa_example, characters):
    """A vocabulary, made where qa_example can use it."""
    return Alphabet(characters)


def example(qa_example, question, answer, T, characters):
    """(x, y) with a vocabulary of these characters."""
    x, y = qa_example(question, answer, T, alphabet(qa_example, characters))
    return x, y


def example_outcome(qa_example, question, answer, T, characters):
    return outcome(qa_example, question, answer, T, alphabet(qa_example, characters))


@case("qa_example")
def ada(rng, qa_example):
    """Where was Ada born? London, T = 36"""
    return example(qa_example, "Where was Ada born?", "London", 36, LETTERS)


@case("qa_example")
def some_letters(rng, qa_example):
    """a question of seven letters, an answer of four"""
    return example(qa_example, word(rng, 7), word(rng, 4), 18, LETTERS)


@case("qa_example")
def tight(rng, qa_example):
    """question, answer and two MASKs fill all of T"""
    return example(qa_example, word(rng, 5), word(rng, 3), 10, LETTERS)


@case("qa_example")
def one_letter(rng, qa_example):
    """an answer of one character"""
    return example(qa_example, word(rng, 3), word(rng, 1), 8, LETTERS)


@case("qa_example")
def other_question(rng, qa_example):
    """two questions of the same length have the same targets"""
    answer = word(rng, 4)
    return [example(qa_example, word(rng, 6), answer, 15, LETTERS)[1] for _ in range(2)]


@case("qa_example")
def too_long(rng, qa_example):
    """a question that does not fit: ValueError"""
    return example_outcome(qa_example, word(rng, 20), "Oslo", 16, LETTERS)


@case("qa_example")
def one_too_many(rng, qa_example):
    """question, answer and two MASKs are one character longer than T: ValueError"""
    return example_outcome(qa_example, word(rng, 5), word(rng, 3), 9, LETTERS)
