"""Cases of CharVocab."""

import string

from viva.case import case, outcome
from viva.kits.pretraining.world import MASK, PAD


def word(rng, length, letters=string.ascii_lowercase):
    """Random letters."""
    return "".join(letters[i] for i in rng.integers(0, len(letters), length))


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


@case("CharVocab")
def blanks_at_the_edge(rng, CharVocab):
    """a blank and a line end at the edges of texts are characters, too"""
    return vocabulary(CharVocab, [" ab", "c\n"])
