"""Examine every submission of a homework: in parallel, incrementally, with one writer."""

import fcntl
import json
import os
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from viva_examiner.autograde import pool
from viva_examiner.autograde.changes import Change, changes, remember
from viva_examiner.autograde.keys import keys_of
from viva_examiner.files import digest
from viva_examiner.gradebook import autograded, submissions
from viva_examiner.gradebook.book import Book
from viva_examiner.gradebook.released import load
from viva_examiner.records import NOT_GRADED, Graded
from viva_examiner.sandbox import preload
from viva_examiner.sandbox.isolation import NAMESPACES, NONE

ANSWERS = ".viva-answers"  # what the course library keeps between runs
BATCH_SECONDS = 2.0  # the gradebook is written at least this often


@dataclass
class Summary:
    """What came of a run."""

    results: list[Graded] = field(default_factory=list)
    skipped: int = 0
    seconds: float = 0.0
    changes: list[Change] = field(default_factory=list)
    manual: dict[tuple[str, str], float] = field(default_factory=dict)  # where marks changed

    def compare(self, old: Graded, new: Graded, written: dict) -> None:
        """Note what is new, and which of a TA's marks stand above it; the old marks are kept."""
        found = changes(old, new)
        remember(old, new)
        by_hand = written.get((new.student, new.notebook), {}).get("by_hand", {})
        self.changes += found
        self.manual |= {(new.student, change.test): by_hand[change.test][0] for change in found
                        if by_hand.get(change.test, (None,))[0] is not None}

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
        "preload": preload.wanted(course.root),
        "marks_only": marks_only,
        "answers": str(course.root / ANSWERS),
    }


def autograde(course, homework: str, jobs: int = 0, student: str = "*", force: bool = False,
              tell: Callable = lambda event, **facts: None, run=pool.run,
              marks_only: bool = False, only_graded: bool = False,
              dry_run: bool = False) -> Summary:
    """Grade what has changed; write autograded/ and the gradebook.

    marks_only: leave out the cells that no mark depends on, and show them as they were handed in
    only_graded: leave out who has never been graded
    dry_run: write nothing
    tell: called with ("start", total=…, skipped=…, notebooks=how many a submission has),
        ("grading", job=…), ("done", graded=…, known=…)
    run: how jobs become results: a pool of processes here, or a cluster's scheduler
    """
    began = time.monotonic()
    released = load(course, homework)
    with _alone(course, homework, tell) as state, Book(course, homework) as book:
        if not dry_run:
            autograded.tidy(course, homework)
        order = order_of(course, released, marks_only)
        for stray in submissions.strays(course, homework):
            tell("stray", what=stray)
        found = {s.student: s for s in submissions.submissions(course, homework, student)}
        todo, kept, before = _sort_out(course, released, order, found, force)
        if only_graded:
            todo = [job for job in todo if (job.student, job.notebook) in before]
        known = book.records()
        if not dry_run:
            _restore(book, known, kept, found)
        summary = Summary(skipped=len(kept))
        tell("start", total=len(todo), skipped=len(kept), notebooks=len(released))
        count = jobs or course.settings.jobs or os.cpu_count()
        parts = _Parts(course, found, {name: len(released) for name in found}, book, dry_run)
        try:
            for graded in run(todo, order, count, lambda job: tell("grading", job=job)):
                if old := before.get((graded.student, graded.notebook)):
                    summary.compare(old, graded, known)
                parts.add(graded)
                summary.results.append(graded)
                state(len(summary.results), len(todo))
                tell("done", graded=graded, known=known.get((graded.student, graded.notebook), {}))
        finally:
            parts.flush()
    summary.seconds = time.monotonic() - began
    return summary


class _Parts:
    """Results on their way to disk: notebooks at once, the gradebook in batches."""

    def __init__(self, course, found: dict, notebooks: dict, book: Book, dry_run: bool = False):
        self.dry_run = dry_run
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
        if all(part.text for part in parts) and not self.dry_run:
            autograded.keep(self.course, submission, parts)
        for part in self.waiting.pop(graded.student):
            part.text = part.log = ""  # on disk now; a thousand of them need not stay in memory
            self.batch.append((part, timestamp))
        if time.monotonic() - self.last > BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        batch, self.batch = self.batch, []  # one that fails is in autograded/ for the next run
        if batch and not self.dry_run:
            self.book.write(batch)
        self.last = time.monotonic()


def _sort_out(course, released, order: dict, found: dict, force: bool):
    """(jobs to run, records that still hold, {(student, notebook): record} of all before)."""
    todo, kept, before = [], [], {}
    for submission in found.values():
        jobs, records = [], []
        for each in released:
            keys = keys_of(submission.work(each.notebook), each, course.library, order)
            full = keys.submission
            key = digest(full, "marks only") if order["marks_only"] else full
            keys = replace(keys, submission=key)
            old = autograded.stored(course, submission, each.notebook)
            if old is not None:
                if not force and old.key in (key, full) and old.status != NOT_GRADED:
                    records.append(old)
                elif not force:
                    keys = keys.recall(old)
                old.text = ""
                before[submission.student, each.notebook] = old
            jobs.append(pool.Job(submission, each.notebook, keys))
        if len(records) == len(jobs):
            kept += records
        else:
            todo += jobs
    return todo, kept, before


def _restore(book: Book, known: dict, kept: list[Graded], found: dict) -> None:
    """Marks that are on disk but not in the gradebook (it was lost, or the power went)."""
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
