"""Cases of qa_example."""

import string

from viva.case import candidate_side, case, outcome
from viva.cases.pretraining.vocabulary import word
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


@candidate_side
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
    """question, answer and two MASKs fill T: no exception; one character more: ValueError"""
    question, answer = word(rng, 5), word(rng, 3)
    return [example_outcome(qa_example, question, answer, T, LETTERS) for T in (10, 9)]
