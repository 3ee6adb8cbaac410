"""Time limits that do not punish a candidate for a busy machine.

A limit counts the seconds that the candidate's main thread was running, sleeping or blocked, not
those in which it was ready and waited for a processor. Wall-clock time is bounded all the same.
"""

import contextlib
import os
import time

WALL_FACTOR = 5  # wall-clock seconds per second of a limit, at most


class Process:
    """How long a process has waited for a processor, read from outside."""

    def __init__(self, pid: int):
        try:
            self.file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)
        except OSError:
            self.file = -1  # a kernel without scheduler statistics: wall-clock time counts

    def waited(self) -> float:
        """Seconds spent ready to run but not running."""
        try:
            return int(os.pread(self.file, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.file)


class Clock:
    """A time limit that begins now."""

    def __init__(self, process: Process, seconds: float):
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
    """The time of one request, and whether the candidate was told that it is up."""

    def __init__(self, process: Process, seconds: float):
        self.clock, self.seconds, self.interrupted = Clock(process, seconds), seconds, False
