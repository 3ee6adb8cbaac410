"""What a candidate has said: found as it was understood, and not in the noise of numbers."""

import json

import numpy as np
import pytest

from viva import plain
from viva_examiner.sandbox.candidate_text import MOST_BYTES, CandidateText


def said(*values) -> CandidateText:
    found = CandidateText()
    for value in values:
        found.remember(plain.pack(value))
    return found


def test_words_and_parts_of_words():
    heard = said({"value": "__main__.remainder /etc/passwd"})
    assert heard.holds("/etc/passwd") and heard.holds("passwd", whole=True)
    assert heard.holds("main") and not heard.holds("main", whole=True)
    assert not heard.holds("et"), "too short to tell whose it is"


def test_text_is_remembered_for_the_next_test_and_numbers_are_not():
    heard = said({"value": "passwd"}, {"value": np.frombuffer(b"/etc/shadow", np.uint8)})
    assert heard.holds("passwd") and heard.holds("/etc/shadow")
    heard.forget_numbers()
    assert heard.holds("passwd") and not heard.holds("/etc/shadow")
    second = said({"value": "another life"})
    second.follow(heard)
    assert second.holds("passwd") and second.holds("another")


def test_many_numbers_hide_no_text():
    heard = said({"value": np.zeros(MOST_BYTES // 8)}, {"value": "passwd"})
    heard.forget_numbers()
    assert heard.holds("passwd") and not heard.holds("shadow")


@pytest.mark.parametrize("spell", [lambda letter: f"\\u{ord(letter):04x}",
                                   lambda letter: "\\/" if letter == "/" else letter])
def test_another_spelling_is_the_same_text(spell):
    """A hostile process writes its frames itself; JSON spells a letter in several ways."""
    text = "/etc/passwd"
    frame = _with_text(plain.pack({"value": "@"}), "".join(map(spell, text)))
    assert plain.unpack(frame) == {"value": text} and text.encode() not in frame
    heard = CandidateText()
    heard.remember(frame)
    assert heard.holds(text) and heard.holds("passwd", whole=True)


def _with_text(frame: bytes, text: str) -> bytes:
    """A frame that says "@", with that text in its place."""
    size = int.from_bytes(frame[:8], "little")
    tree = frame[8 + size:].replace(b"@", text.encode())
    head = json.dumps({name: {"dtype": "U8", "shape": [after - first],
                              "data_offsets": [first, after]}
                       for name, first, after in (("tree", 0, len(tree)),
                                                  ("data", len(tree), len(tree)))})
    head = head.ljust(-len(head) % 8 + len(head))
    return len(head).to_bytes(8, "little") + head.encode() + tree


def test_numbers_are_no_words_but_bytes_may_be():
    noise = np.random.default_rng(0).standard_normal(400_000)
    heard = said({"value": noise})
    short = [word for word in ("lib", "tmp", "usr", "opt", "srv") if word.encode() in
             noise.tobytes()]
    assert short, "any megabyte of numbers holds such words"
    assert not any(map(heard.holds, short))
    assert said({"value": np.frombuffer(b"/etc/passwd", np.uint8)}).holds("/etc/passwd")


def test_who_says_too_much_has_said_everything():
    heard = CandidateText()
    heard.remember(bytes(MOST_BYTES + 1))
    assert heard.holds("anything")


def test_what_is_no_message_says_nothing():
    heard = CandidateText()
    for frame in (b"", b"\x00" * 8, b"passwd", plain.pack({"a": 1})[:-3]):
        heard.remember(frame)
    assert not heard.holds("passwd")
