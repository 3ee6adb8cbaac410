"""A candidate's life: its process seen from outside, and its end in any case."""

import signal
import threading
from typing import NoReturn, Protocol, Self

from viva_examiner.limits import Limits
from viva_examiner.records import Kind, Remark
from viva_examiner.sandbox.clock import CandidateAndExaminer, Clock, Handle
from viva_examiner.sandbox.errors import CandidateDied
from viva_examiner.sandbox.wire import Wire

LEAVE_SECONDS = 1.0  # between a closed socket and the end of its process


class ProcessOwner(Protocol):
    """Whoever started a candidate, and reaps it."""

    def bury(self, session: "Life") -> dict:
        """Its last account, once it has ended."""


class Life:
    """One candidate process, from its fork to its burial. Close it, or use it in a `with`.

    warm: who forked it and buries it: a WarmInterpreter, or in a judge what stands for one
    process: a `process.Candidate`, or in a judge what stands for it
    """

    def __init__(self, warm: ProcessOwner, wire: Wire, process: Handle, limits: Limits,
                 isolated: bool) -> None:
        self.warm, self.wire, self.process, self.pid = warm, wire, process, process.pid
        self.limits, self.isolated = limits, isolated
        self.incidents: list[Remark] = []
        self.dead: str | None = None  # why, once the candidate has ended
        self.died_of = Kind.LEFT  # the same in one word
        self.waited = 0.0  # seconds for a processor, once it has ended
        self.usage: dict = {}
        self.undisturbed = threading.RLock()  # who holds it is not interrupted by a watchdog
        self.total = Clock(CandidateAndExaminer(self.process), limits.submission_seconds)

    def alive(self) -> None:
        if self.dead is not None:
            raise CandidateDied(self.dead, self.died_of)

    def waited_so_far(self) -> float:
        """Seconds in which the candidate was ready and others had the processor."""
        return max(0.0, self.process.waited()) if self.dead is None else self.waited

    def signal(self, number: int) -> None:
        self.process.signal(number)

    def die(self, reason: str, kind: Kind = Kind.MALFORMED) -> NoReturn:
        """Kill the candidate for a reason that the TA will read. Always raises CandidateDied."""
        self.end(reason, kind)
        raise CandidateDied(reason, kind)

    def end(self, reason: str, kind: Kind) -> None:
        """Kill the candidate for a reason that the TA will read."""
        self.incidents.append(Remark(kind, reason))
        self.died_of = kind
        self._end(reason)

    def _gone(self) -> NoReturn:
        """The candidate went by itself: say how."""
        left = self.process.has_left(LEAVE_SECONDS)
        self._end("")
        by_us = self.usage.get("reason")  # its memory may take more than a second to be given back
        how = (how_it_ended(self.usage, self.limits) if left or by_us
               else Remark(Kind.LEFT, "closed its connection"))
        self.dead, self.died_of = how.text, how.kind
        self.incidents.append(how)
        raise CandidateDied(how.text, how.kind)

    def _end(self, reason: str) -> None:
        with self.undisturbed:
            self._strike_now()
            if self.dead is None:
                self.waited = self.waited_so_far()
                self.dead = reason or "ended"
                self.signal(signal.SIGKILL)
                self.usage = self.warm.bury(self)
                self.process.close()
                self.wire.close()

    def _strike_now(self) -> None:
        """Python raises what a watchdog sent before the lock was ours at the start of a call: here,
        where nothing has been done, and not between a burial and the word that it is over."""

    def close(self) -> None:
        """End the candidate and everything it started; returns when nothing is left."""
        self._end("closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def how_it_ended(usage: dict, limits: Limits) -> Remark:
    """usage: the warm interpreter's last account of the process."""
    code, reason = usage.get("code"), usage.get("reason")
    if reason == "memory":
        return Remark(Kind.MEMORY, f"killed for using more than {limits.memory_mb} MB of memory")
    if reason == "processor":
        most = f"{limits.submission_seconds:g} s of processor time"
        return Remark(Kind.TOTAL_TIME, f"killed for using more than {most}")
    if code == -signal.SIGKILL:
        return Remark(Kind.MEMORY, "killed (out of memory)")
    if isinstance(code, int) and code < 0:
        return Remark(Kind.CRASHED, f"crashed with {_signal_name(-code)}")
    return Remark(Kind.LEFT, f"left with exit code {code}")


def _signal_name(number: int) -> str:
    known = [s.name for s in signal.Signals if s.value == number]
    return known[0] if known else f"signal {number}"
