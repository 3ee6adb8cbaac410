"""Several workers at once. A worker that dies is replaced, and its submission tried once more."""

import json
import os
import socket
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, wait

from viva_examiner.gradebook.submissions import Submission
from viva_examiner.harmless import one_line
from viva_examiner.records import NOT_GRADED, Graded, Keys, Work
from viva_examiner.sandbox import forks
from viva_examiner.sandbox.clock import WALL_FACTOR

TRIES = 2
STUCK_FACTOR = WALL_FACTOR + 1  # times the submission's limit: nothing that works takes as long
LOOK_SECONDS = 5.0  # between two looks at workers that say nothing


@dataclass
class Job:
    """One notebook to grade. Its bytes are read when a worker takes it, not before."""

    submission: Submission
    notebook: str
    keys: Keys
    tries: int = 0

    @property
    def student(self) -> str:
        return self.submission.student

    @property
    def homework(self) -> str:
        return self.submission.homework

    def head(self) -> dict:
        """All but the bytes, as JSON for a worker."""
        return {"student": self.student, "notebook": self.notebook, "keys": asdict(self.keys)}

    def work(self) -> Work:
        """What was handed in for it."""
        return self.submission.work(self.notebook)


class WorkerFailed(Exception):
    """A worker could not even start; nothing was graded."""


class Worker:
    """The coordinator's handle of one worker process.

    cores: where the worker and its candidate run. They take turns, so one core is enough for both,
        and to wake each other costs less there than from one core to the next.
    """

    def __init__(self, order: dict, cores: set[int]):
        ours, theirs = socket.socketpair()
        heard, errors = os.pipe()
        self.errors = open(heard, "rb")
        with theirs, open(errors, "wb"):
            self.process = forks.current(tuple(order["preload"])).fork(
                "worker", [theirs.fileno(), errors])
        self.channel, self.cores = Connection(ours.detach()), cores
        place = {"environment": dict(os.environ | forks.THREADS),  # N workers, N cores, no fights
                 "path": sys.path, "directory": os.getcwd(), "cores": sorted(cores),
                 "worker": "viva_examiner.autograde.worker"}
        for message in (place, order):
            self.channel.send_bytes(json.dumps(message).encode())
        self.stuck_after = STUCK_FACTOR * order["limits"]["submission_seconds"] + 60
        self.ready = False
        self.job: Job | None = None
        self.since = time.monotonic()

    def give(self, job: Job) -> None:
        job.tries += 1
        self.job, self.since = job, time.monotonic()
        work = job.work()
        head = json.dumps(job.head() | {"files": list(work.files), "remarks": work.remarks})
        for message in (head.encode(), work.notebook, work.log, *work.files.values()):
            self.channel.send_bytes(message)

    def hear(self) -> Graded | None:
        """The result that lies in the channel; None for the word that it is ready."""
        message = self.channel.recv_bytes()
        if not self.ready:
            self.ready = True
            return None
        self.job = None
        return Graded.from_json(message.decode())

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


def run(jobs: list[Job], order: dict, count: int, started=lambda job: None) -> Iterator[Graded]:
    """Grade all jobs on `count` workers; results come as they are done.

    order: what every worker needs to know: released notebooks, limits, secret, library
    started: called with each job when a worker takes it
    """
    waiting = deque(jobs)
    workers = [Worker(order, cores) for cores in _places(min(count, len(jobs)))]
    try:
        while waiting or any(worker.job for worker in workers):
            ready = wait([worker.channel for worker in workers], LOOK_SECONDS)
            for worker in workers:
                if worker.is_stuck():
                    worker.job.tries = TRIES  # a second time would take as long
                    worker.process.kill()  # its channel closes, and it is buried like any other
            for worker in [w for w in workers if w.channel in ready]:
                try:
                    graded = worker.hear()
                except (EOFError, OSError):
                    workers.remove(worker)
                    yield from _buried(worker, waiting)
                    if waiting:
                        workers.append(Worker(order, worker.cores))
                    continue
                if graded is not None:
                    yield graded
                if waiting:
                    job = waiting.popleft()
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


def _buried(worker: Worker, waiting: deque) -> Iterator[Graded]:
    """A worker died: its job goes back, or is reported as not graded after enough tries."""
    words = worker.last_words()
    worker.close()
    job = worker.job
    if job is None:
        if not worker.ready:
            raise WorkerFailed(words)
        return
    if job.tries < TRIES:
        waiting.append(job)
        return
    remark = f"not graded, engine error: the worker died {job.tries} times ({words})"
    if worker.is_stuck():
        remark = f"not graded: a test did not end within {worker.stuck_after:g} s with its answers"
    yield Graded(job.student, job.homework, job.notebook, NOT_GRADED, remarks=[remark])
