"""Time limits that do not punish a candidate for a busy machine.

A limit counts the seconds that the candidate's main thread was running, sleeping or blocked, not
those in which it was ready and waited for a processor. What it waited for its own threads and
children counts as well. Wall-clock time is bounded all the same.
"""

import abc
import contextlib
import os
import time
from pathlib import Path

WALL_FACTOR = 5  # wall-clock seconds per second of a limit, at most
TICKS = os.sysconf("SC_CLK_TCK")
LOOK_SECONDS = 0.25  # between two looks at the family: a question takes less time than a look
MAX_FAMILY = 1000  # processes that are looked at; a candidate may have a tenth of it


class Process:
    """How long a process has waited for a processor, read from outside."""

    def __init__(self, pid: int, proc: str = "/proc"):
        self.pid, self.proc = pid, Path(proc)
        self.looked, self.family_ran = 0.0, 0.0
        try:
            self.file = os.open(self.proc / f"{pid}/schedstat", os.O_RDONLY)
        except OSError:
            self.file = -1  # a kernel without scheduler statistics: wall-clock time counts

    def waited(self) -> float:
        """Seconds in which its main thread was ready to run but others ran.

        What its own threads and children ran is taken off. So the number may fall, below 0 too.
        """
        try:
            ran, waited = map(int, os.pread(self.file, 100, 0).split()[:2])
        except (OSError, ValueError):
            return 0.0
        if time.monotonic() - self.looked > LOOK_SECONDS:
            self.family_ran, self.looked = self.family_seconds(), time.monotonic()
        return (waited + ran) / 1e9 - self.family_ran

    def family_seconds(self) -> float:
        """Processor time of the process with all its threads and descendants."""
        total, waiting = 0.0, [self.pid]
        for _ in range(MAX_FAMILY):
            if not waiting:
                break
            folder = self.proc / str(waiting.pop())
            with contextlib.suppress(OSError, ValueError, IndexError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                total += sum(map(int, fields[11:15])) / TICKS  # its own, and of children that ended
                for thread in os.listdir(folder / "task"):
                    waiting += map(int, (folder / f"task/{thread}/children").read_text().split())
        return total

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.file)


class Handle(Process, abc.ABC):
    """A process that we, or somebody for us, may signal and limit."""

    @abc.abstractmethod
    def signal(self, number: int) -> None:
        """Send a signal, if it lives."""

    @abc.abstractmethod
    def has_left(self, seconds: float) -> bool:
        """Whether it ends within this time."""

    @abc.abstractmethod
    def tighten(self, mb: float) -> bool:
        """From now on so many MB beyond what it has, and no further process.

        False, and nothing done, where a process of its own could hold the memory instead.
        """

    @abc.abstractmethod
    def loosen(self) -> None:
        """The limits as they were before."""


def waited_here() -> float:
    """Seconds in which this thread of the examiner was ready to run but others ran."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class CandidateAndExaminer:
    """A candidate and the examiner that asks it: what either waited is no time of a submission."""

    def __init__(self, process: Process):
        self.process = process

    def waited(self) -> float:
        return self.process.waited() + waited_here()


class Clock:
    """A time limit that begins now."""

    def __init__(self, process: Process | CandidateAndExaminer, seconds: float):
        self.process, self.seconds = process, seconds
        self.began, self.waited = time.monotonic(), process.waited()

    def left(self) -> float:
        """Seconds that are certainly left, 0 when the time is up."""
        wall = time.monotonic() - self.began
        if wall < self.seconds:
            return self.seconds - wall  # how long it waited is asked when this is over
        if wall > WALL_FACTOR * self.seconds:
            return 0.0
        waited = max(0.0, self.process.waited() - self.waited)
        return max(0.0, self.seconds - wall + waited)


class Timer:
    """The time of one request, and whether the candidate knows that it is up."""

    def __init__(self, process: Process, seconds: float):
        self.clock, self.seconds, self.interrupted = Clock(process, seconds), seconds, False
