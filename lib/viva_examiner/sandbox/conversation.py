"""The conversation with a candidate: one request, and whatever comes until its reply.

Whatever arrives is hostile: it is read with limits, checked, and rebuilt as plain data or as
proxies of our own making. A message that makes no sense ends the candidate.
"""

import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from viva import plain
from viva_examiner.records import Kind
from viva_examiner.sandbox.bridge.codec import Codec
from viva_examiner.sandbox.bridge.exceptions import rebuild
from viva_examiner.sandbox.candidate_text import CandidateText
from viva_examiner.sandbox.clock import Clock, Timer
from viva_examiner.sandbox.errors import (
    CandidateError,
    CandidateTimeout,
    CannotCross,
    EngineError,
    MalformedMessage,
)
from viva_examiner.sandbox.inside.protocol import OF_A_TEST, Op, Shown
from viva_examiner.sandbox.life import Life
from viva_examiner.sandbox.outputs import Collector, clean
from viva_examiner.sandbox.wall import WALL
from viva_examiner.sandbox.wire import ConnectionClosed, DeadlinePassed

GRACE_SECONDS = 2.0
MAX_NESTING = 20
MAX_QUESTION = 1 << 29  # bytes; what a test sends is trusted, and bounded only by memory


class Conversation(Life):
    """Requests to a living candidate, its callbacks, and what it prints meanwhile."""

    codec: Codec

    def __init__(self, *life: Any) -> None:
        super().__init__(*life)
        self.asked, self.nesting = 0, 0
        self.lock = threading.RLock()
        self.said = CandidateText()  # by the candidate, since the test began
        # what else a question carries: names that a test has bound
        self.test_updates: Callable[[], dict] = dict
        self.collector: Collector | None = None  # of the cell that is running
        self.printed = 0
        self.routines: tuple[str, ...] = ()  # of libraries, to be noticed when they run
        self.used = ""  # the one that did
        self.spoken: list[str] = []  # what the student's code printed while a test asked

    def request(self, message: dict, seconds: float) -> dict:
        """Send a request and serve the candidate until its reply. Raises CandidateError kinds.

        Threads of a test wait for each other: a candidate answers one question at a time.
        """
        with self.lock:
            return self._request(message, seconds)

    def _request(self, message: dict, seconds: float) -> dict:
        self.alive()
        if self.nesting >= MAX_NESTING:
            self.die("nested calls too deeply")
        self.asked += 1
        number = self.asked
        inputs: list = []
        updates = {**self.codec.updates(), **self.test_updates()}
        payload = self.codec.pack({**message, "id": number, **updates}, inputs)
        if len(payload) > MAX_QUESTION:
            raise CannotCross(f"a question of {len(payload) >> 20} MB cannot cross")
        timer = Timer(self.process, seconds)
        self.wire.on_text = self._raw_text
        self.nesting += 1
        try:
            with WALL.standing(False):
                return self._converse(number, payload, inputs, timer)
        except ConnectionClosed:
            self._gone()
        except MalformedMessage as error:
            self.die(f"sent a malformed frame ({error})")
        finally:
            self.nesting -= 1

    def demand(self, message: dict, seconds: float) -> dict:
        """A request that runs no code of a test: whatever error is claimed is the candidate's."""
        try:
            return self.request(message, seconds)
        except Exception as error:
            if isinstance(error, CandidateError) or not hasattr(error, "trace"):
                raise
            raise CandidateError(f"{type(error).__name__}: {error}") from None

    def _converse(self, number: int, question: bytes, inputs: list, timer: Timer) -> dict:
        payload: bytes | None = question
        while True:
            deadline = time.monotonic() + min(timer.clock.left(), self.total.left())
            try:
                if payload is not None:
                    self.wire.send(payload, deadline)
                    payload = None
                frame = self.wire.receive(deadline)
            except DeadlinePassed:
                self._late(timer, sent=payload is None)
                continue
            self.said.remember(frame)
            message, call = self.codec.unpack(frame, inputs)
            kind, reply_to = message.get("op"), message.get("id")
            if type(kind) is not str:  # an array would not compare as true or false
                raise MalformedMessage("a message of no kind")
            if kind == Op.OUTPUT:
                self._output(message.get("output"))
            elif kind in (Op.CALLBACK, Op.GRADIENT):
                payload = self._answer(kind, message, call)
            elif kind in (Op.DONE, Op.ERROR) and type(reply_to) is int and reply_to == number:
                if timer.interrupted:
                    raise CandidateTimeout(f"took longer than {timer.seconds:.3g} seconds")
                if kind == Op.ERROR:
                    raise self._exception(message.get("error"))
                return message
            else:
                raise MalformedMessage("a reply to nothing that was asked")

    def _late(self, timer: Timer, sent: bool) -> None:
        if self.total.left() <= 0:
            self.die("used up the time of the whole submission", Kind.TOTAL_TIME)
        if timer.clock.left() > 0:
            return  # it had to wait for a processor meanwhile
        if timer.interrupted or not sent:
            self.die(f"ran longer than {timer.seconds:.3g} seconds and ignored the interrupt",
                     Kind.TIME)
        timer.interrupted = True
        timer.clock = Clock(self.process, GRACE_SECONDS)
        self.signal(signal.SIGINT)

    def _answer(self, kind: str, message: dict, call: Callable[[], Any]) -> bytes:
        """Serve a callback or a gradient; what the function raises is kept, not shown."""
        number = message.get("id")
        if type(number) is not int:
            raise MalformedMessage("a callback without a number")
        try:
            with WALL.standing(True):
                value = self.codec.serve(kind, message, call)
            return self.codec.pack({"op": Op.ANSWER, "id": number, "value": value}, [], call)
        except (MalformedMessage, EngineError):
            raise
        except Exception as error:
            self.codec.raised = error
            return plain.pack({"op": Op.ANSWER, "id": number, "raised": type(error).__name__})

    def _exception(self, note: object) -> Exception:
        error = rebuild(note)
        if self.codec.raised is not None and str(error) == OF_A_TEST:
            error, self.codec.raised = self.codec.raised, None
        return error

    def _output(self, output: object) -> None:
        if self.collector is not None and self.nesting == 1:
            self.collector.add(output)
        elif isinstance(output, dict) and type(kind := output.get("o")) is str and (
                kind == Shown.STREAM):
            self._print(clean(output.get("text")))

    def _raw_text(self, name: str, data: bytes) -> None:
        if self.collector is not None:
            self.collector.raw(name, data)
        else:
            self._print(data.decode("utf-8", "replace"))

    def _print(self, text: str) -> None:
        room = self.limits.output_kb * 1024 - self.printed
        self.printed += len(text)
        if room > 0:
            self.spoken.append(text[:room])
            sys.stdout.write(text[:room])  # a test may capture it and judge it
