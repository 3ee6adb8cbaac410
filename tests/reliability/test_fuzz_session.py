"""A fake candidate says anything at all: the examiner's side ends it or reads it, never trips."""

import os
import random
import socket
import struct

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from viva import plain
from viva_examiner.limits import Limits
from viva_examiner.sandbox.clock import Process
from viva_examiner.sandbox.errors import CandidateError
from viva_examiner.sandbox.session import Session
from viva_examiner.sandbox.wire import Wire

MANY = settings(  # bounded in time: what is found is not shrunk
    max_examples=5000 if os.environ.get("VIVA_SOAK") else 150, deadline=None,
    suppress_health_check=list(HealthCheck), phases=(Phase.explicit, Phase.generate))
HEADER = struct.Struct(">I")
QUICK = Limits(cell_seconds=5, question_seconds=5, submission_seconds=20, output_kb=4, message_mb=1)


class Stand:
    """In place of a note of the candidate: an object, a graph, a parameter."""

    def __init__(self, note):
        self.note = note


WORDS = st.sampled_from([
    "op", "id", "output", "callback", "gradient", "done", "error", "o", "stream", "display",
    "update", "result", "clear", "name", "stdout", "text", "data", "image/png", "text/html",
    "ename", "traceback", "value", "failed", "cpu", "fn", "args", "kwargs", "drop_calls", "call",
    "i", "type", "mro", "ValueError", "message", "after", "mutated", "k", "obj", "h", "kind",
    "instance", "class", "function", "leaf", "param", "graph", "module", "yours", "tuple", "fields",
    "f", "", "torch.nn.Module", "family", "t", "g", "\ud800", "iVBORw0KGgo=",
])
ARRAYS = st.sampled_from([np.arange(3.0), np.zeros((2, 0)), np.float32(1), np.array(["a", "b"]),
                          torch.ones(2), torch.zeros(()), torch.tensor([True, False])])
LEAVES = (st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | WORDS | ARRAYS
          | st.binary(max_size=4) | st.integers())
PLAIN = st.recursive(
    LEAVES,
    lambda inner: (st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4)
                   | st.tuples(inner, inner)),
    max_leaves=8,
)
NOTES = st.fixed_dictionaries(
    {"k": st.sampled_from(["obj", "graph", "param", "leaf", "module", "yours", "tuple", "?"])},
    optional={"h": PLAIN, "kind": st.sampled_from(["instance", "class", "function"]) | PLAIN,
              "name": PLAIN, "family": PLAIN, "callable": PLAIN, "cls": PLAIN, "call": PLAIN,
              "i": PLAIN, "t": PLAIN, "g": PLAIN, "leaf": PLAIN, "fields": PLAIN, "values": PLAIN},
)
ANY = PLAIN | NOTES.map(Stand)
OUTPUTS = st.fixed_dictionaries({}, optional={
    "o": st.sampled_from(["stream", "display", "update", "result", "error", "clear"]) | ANY,
    "name": st.just("stdout") | ANY, "text": ANY, "data": st.dictionaries(WORDS, ANY) | ANY,
    "display_id": ANY, "ename": ANY, "evalue": ANY, "traceback": ANY, "wait": ANY})
ERRORS = st.fixed_dictionaries({}, optional={
    "type": WORDS | ANY, "message": ANY, "trace": ANY, "cannot_cross": ANY,
    "mro": st.lists(st.sampled_from(["ValueError", "OSError", "SyntaxError", "KeyError"])) | ANY})
MESSAGES = st.fixed_dictionaries({}, optional={
    "op": st.sampled_from(["output", "callback", "gradient", "done", "error"]) | ANY,
    "id": st.just(1) | ANY, "output": OUTPUTS | ANY, "error": ERRORS | ANY, "value": ANY,
    "failed": ANY, "cpu": ANY, "fn": ANY, "args": ANY, "kwargs": ANY, "drop_calls": ANY,
    "call": ANY, "i": ANY, "gradient": ANY, "mutated": ANY, "after": ANY}) | ANY


def packed(message) -> bytes:
    return plain.pack(message, lambda value: value.note if isinstance(value, Stand) else None)


FRAMES = MESSAGES.map(packed) | st.binary(max_size=60)


class Grave:
    """In place of the warm interpreter, which would report how the candidate ended."""

    def bury(self, session) -> dict:
        return {"code": 0}


class Ended(Process):
    """In place of the candidate's process."""

    def signal(self, number: int) -> None:
        """Nobody is there."""

    def has_left(self, seconds: float) -> bool:
        return True


class Talk:
    """A session whose candidate sends these frames, whatever it is asked, and hangs up."""

    def __init__(self, frames: list[bytes]):
        ours, self.theirs = socket.socketpair()
        wire = Wire(ours, {}, QUICK.message_mb << 20)
        self.session = Session(Grave(), wire, Ended(os.getpid()), QUICK, True)
        self.theirs.sendall(b"".join(HEADER.pack(len(f)) + f for f in frames))
        self.theirs.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Session:
        return self.session  # its questions are few and short: they fit into the socket

    def __exit__(self, *_) -> None:
        self.session.close()
        self.theirs.close()


def is_ours(error: Exception) -> bool:
    """Of the candidate, or rebuilt from what it said it raised."""
    return isinstance(error, CandidateError) or hasattr(error, "trace")


@MANY
@given(st.lists(FRAMES, max_size=4))
def test_a_cell_ends_whatever_is_answered(frames):
    with Talk(frames) as session:
        result = session.run_cell("1")
    for output in result.outputs:
        assert output["output_type"] in ("stream", "display_data", "execute_result", "error")
        repr(output).encode()


@MANY
@given(st.lists(FRAMES, max_size=3))
def test_a_question_is_answered_or_fails_as_the_candidates(frames):
    with Talk(frames) as session:
        session.codec._index_of(lambda *args, **kwargs: args[0] if args else None)
        try:
            session.call_global("builtins", "len", [[1, 2]])
        except Exception as error:
            if not is_ours(error):
                raise


@MANY
@given(st.dictionaries(WORDS, ANY, max_size=3) | ANY)
def test_names_are_resolved_or_the_candidate_ends(value):
    with Talk([packed({"op": "done", "id": 1, "value": value})]) as session:
        try:
            found = session.resolve(["f", "t", "g"])
        except CandidateError:
            return
        assert set(found) <= {"f", "t", "g"}


VALID = [packed(message) for message in (
    {"op": "output", "output": {"o": "display", "data": {"text/html": "<b>x", "text/plain": "x"}}},
    {"op": "callback", "id": 3, "fn": 0, "args": [np.arange(3.0)], "kwargs": {}},
    {"op": "error", "id": 1, "error": {"type": "ValueError", "mro": ["ValueError"]}},
    {"op": "done", "id": 1, "cpu": 0.5, "value": Stand(
        {"k": "obj", "h": 1, "kind": "instance", "name": "A", "family": "torch.nn.Module"})},
)]


@pytest.mark.parametrize("seed", range(4))
def test_damaged_messages_end_the_candidate_or_are_read(seed):
    chance = random.Random(seed)
    for _ in range(20_000 if os.environ.get("VIVA_SOAK") else 4000):
        frames = []
        for frame in chance.sample(VALID, 2):
            damaged = bytearray(frame)
            for _ in range(chance.randrange(3)):
                at = chance.randrange(len(damaged))
                damaged[at : at + chance.randrange(3)] = chance.choice(
                    [b"", b"\x00", b"[", b"9", b'"', chance.randbytes(2)])
            frames.append(bytes(damaged))
        with Talk(frames) as session:
            session.run_cell("1")


@pytest.mark.parametrize("message", [
    {"op": np.arange(3)}, {"op": "done", "id": np.arange(3)}, {"op": "done", "id": torch.ones(2)},
    {"op": "output", "output": {"o": np.arange(3)}},
    {"op": "output", "output": {"o": "stream", "name": np.arange(3)}},
    {"op": "done", "id": 1, "value": Stand(
        {"k": "obj", "h": 1, "kind": "instance", "family": [1]})},
])
def test_messages_that_once_broke_the_examiner(message):
    with Talk([packed(message)]) as session:
        session.run_cell("1")
    with Talk([packed(message)]) as session:
        try:
            isinstance(session.call_global("builtins", "len", [[1]]), torch.nn.Module)
        except CandidateError:
            pass


@pytest.mark.parametrize("length", [2**20 + 1, 2**32 - 1])
def test_a_frame_that_announces_too_much_is_not_waited_for(length):
    with Talk([]) as session, pytest.raises(CandidateError, match="announced"):
        session.wire.buffer += HEADER.pack(length)
        session.call_global("builtins", "len", [[1]])
