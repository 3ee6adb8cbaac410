"""Long lists, sets and dicts of words, as one text.

A dictionary of English has some 300,000 entries: more than a message may have values. As text and
lengths it costs little to read.
"""

import itertools
import sys
from typing import Any

import numpy as np

from viva import plain

LONG = 10_000  # from here on
MAX_WORDS = 1_000_000
NUMBERS = ({int}, {float})


class WordList:
    """A list, set or dict that travels like this; `note` stands for it."""

    def __init__(self, note: dict) -> None:
        self.note = note


def interned(value: Any) -> Any:
    """A word as Python keeps the words of a program: `kind is "mean"` holds in one kernel."""
    return sys.intern(value) if type(value) is str and value.isidentifier() else value


def lighter(value: Any) -> Any:
    """The value, or Words in its place if it is a long list, set or dict of words."""
    if type(value) not in (list, set, dict) or not LONG <= len(value) <= MAX_WORDS:
        return value
    try:
        return WordList(_write(value))
    except (TypeError, UnicodeEncodeError):  # not of words alone, or none that UTF-8 can write
        return value


def _write(value: Any) -> dict:
    note = {"t": "words", "kind": type(value).__name__, "words": _text(value)}
    if type(value) is dict:
        others = list(value.values())
        note["values"] = others if set(map(type, others)) in NUMBERS else _text(others)
    return note


def _text(words: Any) -> tuple:
    if set(map(type, words)) != {str}:
        raise TypeError("not words")
    return (np.frombuffer("".join(words).encode(), np.uint8), list(map(len, words)))


def read(note: dict) -> Any:
    """What a note of `lighter` describes. Raises Malformed or ValueError for anything else."""
    words = _words(note["words"])
    if note["kind"] == "dict":
        values = note["values"]
        return dict(zip(words, values if type(values) is list else _words(values), strict=True))
    return {"list": list, "set": set}[note["kind"]](words)


def _words(part: Any) -> list[str]:
    data, lengths = part
    if not isinstance(data, np.ndarray) or data.dtype != np.uint8 or type(lengths) is not list or (
            len(lengths) > MAX_WORDS) or set(map(type, lengths)) != {int} or min(lengths) < 0:
        raise plain.Malformed("not a text of words")
    text = data.tobytes().decode()
    ends = list(itertools.accumulate(lengths))
    if ends[-1] != len(text):
        raise plain.Malformed("words of another length than their text")
    return [text[end - length:end] for length, end in zip(lengths, ends, strict=True)]
