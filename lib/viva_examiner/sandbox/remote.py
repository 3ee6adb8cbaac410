"""A judge's side of its worker, who starts, signals, limits and buries candidates for it."""

import socket
from collections.abc import Mapping
from typing import Any

from viva_examiner.limits import Limits
from viva_examiner.sandbox.clock import Handle
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.inside.protocol import Control
from viva_examiner.sandbox.session import Session
from viva_examiner.sandbox.wire import Wire


class WorkerLine:
    """The line to the worker: a question, and its answer with the files that go with it."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def ask(self, op: str, **about: object) -> tuple[dict, list[int]]:
        frames.send_json(self.sock, {"op": op, **about})
        return frames.receive_json(self.sock)

    def value(self, op: str, **about: object) -> Any:
        return self.ask(op, **about)[0]["value"]


class RemoteProcess(Handle):
    """A candidate's process, which only the worker may touch."""

    def __init__(self, line: WorkerLine, pid: int, file: int) -> None:
        self.line, self.pid, self.file = line, pid, file  # its scheduler statistics, open
        self.looked, self.family_ran = 0.0, 0.0

    def family_seconds(self) -> float:
        return self.line.value(Control.FAMILY)

    def signal(self, number: int) -> None:
        self.line.value(Control.SIGNAL, number=int(number))

    def has_left(self, seconds: float) -> bool:
        return self.line.value(Control.LEFT, seconds=seconds)

    def tighten(self, mb: float) -> bool:
        return self.line.value(Control.TIGHTEN, mb=mb)

    def loosen(self) -> None:
        self.line.value(Control.LOOSEN)


class RemoteInterpreter:
    """What stands for the warm interpreter in a judge."""

    def __init__(self, line: WorkerLine) -> None:
        self.line = line

    def fork(self, student: str, files: Mapping[str, bytes], limits: Limits) -> Session:
        """A candidate of this submission, with its files. Raises EngineError.

        student: known to the worker, which names it to the candidate
        """
        about, fds = self.line.ask(Control.FORK, seconds=limits.submission_seconds)
        if "failed" in about:
            raise EngineError(about["failed"])
        conversation, output, errors, *rest = fds
        wire = Wire(socket.socket(fileno=conversation), {output: "stdout", errors: "stderr"},
                    limits.message_mb << 20)
        process = RemoteProcess(self.line, about["pid"], rest[0] if rest else -1)
        session = Session(self, wire, process, limits, about["isolated"])
        session.start(dict(files))
        return session

    def bury(self, session: Session) -> dict:
        return self.line.value(Control.BURY)
