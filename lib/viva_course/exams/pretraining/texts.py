"""Exams of CharVocab, span_corrupt and qa_example."""

import random

import numpy as np
import torch

from viva.cases.pretraining import texts as cases
from viva.cases.pretraining.texts import LETTERS, pieces, seed_of, word
from viva.kits.pretraining.world import MASK, PAD
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise

vocab = Exercise(
    "CharVocab", points=8, reference=(reference.CharVocab,),
    expects="PAD is 0, MASK is 1, then every other character of the texts once, sorted",
)

vocab.values(3, "PAD is 0, MASK is 1, the rest sorted and unique; encode and decode are inverse.")


@vocab.item("any texts", 2, "The vocabulary depends on the set of characters only, and texts that "
            "contain PAD or MASK do not bring them in twice.")
def _(exam, CharVocab):
    texts = [word(exam.rng, 20, "abcxyzÄé ☃" + MASK), word(exam.rng, 9, "qrs" + PAD), ""]
    expected = cases.vocabulary(reference.CharVocab, texts)
    for order in (texts, texts[::-1], ["".join(texts)]):
        exam.same(cases.vocabulary(CharVocab, order), expected)


@vocab.item("there and back", 2, "decode undoes encode, for PAD and MASK too.")
def _(exam, CharVocab):
    texts = [word(exam.rng, 30, "abcdefgh ")]
    text = MASK + texts[0][::2] + PAD + MASK
    exam.same(cases.there_and_back(CharVocab, texts, text),
              cases.there_and_back(reference.CharVocab, texts, text))


@vocab.item("unknown characters", 1, "A character that never occurred raises KeyError.")
def _(exam, CharVocab):
    texts = [word(exam.rng, 10, "abc")]
    exam.same(cases.encoding_outcome(CharVocab, texts, texts[0]), "no exception")
    for text in ("a\u00e9", "Z", " "):
        exam.same(cases.encoding_outcome(CharVocab, texts, text), "KeyError")


class _Vocab(reference.CharVocab):
    """What the mistakes below do not get wrong."""

    def take(self, characters):
        self.itos = list(characters)
        self.stoi = {each: i for i, each in enumerate(self.itos)}


@vocab.mistake("order_of_appearance", "The ids depend on the order in which characters appear: "
               "sort them.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.take(dict.fromkeys(PAD + MASK + "".join(texts)))


@vocab.mistake("specials_twice", "PAD and MASK occur in the texts as well: they must not get a "
               "second id.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.take([PAD, MASK, *sorted(set("".join(texts)))])


@vocab.mistake("unknown_to_pad", "An unknown character must raise KeyError; as PAD it would vanish "
               "from the loss in silence.")
class CharVocab(_Vocab):
    def encode(self, text):
        return [self.stoi.get(each, 0) for each in text]


@vocab.mistake("unknown_dropped", "An unknown character must raise KeyError; here it is left out.")
class CharVocab(_Vocab):
    def encode(self, text):
        return [self.stoi[each] for each in text if each in self.stoi]


@vocab.mistake("duplicates", "Every character gets one id, however often it occurs.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        joined = "".join(texts).replace(PAD, "").replace(MASK, "")
        self.take([PAD, MASK, *sorted(joined)])


@vocab.mistake("ids_swapped", "PAD is 0 and MASK is 1; here they are exchanged, and a loss that "
               "ignores 0 would drop MASK.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.take([MASK, PAD, *sorted(set("".join(texts)) - {PAD, MASK})])


@vocab.mistake("specials_last", "PAD and MASK come first, with the ids 0 and 1.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.take([*sorted(set("".join(texts)) - {PAD, MASK}), PAD, MASK])


@vocab.mistake("specials_sorted_in", "PAD and MASK come first; here they are sorted in.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.take(sorted(set("".join(texts)) | {PAD, MASK}))


@vocab.mistake("first_text_only", "All texts count, not only the first.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__(texts[:1])


@vocab.mistake("length_without_specials", "len counts PAD and MASK too.")
class CharVocab(_Vocab):
    def __len__(self):
        return len(self.itos) - 2


@vocab.mistake("decode_drops_specials", "decode gives every character back, PAD and MASK included.")
class CharVocab(_Vocab):
    def decode(self, ids):
        return "".join(self.itos[i] for i in ids if i > 1)


@vocab.mistake("lower_case", "Upper and lower case are different characters.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__([each.lower() for each in texts])


@vocab.variant("a dict of characters, tensors accepted")
class CharVocab:
    def __init__(self, texts):
        seen = set()
        for text in texts:
            seen.update(text)
        ordered = [PAD, MASK] + [c for c in sorted(seen) if c not in (PAD, MASK)]
        self.itos = dict(enumerate(ordered))
        self.stoi = {c: i for i, c in self.itos.items()}

    def __len__(self):
        return len(self.stoi)

    def encode(self, text):
        return list(map(self.stoi.__getitem__, text))

    def decode(self, ids):
        return "".join([self.itos[int(i)] for i in ids])


# ---- span_corrupt

corrupt = Exercise(
    "span_corrupt", points=14, reference=(reference.span_corrupt,),
    expects="prefix MASK suffix MASK span, from a random beginning of the document",
    survivors={
        "span_corrupt: m = max(round(rng.uniform(0, 0.5) * L), 1) -> "
        "m = max(round(rng.uniform(0.5, 0) * L), 1)": "the same interval, from its other end",
    },
)

corrupt.values(6, "A random beginning, a random span of it moved to the end, and MASK twice.")


def _drawn(exam, span_corrupt, length, block, count=200):
    """A document of different characters, and (prefix, suffix, span) of each draw from it."""
    doc = cases.document(exam.rng, length)
    found = cases.draws(span_corrupt, doc, block, seed_of(exam.rng), count)
    exam.true(all(isinstance(each, str) for each in found), "the result is a string")
    exam.true(all(each.count(MASK) == 2 for each in found), "MASK must occur exactly twice")
    return doc, [pieces(each) for each in found]


@corrupt.item("nothing lost, nothing leaked", 3, "prefix, span and suffix are the beginning of the "
              "document, each piece once and none of them empty.")
def _(exam, span_corrupt):
    for length, block in ((4, 16), (5, 128), (9, 20), (60, 40), (200, 128)):
        doc, found = _drawn(exam, span_corrupt, length, block)
        for prefix, suffix, span in found:
            whole = prefix + span + suffix
            exam.true(min(len(prefix), len(suffix), len(span)) >= 1, "a piece is empty")
            exam.true(doc.startswith(whole), "the pieces are not the document's beginning")
            exam.true(4 <= len(whole) <= int(block * 7 / 8), f"{len(whole)} characters were used")


@corrupt.item("the length is random", 2, "The length is drawn evenly from 4 to int(7/8 block), and "
              "is at most that of the document.")
def _(exam, span_corrupt):
    doc, found = _drawn(exam, span_corrupt, 100, 40, 3000)
    lengths = np.bincount([sum(map(len, each)) for each in found], minlength=36)[4:36]
    # 32 lengths, 93.75 draws of each on average, standard deviation 9.5: 6 of them either way
    exam.true(bool(lengths.min() > 36 and lengths.max() < 152), "the lengths are not drawn evenly")
    exam.true(lengths.sum() == 3000, "a length is outside 4 ... 35")


@corrupt.item("the span is random", 2, "The span takes a quarter on average and a half at most, "
              "and begins anywhere.")
def _(exam, span_corrupt):
    _, found = _drawn(exam, span_corrupt, 41, 4000, 4000)
    found = [each for each in found if sum(map(len, each)) == 41]  # nearly all
    spans = np.array([len(span) for _, _, span in found])
    # uniform on 0 ... 20.5, rounded: mean 10.26, standard deviation 5.9 / sqrt(4000) = 0.094
    exam.true(bool(abs(spans.mean() - 10.26) < 0.5), f"the mean span is {spans.mean():.1f} of 41")
    exam.true(bool(spans.min() == 1 and 20 <= spans.max() <= 21), "spans go from 1 to a half")
    starts = np.array([(len(prefix) - 1) / max(len(prefix) + len(suffix) - 2, 1)
                       for prefix, suffix, _ in found])
    # uniform on [0, 1] for a given span: standard deviation 0.29 / sqrt(4000) = 0.005
    exam.true(bool(abs(starts.mean() - 0.5) < 0.03), "the span does not begin anywhere")
    exam.true(bool(abs(starts.std() - 0.3) < 0.03), "the beginnings of spans are not even")
    four = cases.draws(span_corrupt, cases.document(exam.rng, 4), 64, seed_of(exam.rng), 2000)
    # a share above 3/8 of 4 is rounded to 2, one in four; standard deviation 0.01
    pairs_hidden = np.mean([len(pieces(text)[2]) == 2 for text in four])
    exam.true(bool(abs(pairs_hidden - 0.25) < 0.06), "the share is not drawn evenly and rounded")


@corrupt.item("from the generator", 1, "All randomness comes from rng: the same state gives the "
              "same text.")
def _(exam, span_corrupt):
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


@_corruption("global_random", "The draws come from the module random, not from rng: nothing can be "
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


# ---- qa_example

pairs = Exercise(
    "qa_example", points=10, reference=(reference.qa_example,),
    expects="x: question MASK answer MASK PAD ...; y: what follows, from the answer on, else PAD",
)

pairs.values(4, "x and y must have length T, and y is asked from the answer to the closing MASK.")


@pairs.item("alignment", 3, "y[i] is the character after x[i] wherever it is asked: the first MASK "
            "predicts the first character of the answer, the last one the closing MASK.")
def _(exam, qa_example):
    for m, a, T in ((8, 6, 24), (1, 1, 9), (12, 2, 17)):
        question, answer = word(exam.rng, m), word(exam.rng, a)
        x, y = (each.tolist() for each in cases.example(qa_example, question, answer, T, LETTERS))
        text = "".join(LETTERS[i] for i in x)
        exam.true(text == (question + MASK + answer + MASK).ljust(T, PAD), "x is not the text")
        asked = [i for i in range(T) if y[i]]
        exam.true(asked == list(range(m, m + a + 1)), "the wrong places are asked")
        exam.true(all(y[i] == x[i + 1] for i in asked), "y is not what follows x")


@pairs.item("the question is not asked", 1.5, "Another question of the same length changes no "
            "target.")
def _(exam, qa_example):
    answer = word(exam.rng, 5)
    one, two = (cases.example(qa_example, word(exam.rng, 9), answer, 20, LETTERS)
                for _ in range(2))
    exam.same(one[1], two[1])
    expected = [0] * 9 + [LETTERS.index(each) for each in answer] + [1] + [0] * 5
    exam.same(one[1], torch.tensor(expected))


@pairs.item("too long", 1, "What does not fit raises ValueError; what fits works.")
def _(exam, qa_example):
    question = word(exam.rng, 10)
    x, y = cases.example(qa_example, question, "Oslo", 16, LETTERS)
    exam.true(x.tolist()[10] == 1 and y.tolist()[14] == 1, "what just fits must work")
    for T in (3, 10, 14, 15):
        exam.same(cases.example_outcome(qa_example, question, "Oslo", T, LETTERS), "ValueError")


@pairs.item("tensors", 0.5, "x and y are tensors of int64, of length T.")
def _(exam, qa_example):
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


@pairs.mistake("question_in_loss", "The question is asked too: its places must be PAD in y.")
def qa_example(question, answer, T, vocab):
    return _pair(question, answer, T, vocab, first=0)


@pairs.mistake("off_by_one_early", "Predicting the first MASK is asked too; the first target is "
               "the first character of the answer.")
def qa_example(question, answer, T, vocab):
    return _pair(question, answer, T, vocab, first=len(question) - 1)


@pairs.mistake("off_by_one_late", "The first character of the answer is not asked: the first MASK "
               "predicts it.")
def qa_example(question, answer, T, vocab):
    return _pair(question, answer, T, vocab, first=len(question) + 1)


@pairs.mistake("no_shift", "y[i] must be the character after x[i], not x[i] itself.")
def qa_example(question, answer, T, vocab):
    x, _ = _pair(question, answer, T, vocab)
    y = x.clone()
    y[: len(question) + 1] = 0
    return x, y


@pairs.mistake("no_end_mask", "The closing MASK is not asked: the model would never stop.")
def qa_example(question, answer, T, vocab):
    return _pair(question, answer, T, vocab, last=len(question) + len(answer))


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


@pairs.mistake("one_shorter", "x and y have length T; these are one shorter.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    return x[:-1], y[:-1]


@pairs.mistake("minus_100", "Places that are not asked hold PAD, which is 0.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    return x, y.where(y > 0, torch.tensor(-100))


@pairs.mistake("floats", "Ids are integers: int64.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    return x.float(), y.float()


@pairs.mistake("padding_asked", "Predicting PAD after the end is no task: nothing after the "
               "closing MASK is asked, and the MASK before it is.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    y[len(question) + len(answer) + 1 :] = 1
    return x, y


@pairs.mistake("padded_left", "PAD comes after the text, not before it.")
def qa_example(question, answer, T, vocab):
    x, y = _pair(question, answer, T, vocab)
    return x.roll(int((x == 0).sum())), y.roll(int((x == 0).sum()))


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
