"""Run staff's own work in forked processes: each task alone, with limits, several at once.

Not a sandbox: it keeps one wrong solution from disturbing the next, and ends those that hang.
"""

import itertools
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from viva.seam import is_staff_fault
from viva_examiner.sandbox.inside import linux


@dataclass(frozen=True)
class TaskLimits:
    """What one task may use; 0 means no limit."""

    seconds: float = 0  # by the clock
    cpu_seconds: int = 0
    memory_mb: int = 0  # of address space, beyond what the process has at the fork


@dataclass(frozen=True)
class TaskEnd:
    """How a task ended: with a value, or why without one."""

    value: Any = None  # as it came out of JSON
    why: str = ""
    fault: bool = False  # of the staff's own code: why is a whole sentence


NO_LIMITS = TaskLimits()
Task = TypeVar("Task")


def in_forks(work: Callable[[Task], Any], tasks: Iterable[Task], jobs: int = 1,
             limits: TaskLimits = NO_LIMITS) -> Iterator[tuple[Task, TaskEnd]]:
    """(task, Ended) of each `work(task)`, as they end; at most `jobs` at once.

    What work returns comes back as JSON: tuples as lists.
    """
    waiting = iter(tasks)
    running: dict[int, _Child] = {}
    try:
        while True:
            for task in itertools.islice(waiting, jobs - len(running)):
                child = _Child(work, task, limits)
                running[child.pipe] = child
            if not running:
                return
            soonest = min(child.deadline for child in running.values())
            patience = None if soonest == float("inf") else max(0.0, soonest - time.monotonic())
            ready = select.select(list(running), [], [], patience)[0]
            late = [p for p, child in running.items() if child.deadline <= time.monotonic()]
            for pipe in {*ready, *late}:
                child = running[pipe]
                if pipe in ready and child.read():
                    continue  # there is more to come
                del running[pipe]
                yield child.task, child.end()
    finally:
        for child in running.values():
            child.end()


class _Child:
    """One forked process at work on one task."""

    def __init__(self, work: Callable[[Any], Any], task: Any, limits: TaskLimits):
        self.task, self.limits, self.data = task, limits, b""
        self.deadline = time.monotonic() + (limits.seconds or float("inf"))
        self.pipe, inner = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _work_and_exit(work, task, limits, inner, self.parent)
        os.close(inner)

    def read(self) -> bool:
        """Take what has arrived; False at the end of it."""
        piece = os.read(self.pipe, 1 << 16)
        self.data += piece
        return bool(piece)

    def end(self) -> TaskEnd:
        """The result; a process still at work is ended."""
        late = self.deadline <= time.monotonic()
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.pipe)
        try:
            return TaskEnd(**json.loads(self.data))
        except ValueError:
            if late:
                return TaskEnd(why=f"took more than {self.limits.seconds:g} s")
            code = os.waitstatus_to_exitcode(status)
            if -code == signal.SIGXCPU:
                return TaskEnd(why=f"took more than {self.limits.cpu_seconds} s of CPU time")
            return TaskEnd(why=f"the process died (status {code})")


def _work_and_exit(work: Callable[[Any], Any], task: Any, limits: TaskLimits, pipe: int,
                   parent: int) -> NoReturn:
    """The child's whole life. Never returns: what the parent has open or pending is its own."""
    try:
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        _restrict(limits)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        warnings.simplefilter("ignore")  # a mistake may divide by zero: nobody reads that
        try:
            ended = json.dumps({"value": work(task)})
        except MemoryError:
            ended = json.dumps({"why": "ran out of memory"})
        except BaseException as error:
            if is_staff_fault(error):
                ended = json.dumps({"why": str(error), "fault": True})
            else:
                place = traceback.format_exc(limit=-2)
                ended = json.dumps({"why": f"raised {type(error).__name__}: {error}\n{place}"})
        data = memoryview(ended.encode())
        while data:
            data = data[os.write(pipe, data):]
        os._exit(0)
    finally:
        os._exit(1)


def _restrict(limits: TaskLimits) -> None:
    if limits.cpu_seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_seconds, limits.cpu_seconds + 5))
    if limits.memory_mb:
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        most = now + limits.memory_mb * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
