"""Several workers at once. A worker that dies is replaced, and its submission tried once more."""

import json
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, wait

from viva_examiner.grading import NOT_GRADED, Graded, Keys
from viva_examiner.rooms import Submission

TRIES = 2
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


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

    def contents(self) -> tuple[bytes, dict[str, bytes]]:
        """The notebook, empty if it was not handed in, and the files beside it."""
        return self.submission.notebook(self.notebook) or b"", self.submission.files()


class WorkerFailed(Exception):
    """A worker could not even start; nothing was graded."""


class Worker:
    """The coordinator's handle of one worker process."""

    def __init__(self, order: dict):
        ours, theirs = socket.socketpair()
        environment = os.environ | dict.fromkeys(THREADS, "1")  # N workers, N cores, no fights
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "viva_examiner.worker", str(theirs.fileno())],
                pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE, start_new_session=True,
            )
        self.channel = Connection(ours.detach())
        self.channel.send_bytes(json.dumps(order).encode())
        self.ready = False
        self.job: Job | None = None

    def give(self, job: Job) -> None:
        job.tries += 1
        self.job = job
        data, files = job.contents()
        head = json.dumps(job.head() | {"files": list(files)})
        for message in (head.encode(), data, *files.values()):
            self.channel.send_bytes(message)

    def hear(self) -> Graded | None:
        """The result that lies in the channel; None for the word that it is ready."""
        message = self.channel.recv_bytes()
        if not self.ready:
            self.ready = True
            return None
        self.job = None
        return Graded.from_json(message.decode())

    def last_words(self) -> str:
        self.process.kill()
        words = self.process.stderr.read().decode(errors="replace").strip()
        return words.splitlines()[-1] if words else f"exit status {self.process.wait()}"

    def close(self) -> None:
        """Hang up; the worker ends by itself, and is killed if it does not."""
        self.channel.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()


def run(jobs: list[Job], order: dict, count: int, started=lambda job: None) -> Iterator[Graded]:
    """Grade all jobs on `count` workers; results come as they are done.

    order: what every worker needs to know: trusted notebooks, limits, secret, library
    started: called with each job when a worker takes it
    """
    waiting = deque(jobs)
    workers = [Worker(order) for _ in range(min(count, len(jobs)))]
    try:
        while waiting or any(worker.job for worker in workers):
            ready = wait([worker.channel for worker in workers])
            for worker in [w for w in workers if w.channel in ready]:
                try:
                    graded = worker.hear()
                except (EOFError, OSError):
                    workers.remove(worker)
                    yield from _buried(worker, waiting)
                    if waiting:
                        workers.append(Worker(order))
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
    yield Graded(job.student, job.homework, job.notebook, NOT_GRADED, remarks=[remark])
