"""What a candidate has said since a test began, searched for words only when somebody asks.

It is searched as it was understood, not as it was sent: text can be spelled in several ways that
mean the same. Numbers are no text, but bytes that are sent as numbers can be: long words are looked
for among them too. A short one stands in any megabyte of numbers.
"""

import contextlib
import json
import re

from safetensors import SafetensorError, deserialize

from viva.unbroken import read_json

MOST_BYTES = 1 << 25  # that are remembered of one test
SHORTEST = 3  # letters of a word that tells whose it is
LONG = 6  # letters from which on a word is looked for among numbers


class Said:
    """The frames of one test. After too many of them everything counts as said."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.frames: list[bytes] = []  # not yet looked at
        self.texts: list[bytes] = []
        self.numbers: list[bytes] = []
        self.room = MOST_BYTES

    def remember(self, frame: bytes) -> None:
        if self.room > 0:
            self.room -= len(frame)
            self.frames.append(frame)

    def holds(self, text: str, whole: bool = False) -> bool:
        """Whether it was said.

        whole: as a word of its own, not as a part of a longer one
        """
        if len(text) < SHORTEST:
            return False
        if self.room <= 0:
            return True
        self._look()
        words = re.escape(json.dumps(text)[1:-1].encode())
        pattern = re.compile(rb"(?<!\w)" + words + rb"(?!\w)" if whole else words)
        if any(map(pattern.search, self.texts)):
            return True
        return len(text) >= LONG and any(text.encode() in part for part in self.numbers)

    def _look(self) -> None:
        for frame in self.frames:
            with contextlib.suppress(SafetensorError, KeyError, ValueError, RecursionError):
                parts = {name: bytes(part["data"]) for name, part in deserialize(frame)}
                self.texts.append(json.dumps(read_json(parts["tree"])).encode())
                self.numbers.append(parts["data"])
        self.frames.clear()
