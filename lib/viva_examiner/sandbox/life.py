"""A candidate's life: its process seen from outside, and its end in any case."""

import contextlib
import select
import signal
import threading

from viva_examiner.limits import Limits
from viva_examiner.sandbox.clock import Both, Clock, Process
from viva_examiner.sandbox.errors import CandidateDied
from viva_examiner.sandbox.wire import Wire

LEAVE_SECONDS = 1.0  # between a closed socket and the end of its process


class Life:
    """One candidate process, from its fork to its burial. Close it, or use it in a `with`."""

    def __init__(self, warm, wire: Wire, pidfd: int, pid: int, limits: Limits, isolated: bool):
        self.warm, self.wire, self.pidfd, self.pid = warm, wire, pidfd, pid
        self.limits, self.isolated = limits, isolated
        self.incidents: list[str] = []
        self.dead: str | None = None  # why, once the candidate has ended
        self.waited = 0.0  # seconds for a processor, once it has ended
        self.usage: dict = {}
        self.undisturbed = threading.RLock()  # who holds it is not interrupted by a watchdog
        self.process = Process(pid)
        self.total = Clock(Both(self.process), limits.submission_seconds)

    def alive(self) -> None:
        if self.dead is not None:
            raise CandidateDied(self.dead)

    def waited_so_far(self) -> float:
        """Seconds in which the candidate was ready and others had the processor."""
        return max(0.0, self.process.waited()) if self.dead is None else self.waited

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)

    def die(self, reason: str):
        """Kill the candidate for a reason that the TA will read. Always raises CandidateDied."""
        self.end(reason)
        raise CandidateDied(reason)

    def end(self, reason: str) -> None:
        """Kill the candidate for a reason that the TA will read."""
        self.incidents.append(reason)
        self._end(reason)

    def _gone(self):
        """The candidate went by itself: say how."""
        leaving = select.poll()
        leaving.register(self.pidfd, select.POLLIN)
        left = leaving.poll(LEAVE_SECONDS * 1000)
        self._end("")
        by_us = self.usage.get("reason")  # its memory may take more than a second to be given back
        self.dead = (how_it_ended(self.usage, self.limits) if left or by_us
                     else "closed its connection")
        self.incidents.append(self.dead)
        raise CandidateDied(self.dead)

    def _end(self, reason: str) -> None:
        with self.undisturbed:
            self._strike_now()
            if self.dead is None:
                self.waited = self.waited_so_far()
                self.dead = reason or "ended"
                self.signal(signal.SIGKILL)
                self.process.close()
                self.usage = self.warm.bury(self)
                self.wire.close()

    def _strike_now(self) -> None:
        """Python raises what a watchdog sent before the lock was ours at the start of a call: here,
        where nothing has been done, and not between a burial and the word that it is over."""

    def close(self) -> None:
        """End the candidate and everything it started; returns when nothing is left."""
        self._end("closed")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def how_it_ended(usage: dict, limits: Limits) -> str:
    """usage: the warm interpreter's last account of the process."""
    code, reason = usage.get("code"), usage.get("reason")
    if reason == "memory":
        return f"killed for using more than {limits.memory_mb} MB of memory"
    if reason == "processor":
        return f"killed for using more than {limits.submission_seconds:g} s of processor time"
    if code == -signal.SIGKILL:
        return "killed (out of memory)"
    if isinstance(code, int) and code < 0:
        return f"crashed with {_signal_name(-code)}"
    return f"left with exit code {code}"


def _signal_name(number: int) -> str:
    known = [s.name for s in signal.Signals if s.value == number]
    return known[0] if known else f"signal {number}"
