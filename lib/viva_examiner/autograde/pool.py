"""Several workers at once. A worker that dies is replaced, and its submission tried once more.

What they do is their trade: to grade, or to ask about what was handed in (`voce`).
"""

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from viva_examiner.autograde.agenda import Agenda, Job, agenda_of
from viva_examiner.examination.orders import settled
from viva_examiner.failure import Failure
from viva_examiner.harmless import one_line
from viva_examiner.records import Graded, Order
from viva_examiner.sandbox import forks
from viva_examiner.sandbox.clock import WALL_FACTOR
from viva_examiner.sandbox.inside.protocol import Control

TRIES = 2
STUCK_FACTOR = WALL_FACTOR + 1  # times the submission's limit: nothing that works takes as long
SILENCE_SECONDS = 5.0  # between two looks at workers that say nothing


class WorkerFailed(Failure):
    """A worker could not even start; nothing was graded."""


@dataclass(frozen=True)
class WorkerRole:
    """What a worker does: the module whose `main` it runs, and what reads its results."""

    module: str
    read: Callable[[bytes], Any]


GRADER = WorkerRole("viva_examiner.autograde.worker", Graded.from_bytes)


class Worker:
    """The coordinator's handle of one worker process.

    cores: where the worker and its candidate run. They take turns, so one core is enough for both,
        and to wake each other costs less there than from one core to the next.
    """

    def __init__(self, order: Order, cores: set[int], role: WorkerRole = GRADER):
        ours, theirs = socket.socketpair()
        heard, errors = os.pipe()
        self.errors = open(heard, "rb")
        with theirs, open(errors, "wb"):
            self.process = forks.current(order.preload).fork(
                Control.WORKER, [theirs.fileno(), errors])
        self.channel, self.cores, self.role = Connection(ours.detach()), cores, role
        place = {"environment": dict(os.environ | forks.THREADS),  # N workers, N cores, no fights
                 "path": sys.path, "directory": os.getcwd(), "cores": sorted(cores),
                 "worker": role.module}
        self.channel.send_bytes(json.dumps(place).encode())
        self.channel.send_bytes(order.to_bytes())
        self.stuck_after = STUCK_FACTOR * order.limits.submission_seconds + 60
        self.ready = False
        self.job: Job | None = None
        self.since = time.monotonic()

    def give(self, job: Job) -> None:
        job.tries += 1
        self.job, self.since = job, time.monotonic()
        self.channel.send_bytes(job.work())

    def hear(self) -> Any:
        """The result that lies in the channel; None for the word that it is ready."""
        message = self.channel.recv_bytes()
        if not self.ready:
            self.ready = True
            return None
        self.job = None
        return self.role.read(message)

    def is_stuck(self) -> bool:
        """Whether it has had a submission for so long that something hangs in the worker itself."""
        return self.job is not None and time.monotonic() - self.since > self.stuck_after

    def last_words(self) -> str:
        self.process.kill()
        words = self.errors.read().decode(errors="replace").strip()
        return one_line(words.splitlines()[-1]) if words else "without a word"

    def close(self) -> None:
        """Hang up; the worker ends by itself, and is killed if it does not."""
        self.channel.close()
        self.process.wait(5)
        self.process.close()
        self.errors.close()


def run(jobs: Iterable[Job], order: Order, count: int,
        started: Callable[[Job], object] = lambda job: None,
        role: WorkerRole = GRADER) -> Iterator[Any]:
    """Do all jobs on `count` workers; results come as they are done. Raises CannotIsolate.

    jobs: or an `Agenda`, to which whoever gets the results may add
    started: called with each job when a worker takes it
    trade: what is done with them; results are `Graded`, or what another trade reads
    """
    waiting = agenda_of(jobs)
    if not waiting:
        return
    order = settled(order)
    workers = [Worker(order, cores, role) for cores in _places(min(count, len(waiting)))]
    try:
        while waiting or any(worker.job for worker in workers):
            ready = wait([worker.channel for worker in workers], SILENCE_SECONDS)
            for worker in workers:
                if worker.job and worker.is_stuck():
                    worker.job.tries = TRIES  # a second time would take as long
                    worker.process.kill()  # its channel closes, and it is buried like any other
            for worker in [w for w in workers if w.channel in ready]:
                try:
                    result = worker.hear()
                except (EOFError, OSError):
                    workers.remove(worker)
                    yield from _buried(worker, waiting)
                    if waiting:
                        workers.append(Worker(order, worker.cores, role))
                    continue
                if result is not None:
                    yield result
            for worker in workers:
                if waiting and worker.ready and worker.job is None:
                    job = waiting.take()
                    started(job)
                    worker.give(job)
    finally:
        for worker in workers:
            worker.close()


def _places(count: int) -> list[set[int]]:
    """The cores of each worker: one of its own if there are enough workers for all cores."""
    cores = sorted(os.sched_getaffinity(0))
    if count < len(cores):
        return [set(cores)] * count
    return [{cores[number % len(cores)]} for number in range(count)]


def _buried(worker: Worker, waiting: Agenda) -> Iterator[Any]:
    """A worker died: its job goes back, or is reported as not graded after enough tries."""
    words = worker.last_words()
    worker.close()
    job = worker.job
    if job is None:
        if not worker.ready:
            raise WorkerFailed(words)
        return
    if job.tries < TRIES:
        waiting.again(job)
        return
    remark = f"not graded, engine error: the worker died {job.tries} times ({words})"
    if worker.is_stuck():
        remark = f"not graded: a test did not end within {worker.stuck_after:g} s with its answers"
    yield job.not_graded(remark)
