"""Exam of CharVocab."""

from collections import Counter

from viva.cases.pretraining import vocabulary as cases
from viva.cases.pretraining.vocabulary import word
from viva.kits.pretraining.world import MASK, PAD
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise, altered

vocab = Exercise("CharVocab", "PAD is 0, MASK is 1, then every other character of the texts once, "
                 "sorted")

vocab.values(3, "PAD is 0, MASK is 1, the rest sorted and unique; encode and decode are inverse.")


@vocab.item(1, "The vocabulary depends on the set of characters only, and texts that contain PAD "
            "or MASK do not bring them in twice.")
def any_texts(exam, CharVocab):
    texts = [word(exam.rng, 20, "abcxyzÄé ☃" + MASK), word(exam.rng, 9, "qrs" + PAD), ""]
    expected = cases.vocabulary(reference.CharVocab, texts)
    edge = ["\t" + word(exam.rng, 4), word(exam.rng, 5) + "\n", word(exam.rng, 3) + " "]
    exam.same(cases.vocabulary(CharVocab, edge), cases.vocabulary(reference.CharVocab, edge))
    for order in (texts, texts[::-1], ["".join(texts)]):
        exam.same(cases.vocabulary(CharVocab, order), expected)


@vocab.item(1, "decode undoes encode, for PAD and MASK too.")
def there_and_back(exam, CharVocab):
    texts = [word(exam.rng, 30, "abcdefgh ")]
    text = MASK + texts[0][::2] + PAD + MASK
    exam.same(cases.there_and_back(CharVocab, texts, text),
              cases.there_and_back(reference.CharVocab, texts, text))


@vocab.item(1, "A character that never occurred raises KeyError.")
def unknown_characters(exam, CharVocab):
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


@vocab.mistake("most_frequent_first", "The ids depend on how often characters appear: sort them as "
               "Python sorts strings.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        counts = Counter("".join(texts).replace(PAD, "").replace(MASK, ""))
        self.take([PAD, MASK, *(each for each, _ in counts.most_common())])


@vocab.mistake("specials_twice", "PAD and MASK occur in the texts as well: they must not get a "
               "second id.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.take([PAD, MASK, *sorted(set("".join(texts)))])


vocab.mistakes_of(CharVocab={
    "unknown_to_pad": (
        "An unknown character must raise KeyError; as PAD it would vanish from the loss in "
        "silence.",
        altered(_Vocab, encode=lambda self, text: [self.stoi.get(each, 0) for each in text])),
    "unknown_to_mask": (
        "An unknown character must raise KeyError; as MASK it would mean that something is "
        "missing.",
        altered(_Vocab, encode=lambda self, text: [self.stoi.get(each, 1) for each in text])),
    "decode_drops_pad": (
        "decode gives every character back and keeps PAD, too.",
        altered(_Vocab, decode=lambda self, ids: "".join(self.itos[i] for i in ids if i))),
    "length_without_specials": ("len counts PAD and MASK too.",
                                altered(_Vocab, __len__=lambda self: len(self.itos) - 2)),
    "decode_drops_specials": (
        "decode gives every character back, PAD and MASK included.",
        altered(_Vocab, decode=lambda self, ids: "".join(self.itos[i] for i in ids if i > 1))),
})


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


@vocab.mistake("stripped", "Blanks and line ends at the edge of a text are characters like others: "
               "do not strip them.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__([each.strip() for each in texts])


@vocab.mistake("lower_case_everywhere", "Upper and lower case are different characters.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__([each.lower() for each in texts])

    def encode(self, text):
        return super().encode(text.lower())


@vocab.mistake("sorted_without_case", "Python sorts upper case before lower case; here the sort "
               "ignores the case.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        self.take([PAD, MASK, *sorted(set("".join(texts)) - {PAD, MASK}, key=str.lower)])


@vocab.mistake("index_of_a_list", "An unknown character must raise KeyError; `index` raises "
               "ValueError.")
class CharVocab(_Vocab):
    def encode(self, text):
        return [list(self.itos).index(each) for each in text]


@vocab.mistake("no_blanks", "Blanks are characters like others: here the texts are split at them.")
class CharVocab(_Vocab):
    def __init__(self, texts):
        super().__init__(" ".join(texts).split())


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
