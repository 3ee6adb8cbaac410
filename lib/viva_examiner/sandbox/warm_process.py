"""A process that has everything imported and forks the tenants of a cage, one at a time.

Two kinds of tenant: the candidate, in which a student's code runs, and the judge, in which test
code runs. Both are kept apart in the same three ways, and watched in the same way.
"""

import contextlib
import os
import select
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from typing import Self

from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.forks import START_SECONDS, THREADS
from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.inside.protocol import Control
from viva_examiner.sandbox.users import OwnUser
from viva_examiner.sandbox.wire import ConnectionClosed, DeadlinePassed, Wire

FORK_SECONDS = 60
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", **THREADS,
               "PYTHONHASHSEED": "0", "NBGRADER_EXECUTION": "autograde"}


class WarmProcess:
    """Our handle on such a process. It starts at once; the first fork waits until it is ready.

    what: a word for its tenants in messages
    plan_for: (folder for its stage, user of its tenants) -> the plan of their cage
    """

    def __init__(self, what: str, way: str, plan_for: Callable[[str, int], dict]) -> None:
        self.what, self.isolated, self.is_ready = what, way != isolation.NONE, False
        self.user = OwnUser() if way == isolation.OTHER_USER else None
        self.stage = tempfile.TemporaryDirectory(prefix="viva-stage-")
        try:
            uid = self.user.uid if self.user else isolation.NOBODY
            self.process, self.control = isolation.start(plan_for(self.stage.name, uid))
        except BaseException:
            self.stage.cleanup()
            raise

    def wait_until_ready(self) -> None:
        """Raises EngineError with the remedy where there is no cage."""
        if self.is_ready:
            return
        try:
            message, _ = self._hear(START_SECONDS)
            if message["op"] != Control.READY:
                raise EngineError(f"no {self.what}: {message['why']}. {isolation.REMEDY}")
        except EngineError:
            self.close()
            raise
        self.is_ready = True
        self.stage.cleanup()

    def start_tenant(self, limits: dict, environment: dict[str, str],
                     most_bytes: int) -> tuple[Wire, int]:
        """(wire, pidfd) of a tenant that has its own cage and has said that it is ready."""
        self.wait_until_ready()
        mine, theirs = socket.socketpair()
        pipes = [os.pipe(), os.pipe()]
        request = {"op": Control.FORK, "limits": limits, "environment": ENVIRONMENT | environment}
        wire = Wire(mine, {pipes[0][0]: "stdout", pipes[1][0]: "stderr"}, most_bytes)
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
        if message["op"] != Control.FORKED or not fds:
            raise EngineError(f"no {self.what}: {message.get('why', message)}")
        try:
            answer = wire.receive(time.monotonic() + FORK_SECONDS)
        except (ConnectionClosed, DeadlinePassed):
            answer = b"it ended while its cage was built"
        if answer != b"ready":
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(fds[0], signal.SIGKILL)
            self.buried()
            os.close(fds[0])
            wire.close()
            raise EngineError(f"no {self.what}: {answer.decode(errors='replace')}")
        return wire, fds[0]

    def buried(self) -> dict:
        """Wait until a tenant that was killed, or is leaving, is reaped; its last account."""
        message, _ = self._hear(FORK_SECONDS)
        if message["op"] != Control.EXITED:
            raise EngineError(f"the warm interpreter lost a {self.what}: {message}")
        return message

    def _hear(self, seconds: float) -> tuple[dict, list[int]]:
        ready, _, _ = select.select([self.control], [], [], seconds)
        if not ready:
            raise EngineError(f"the warm interpreter did not answer within {seconds:g} seconds")
        try:
            return frames.receive_json(self.control)
        except (EOFError, OSError):
            raise EngineError("the warm interpreter has gone") from None

    def close(self) -> None:
        """End the tenant, the process itself and everything below them."""
        self.control.close()
        self.process.close()
        self.stage.cleanup()
        if self.user:
            self.user.close()
            self.user = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


