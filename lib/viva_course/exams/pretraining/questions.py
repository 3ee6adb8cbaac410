"""Exam of qa_example."""

import torch

from viva.cases.pretraining import questions as cases
from viva.cases.pretraining.questions import LETTERS
from viva.cases.pretraining.vocabulary import word
from viva.kits.pretraining.world import MASK, PAD
from viva_course.rubric import Exercise, then

pairs = Exercise("qa_example", "x: question MASK answer MASK PAD ...; y: what follows, from the "
                 "answer on, else PAD")

pairs.values(3, "x and y must have length T, and y is asked from the answer to the closing MASK.")


@pairs.item(2, "y[i] is the character after x[i] wherever it is asked: the first MASK predicts the "
            "first character of the answer, the last one the closing MASK.")
def alignment(exam, qa_example):
    for m, a, T in ((8, 6, 24), (1, 1, 9), (12, 2, 17)):
        question, answer = word(exam.rng, m), word(exam.rng, a)
        x, y = (each.tolist() for each in cases.example(qa_example, question, answer, T, LETTERS))
        text = "".join(LETTERS[i] for i in x)
        exam.true(text == (question + MASK + answer + MASK).ljust(T, PAD), "x is not the text")
        asked = [i for i in range(T) if y[i]]
        exam.true(asked == list(range(m, m + a + 1)), "the wrong places are asked")
        exam.true(all(y[i] == x[i + 1] for i in asked), "y is not what follows x")


@pairs.item(1.5, "Another question of the same length changes no target.")
def the_question_is_not_asked(exam, qa_example):
    answer = word(exam.rng, 5)
    one, two = (cases.example(qa_example, word(exam.rng, 9), answer, 20, LETTERS)
                for _ in range(2))
    exam.same(one[1], two[1])
    expected = [0] * 9 + [LETTERS.index(each) for each in answer] + [1] + [0] * 5
    exam.same(one[1], torch.tensor(expected))


@pairs.item(1, "What does not fit raises ValueError; what fits works.")
def too_long(exam, qa_example):
    question = word(exam.rng, 10)
    x, y = cases.example(qa_example, question, "Oslo", 16, LETTERS)
    exam.true(x.tolist()[10] == 1 and y.tolist()[14] == 1, "what just fits must work")
    for T in (3, 10, 14, 15):
        exam.same(cases.example_outcome(qa_example, question, "Oslo", T, LETTERS), "ValueError")


@pairs.item(0.5, "x and y are tensors of int64, of length T.")
def tensors(exam, qa_example):
    x, y = cases.example(qa_example, "abc", "de", 12, LETTERS)
    text = f"abc{MASK}de{MASK}".ljust(12, PAD)
    exam.same(x, torch.tensor([LETTERS.index(each) for each in text]))
    exam.true(y.dtype == torch.int64 and tuple(y.shape) == (12,), "y must be int64, length T")


def _ids(text, T, vocab):
    if len(text) > T:
        raise ValueError("too long")
    return torch.tensor(vocab.encode(text.ljust(T + 1, PAD)))


def _pair(question, answer, T, vocab, first=None, last=None, shift=1):
    """x and y with the places from `first` to `last` asked."""
    ids = _ids(question + MASK + answer + MASK, T, vocab)
    first = len(question) if first is None else first
    last = len(question) + len(answer) + 1 if last is None else last
    y = torch.zeros(T, dtype=torch.int64)
    y[first:last] = ids[first + shift : last + shift]
    return ids[:-1].clone(), y


pairs.mistakes_of(qa_example={
    "question_in_loss": (
        "The question is asked too: its places must be PAD in y.",
        lambda question, answer, T, vocab: _pair(question, answer, T, vocab, first=0)),
    "off_by_one_early": (
        "Predicting the first MASK is asked too; the first target is the first character of the "
        "answer.",
        lambda question, answer, T, vocab: (
            _pair(question, answer, T, vocab, first=len(question) - 1))),
    "off_by_one_late": (
        "The first character of the answer is not asked: the first MASK predicts it.",
        lambda question, answer, T, vocab: (
            _pair(question, answer, T, vocab, first=len(question) + 1))),
    "no_end_mask": ("The closing MASK is not asked: the model would never stop.",
                    lambda question, answer, T, vocab: (
                        _pair(question, answer, T, vocab, last=len(question) + len(answer)))),
    "one_shorter": ("x and y have length T; these are one shorter.",
                    then(_pair, lambda x, y: (x[:-1], y[:-1]))),
    "minus_100": ("Places that are not asked hold PAD, which is 0.",
                  then(_pair, lambda x, y: (x, y.where(y > 0, torch.tensor(-100))))),
    "floats": ("Ids are integers: int64.", then(_pair, lambda x, y: (x.float(), y.float()))),
    "padded_left": (
        "PAD comes after the text, not before it.",
        then(_pair, lambda x, y: (x.roll(int((x == 0).sum())), y.roll(int((x == 0).sum()))))),
})


@pairs.mistake("shared_memory", "x and y are two views of the same ids: what is erased in y is "
               "erased in x as well. Copy y first.")
def qa_example(question, answer, T, vocab):
    ids = _ids(question + MASK + answer + MASK, T, vocab)
    ids[1 : len(question) + 1] = 0
    return ids[:-1], ids[1:]


@pairs.mistake("one_mark", "The second MASK, behind the answer, is missing in x and in y: the "
               "model would never learn where an answer ends.")
def qa_example(question, answer, T, vocab):
    ids = _ids(question + MASK + answer, T, vocab)
    y = ids[1:].clone()
    y[: len(question)] = 0
    return ids[:-1].clone(), y


@pairs.mistake("exact_fit_refused", "A text that fills all of T places fits: only a longer one "
               "raises ValueError.")
def qa_example(question, answer, T, vocab):
    return _pair(question, answer, T - 1, vocab) and _pair(question, answer, T, vocab)


@pairs.mistake("answer_not_in_x", "x holds the answer as well: the model reads it while it writes, "
               "character by character.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    x[len(question) + 1 :] = 0
    return x, y


@pairs.mistake("no_shift", "y[i] must be the character after x[i], not x[i] itself.")
def qa_example(question, answer, T, vocab):
    x, _ = _pair(question, answer, T, vocab)
    y = x.clone()
    y[: len(question) + 1] = 0
    return x, y


@pairs.mistake("end_mask_missing", "The closing MASK is missing in x.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    x[len(question) + len(answer) + 1] = 0
    return x, y


@pairs.mistake("truncates", "A text that does not fit is cut off in silence: raise ValueError.")
def qa_example(question, answer, T, vocab):
    text = (question + MASK + answer + MASK).ljust(T + 1, PAD)[: T + 1]
    ids = torch.tensor(vocab.encode(text))
    y = ids[1:].clone()
    y[: len(question)] = 0
    return ids[:-1], y


@pairs.mistake("one_too_many", "The text must fit into T places with its closing MASK: one "
               "character more raises ValueError.")
def qa_example(question, answer, T, vocab):
    ids = _ids(question + MASK + answer + MASK, T + 1, vocab)
    y = ids[1 : T + 1].clone()
    y[: len(question)] = 0
    return ids[:T], y


@pairs.mistake("wrong_shift", "y is x shifted the wrong way: it must be the next character.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    return x, torch.cat([torch.zeros(1, dtype=torch.int64), x[:-1]]) * (y > 0)


@pairs.mistake("padding_asked", "Predicting PAD after the end is no task: nothing after the "
               "closing MASK is asked, and the MASK before it is.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    y[len(question) + len(answer) + 1 :] = 1
    return x, y


@pairs.variant("character by character")
def qa_example(question, answer, T, vocab):
    text = question + MASK + answer + MASK
    if T < len(text):
        raise ValueError("too long")
    x = [vocab.stoi[each] for each in text] + [vocab.stoi[PAD]] * (T - len(text))
    y = [x[i + 1] if len(question) <= i < len(text) - 1 else 0 for i in range(T)]
    return torch.tensor(x), torch.tensor(y, dtype=torch.long)


@pairs.variant("padded to one more")
def qa_example(question, answer, T, vocab):
    text = question + MASK + answer + MASK
    if len(text) > T:
        raise ValueError("too long")
    ids = torch.tensor(vocab.encode(text + PAD * (T + 1 - len(text))))
    x, y = ids[:-1], ids[1:].clone()
    y[: len(question)] = 0
    return x, y
