"""What a judge may ask its worker for: candidates for its one submission, and nothing else.

A judge has no right over any process. It gets the sockets of a candidate that was started for it,
and asks for a signal, a clock, a limit or the end. Whatever it asks for is checked: a judge works
on data that a student made.
"""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from viva_examiner.limits import Limits
from viva_examiner.sandbox.errors import EngineError, MalformedMessage
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.process import Candidate

MAX_FORKS = 8  # a submission has one candidate, three revivals and a second opinion
MAX_SECONDS = 1.0  # that one question may keep the worker
SIGNALS = (signal.SIGINT, signal.SIGKILL)


class Attendant:
    """Serves one judge. Close it: a candidate does not outlive its judge."""

    def __init__(self, warm: WarmInterpreter, student: str, limits: Limits):
        self.warm, self.student, self.limits = warm, student, limits
        self.process: Candidate | None = None
        self.forks = 0

    def answer(self, message: dict) -> tuple[dict, list[int]]:
        """(reply, files that go with it, which are the caller's to close). Raises Malformed."""
        serve: Callable | None = getattr(self, f"do_{message.get('op')}", None)
        if serve is None:
            raise MalformedMessage("asked for what no judge may ask for")
        found = serve(message)
        return found if isinstance(found, tuple) else ({"value": found}, [])

    def do_fork(self, message: dict) -> tuple[dict, list[int]]:
        self.forks += 1
        if self.process is not None or self.forks > MAX_FORKS:
            raise MalformedMessage("asked for too many candidates")
        seconds = min(_number(message, "seconds"), self.limits.submission_seconds)
        limits = replace(self.limits, submission_seconds=max(seconds, 1.0))
        try:
            wire, self.process = self.warm.start(self.student, limits)
        except EngineError as error:
            return {"failed": str(error)}, []
        files = [wire.sock.detach(), *wire.pipes]
        if self.process.file >= 0:
            files.append(os.dup(self.process.file))
        return {"pid": self.process.pid, "isolated": self.warm.isolated}, files

    def do_signal(self, message: dict) -> None:
        if (number := message.get("number")) not in SIGNALS:
            raise MalformedMessage("asked for a signal")
        self._living().signal(number)

    def do_left(self, message: dict) -> bool:
        return self._living().has_left(min(_number(message, "seconds"), MAX_SECONDS))

    def do_family(self, message: dict) -> float:
        return self._living().family_seconds()

    def do_tighten(self, message: dict) -> bool:
        return self._living().tighten(_number(message, "mb"))

    def do_loosen(self, message: dict) -> None:
        self._living().loosen()

    def do_bury(self, message: dict) -> dict:
        process, self.process = self._living(), None
        process.signal(signal.SIGKILL)
        try:
            return self.warm.buried()
        finally:
            process.close()

    def _living(self) -> Candidate:
        if self.process is None:
            raise MalformedMessage("asked about a candidate that is not there")
        return self.process

    def close(self) -> None:
        """End what the judge has left."""
        if self.process is not None:
            self.do_bury({})


def _number(message: dict, name: str) -> float:
    value: Any = message.get(name)
    if type(value) not in (int, float) or not 0 <= value < 1e9:
        raise MalformedMessage(f"asked with {name} that is no number")
    return float(value)
