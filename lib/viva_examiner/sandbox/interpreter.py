"""The examiner's handle on a warm interpreter, and the start of each candidate."""

import contextlib
import os
import select
import socket
import tempfile
import time

from viva_examiner.limits import Limits
from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.forks import THREADS, pid_of
from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.preload import PRELOAD
from viva_examiner.sandbox.session import Session
from viva_examiner.sandbox.users import OwnUser
from viva_examiner.sandbox.wire import Gone, Late, Wire

START_SECONDS = 300
FORK_SECONDS = 60


class WarmInterpreter:
    """One warm interpreter; forks one candidate at a time. Use it in a `with`.

    preload: modules that every candidate finds imported
    hide: further packages or paths that no candidate may see (the course's folder)
    way: how candidates are kept apart; without isolation every session has `isolated == False`
    homeworks: whose part of the kit is loaded before a candidate starts; of all if empty
    """

    def __init__(self, preload=PRELOAD, limits: Limits | None = None, hide=(),
                 way: str = isolation.NAMESPACES, homeworks=()):
        self.limits = limits or Limits()
        self.isolated = way != isolation.NONE
        self.session: Session | None = None
        self.user = OwnUser() if way == isolation.OTHER_USER else None
        with tempfile.TemporaryDirectory(prefix="viva-stage-") as stage:
            uid = self.user.uid if self.user else isolation.NOBODY
            plan = isolation.plan(stage, preload, hide, way, homeworks, uid=uid)
            self.process, self.control = isolation.start(plan)
            try:
                message, _ = self._hear(START_SECONDS)
                if message["op"] != "ready":
                    raise EngineError(f"no warm interpreter: {message['why']}. {isolation.REMEDY}")
            except EngineError:
                self.close()
                raise

    def fork(self, student: str = "", files: dict | None = None,
             limits: Limits | None = None) -> Session:
        """A candidate in its own cage, with the submission's files in its working directory."""
        if self.session is not None and self.session.dead is None:
            raise EngineError("the candidate before is still open")
        limits = limits or self.limits
        mine, theirs = socket.socketpair()
        pipes = [os.pipe(), os.pipe()]
        request = {"op": "fork", "limits": limits.as_dict(), "environment": {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", **THREADS,
            "PYTHONHASHSEED": "0", "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "NBGRADER_EXECUTION": "autograde", "VIVA_STUDENT": str(student)}}
        wire = Wire(mine, {pipes[0][0]: "stdout", pipes[1][0]: "stderr"}, limits.message_mb << 20)
        try:
            frames.send_json(self.control, request,
                             [theirs.fileno(), pipes[0][1], pipes[1][1]])
        except OSError as error:
            raise EngineError(f"the warm interpreter has gone: {error}") from None
        finally:
            theirs.close()
            for _, end in pipes:
                os.close(end)
        message, fds = self._hear(FORK_SECONDS)
        if message["op"] != "forked" or not fds:
            raise EngineError(f"no candidate: {message.get('why', message)}")
        session = Session(self, wire, fds[0], pid_of(fds[0]), limits, self.isolated)
        self.session = session
        try:
            answer = wire.receive(time.monotonic() + FORK_SECONDS)
        except (Gone, Late):
            answer = b"it ended while its cage was built"
        if answer != b"ready":
            session.close()
            raise EngineError(f"no candidate: {answer.decode(errors='replace')}")
        session.start(dict(files or {}))
        return session

    def bury(self, session: Session) -> dict:
        """Wait until the warm interpreter has reaped a killed candidate; its last account."""
        message, _ = self._hear(FORK_SECONDS)
        os.close(session.pidfd)
        if message["op"] != "exited":
            raise EngineError(f"the warm interpreter lost a candidate: {message}")
        return message

    def _hear(self, seconds: float):
        ready, _, _ = select.select([self.control], [], [], seconds)
        if not ready:
            raise EngineError(f"the warm interpreter did not answer within {seconds:g} seconds")
        try:
            return frames.receive_json(self.control)
        except (EOFError, OSError):
            raise EngineError("the warm interpreter has gone") from None

    def close(self) -> None:
        """End the candidate, the warm interpreter and everything below them."""
        if self.session is not None and self.session.dead is None:
            with contextlib.suppress(EngineError):
                self.session.close()
        self.control.close()
        self.process.close()
        if self.user:
            self.user.close()
            self.user = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
