"""The examiner's line to a fork server: a process with all imported, forked on request."""

import atexit
import contextlib
import functools
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.inside.protocol import Control
from viva_examiner.sandbox.preload import PRELOAD

THREADS = {name: "1" for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
START_SECONDS = 300


class Forked:
    """A process that the fork server forked for us: like a subprocess, but not our own child."""

    def __init__(self, pidfd: int) -> None:
        self.pidfd, self.pid = pidfd, pid_of(pidfd)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for its end; False if it has not come within this time."""
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        return bool(poll.poll(None if seconds is None else seconds * 1000))

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def close(self) -> None:
        """Kill it, and forget it when it has gone."""
        if self.pidfd >= 0:
            self.kill()
            self.wait()
            os.close(self.pidfd)
            self.pidfd = -1


class ForkClient:
    """A line to a fork server; `fork` is safe to call from several threads."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.lock = line, threading.Lock()

    def fork(self, kind: str, fds: list[int]) -> Forked:
        """A new process: a "warm" interpreter or a "worker", with these files.

        Waits until a fork server that has just been started has imported what it needs.
        """
        with self.lock:
            with contextlib.suppress(OSError):  # if it has gone, its last words may say why
                frames.send_json(self.line, {"op": kind}, fds)
            message, received = _hear(self.line, START_SECONDS)
        if message["op"] != Control.BORN:
            raise EngineError(f"no new process: {message.get('why', message)}")
        return Forked(received[0])


@functools.cache
def of_process(preload: tuple[str, ...], process: int) -> ForkClient:
    """The fork server of a process, ended with it. Imports while its owner does something else."""
    mine, theirs = socket.socketpair()
    library = str(Path(__file__).parents[2])
    command = (f"import sys; sys.path.insert(0, {library!r}); "
               "from viva_examiner.sandbox.inside import fork_server; "
               f"fork_server.main({theirs.fileno()})")
    # -s -P and an environment of our own: like -I, but with a fixed hash seed
    server = subprocess.Popen(
        [sys.executable, "-s", "-P", "-c", command],
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
             "PYTHONDONTWRITEBYTECODE": "1", "HOME": os.path.expanduser("~"), **THREADS},
        pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=None if os.environ.get("VIVA_DEBUG") else subprocess.DEVNULL,
        cwd="/", start_new_session=True,  # Ctrl-C is for the coordinator
    )
    theirs.close()
    frames.send_json(mine, {"preload": list(preload)})
    atexit.register(_end, mine, server, process)
    return ForkClient(mine)


INHERITED: list[ForkClient] = []  # in a worker: the line to the fork server it was born in


def current(preload: tuple[str, ...] = PRELOAD) -> ForkClient:
    """The fork server that forks for this process; the first call starts it, and does not wait."""
    if INHERITED and preload:  # its worker and its candidates have the same loaded
        return INHERITED[0]
    return of_process(tuple(preload), os.getpid())


def _end(line: socket.socket, server: subprocess.Popen, process: int) -> None:
    if os.getpid() == process:
        line.close()
        server.kill()
        server.wait()


def _hear(line: socket.socket, seconds: float) -> tuple[dict, list[int]]:
    ready, _, _ = select.select([line], [], [], seconds)
    if not ready:
        raise EngineError(f"the fork server did not answer within {seconds:g} seconds")
    try:
        return frames.receive_json(line)
    except (EOFError, OSError):
        raise EngineError("the fork server has gone") from None


def pid_of(pidfd: int) -> int:
    """The process behind a pidfd, numbered as this process sees it."""
    with open(f"/proc/self/fdinfo/{pidfd}") as info:
        return int(next(row.split()[1] for row in info if row.startswith("Pid:")))
