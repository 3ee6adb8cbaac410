"""What a candidate has said, searched for words only when somebody asks.

It is searched as it was understood, not as it was sent: text can be spelled in several ways that
mean the same. Numbers are no text, but bytes that are sent as numbers can be: long words are looked
for among them too. A short one stands in any megabyte of numbers.

Text is remembered for the whole submission, since a test may keep it for the next one; numbers only
until the next test begins.
"""

import contextlib
import json
import re

from safetensors import SafetensorError, deserialize

from viva.unbroken import read_json

MOST_BYTES = 1 << 25  # that are remembered of one test, and of the text of all of them
SHORTEST = 3  # letters of a word that tells whose it is
LONG = 6  # letters from which on a word is looked for among numbers


class CandidateText:
    """After too much of it everything counts as said."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []  # of this test, not yet looked at
        self.trees: list[bytes] = []  # what is no number, of all tests; not yet looked at
        self.texts: list[bytes] = []
        self.numbers: list[bytes] = []
        self.room = self.kept = MOST_BYTES

    def forget_numbers(self) -> None:
        """A test begins."""
        self._open_frames()
        self.numbers.clear()
        self.room = MOST_BYTES

    def follow(self, before: "CandidateText") -> None:
        """This candidate takes the place of another one, whose words may still be around."""
        before.forget_numbers()
        self.trees = before.trees + self.trees
        self.texts = before.texts + self.texts
        self.kept -= MOST_BYTES - before.kept

    def remember(self, frame: bytes) -> None:
        self.room -= len(frame)
        self.frames.append(frame)
        if self.room <= 0:
            self._open_frames()
            self.numbers.clear()

    def holds(self, text: str, whole: bool = False, anyhow: bool = False) -> bool:
        """Whether it was said.

        whole: as a word of its own, not as a part of a longer one
        anyhow: in whatever case: a test may change that
        """
        if len(text) < SHORTEST:
            return False
        if self.room <= 0 or self.kept <= 0:
            return True
        self._open_frames()
        self._read_trees()
        words = re.escape(json.dumps(text)[1:-1].encode())
        pattern = re.compile(rb"(?<!\w)" + words + rb"(?!\w)" if whole else words,
                             re.I if anyhow else 0)
        if any(map(pattern.search, self.texts)):
            return True
        data = text.encode(errors="replace")
        return len(text) >= LONG and any(
            data in part or anyhow and data.lower() in part.lower() for part in self.numbers)

    def _open_frames(self) -> None:
        for frame in self.frames:
            with contextlib.suppress(SafetensorError, KeyError):
                parts = {name: bytes(part["data"]) for name, part in deserialize(frame)}
                self.numbers.append(parts["data"])
                self.kept -= len(parts["tree"])
                if self.kept > 0:
                    self.trees.append(parts["tree"])
        self.frames.clear()

    def _read_trees(self) -> None:
        for tree in self.trees:
            with contextlib.suppress(ValueError, RecursionError):
                self.texts.append(json.dumps(read_json(tree)).encode())
        self.trees.clear()
