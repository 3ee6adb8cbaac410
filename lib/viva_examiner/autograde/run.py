"""Examine every submission of a homework: in parallel, incrementally, with one writer."""

import fcntl
import json
import os
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from viva_examiner.autograde import pool
from viva_examiner.autograde.keys import submission_keys
from viva_examiner.files import digest
from viva_examiner.gradebook import autograded, submissions
from viva_examiner.gradebook.book import Book
from viva_examiner.gradebook.released import load
from viva_examiner.records import NOT_GRADED, Graded, Keys
from viva_examiner.sandbox.isolation import NAMESPACES, NONE

BATCH_SECONDS = 2.0  # the gradebook is written at least this often


@dataclass
class Summary:
    """What came of a run."""

    results: list[Graded] = field(default_factory=list)
    skipped: int = 0
    seconds: float = 0.0

    @property
    def not_graded(self) -> list[Graded]:
        return [graded for graded in self.results if graded.status == NOT_GRADED]


def order_of(course, released, marks_only: bool = False) -> dict:
    """What a worker must know to grade this homework."""
    return {
        "released": [each.to_json() for each in released],
        "limits": course.limits.as_dict(),
        "secret": course.secret,
        "library": course.settings.course,
        "isolation": NONE if course.settings.trusted_machine else NAMESPACES,
        "hide": [str(course.root)],
        "marks_only": marks_only,
    }


def autograde(course, homework: str, jobs: int = 0, student: str = "*", force: bool = False,
              tell: Callable = lambda event, **facts: None, run=pool.run,
              marks_only: bool = False) -> Summary:
    """Grade what has changed; write autograded/ and the gradebook.

    marks_only: leave out the cells that no mark depends on, and show them as they were handed in
    tell: called with ("start", total=…, skipped=…), ("grading", job=…), ("done", graded=…)
    run: how jobs become results: a pool of processes here, or a cluster's scheduler
    """
    began = time.monotonic()
    released = load(course, homework)
    with _alone(course, homework, tell) as state, Book(course, homework) as book:
        autograded.tidy(course, homework)
        order = order_of(course, released, marks_only)
        for stray in submissions.strays(course, homework):
            tell("stray", what=stray)
        found = {s.student: s for s in submissions.submissions(course, homework, student)}
        todo, kept = _sort_out(course, released, order, found, force)
        _restore(book, kept, found)
        summary = Summary(skipped=len(kept))
        tell("start", total=len(todo), skipped=len(kept))
        count = jobs or course.settings.jobs or os.cpu_count()
        parts = _Parts(course, found, {name: len(released) for name in found}, book)
        try:
            for graded in run(todo, order, count, lambda job: tell("grading", job=job)):
                parts.add(graded)
                summary.results.append(graded)
                state(len(summary.results), len(todo))
                tell("done", graded=graded)
        finally:
            parts.flush()
    summary.seconds = time.monotonic() - began
    return summary


class _Parts:
    """Results on their way to disk: notebooks at once, the gradebook in batches."""

    def __init__(self, course, found: dict, notebooks: dict, book: Book):
        self.course, self.found, self.notebooks, self.book = course, found, notebooks, book
        self.waiting: dict[str, list[Graded]] = {}
        self.batch: list[tuple[Graded, object]] = []
        self.last = time.monotonic()

    def add(self, graded: Graded) -> None:
        parts = self.waiting.setdefault(graded.student, [])
        parts.append(graded)
        if len(parts) < self.notebooks[graded.student]:
            return
        submission = self.found[graded.student]
        timestamp = submissions.submitted_at(submission)
        if all(part.text for part in parts):
            autograded.keep(self.course, submission, parts)
        for part in self.waiting.pop(graded.student):
            part.text = part.log = ""  # on disk now; a thousand of them need not stay in memory
            self.batch.append((part, timestamp))
        if time.monotonic() - self.last > BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        batch, self.batch = self.batch, []  # one that fails is in autograded/ for the next run
        if batch:
            self.book.write(batch)
        self.last = time.monotonic()


def _sort_out(course, released, order: dict, found: dict, force: bool):
    """(jobs to run, records that still hold)."""
    todo, kept = [], []
    settings = {name: order[name] for name in ("limits", "isolation")}
    for submission in found.values():
        jobs, records = [], []
        for each in released:
            work = submission.work(each.notebook)
            whole, tests = submission_keys(
                work.notebook, work.files, each, course.library, settings, order["secret"])
            full = digest(whole, work.log)  # a mark does not depend on the log
            key = digest(full, "marks only") if order["marks_only"] else full
            keys = Keys(key, tests)
            old = None if force else autograded.stored(course, submission, each.notebook)
            if old is not None and old.key in (key, full) and old.status != NOT_GRADED:
                old.text = ""
                records.append(old)
            elif old is not None:
                keys = keys.recall(old)
            jobs.append(pool.Job(submission, each.notebook, keys))
        if len(records) == len(jobs):
            kept += records
        else:
            todo += jobs
    return todo, kept


def _restore(book: Book, kept: list[Graded], found: dict) -> None:
    """Marks that are on disk but not in the gradebook (it was lost, or the power went)."""
    known = book.records()
    missing = []
    for graded in kept:
        record = known.get((graded.student, graded.notebook))
        timestamp = submissions.submitted_at(found[graded.student])
        if record is None or not _holds(record, graded, timestamp):
            missing.append((graded, timestamp))
    if missing:
        book.write(missing)


def _holds(record: dict, graded: Graded, timestamp) -> bool:
    """Whether the gradebook has what the autograded notebook says."""
    scores, comments = record["scores"], record["comments"]
    return (
        all(scores.get(name) == mark["score"] for name, mark in graded.marks.items())
        and all(comments.get(name) == (text or None) for name, text in graded.comments.items())
        and timestamp in (None, record["timestamp"])
    )


@contextmanager
def _alone(course, homework: str, tell: Callable):
    """One run at a time per course; a second one is told about the first, and waits."""
    path = Path(course.root) / ".viva-autograde.lock"
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            tell("waiting", other=_read(file.read()))
            fcntl.flock(file, fcntl.LOCK_EX)

        def state(done: int, total: int) -> None:
            file.seek(0)
            file.truncate()
            json.dump({"pid": os.getpid(), "homework": homework, "done": done,
                       "total": total, "time": time.strftime("%H:%M:%S")}, file)
            file.flush()

        state(0, 0)
        yield state


def _read(text: str) -> dict:
    try:
        return json.loads(text)
    except ValueError:
        return {}
