"""Long lists, sets and dicts of words cross as one text."""

import numpy as np
import pytest

from viva_examiner.sandbox.inside import values


def test_many_words_cross_as_they_are(define):
    same = define("def same(x): return x", "same")
    words = [f"naïve{i}" for i in range(12_000)]
    for many in (words, set(words), dict.fromkeys(words, 2.5), dict(zip(words, words[::-1]))):
        got = same(many)
        assert got == many and type(got) is type(many)


@pytest.mark.parametrize("odd", (
    {"words": (np.zeros(3, np.uint8), [1, 1])}, {"words": (np.zeros(3, np.uint8), [4, -1])},
    {"words": (np.zeros(3, np.float32), [3])}, {"words": ("abc", [3])},
    {"words": (np.zeros(1, np.uint8), [True])}, {"words": (np.zeros(0, np.uint8), [])},
    {"words": (np.full(1, 255, np.uint8), [1])}, {"kind": "type"},
    {"kind": "dict", "values": [1, 2]}, {"kind": "dict", "values": 1}, {"kind": "dict"},
))
def test_odd_words_are_refused(odd):
    note = {"t": "words", "kind": "list", "words": (np.zeros(1, np.uint8), [1])}
    assert values.decode(note) == ["\0"]
    with pytest.raises(Exception):  # unpack makes one kind of failure of them all
        values.decode(note | odd)
