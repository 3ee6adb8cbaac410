"""Examine every submission of a homework: in parallel, incrementally, with one writer."""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from viva_examiner.autograde import pool
from viva_examiner.autograde.changes import MarkChange, changes, other_versions, remember
from viva_examiner.autograde.grading_plan import Plan, plan
from viva_examiner.autograde.spool import Spool
from viva_examiner.autograde.two_parts import TwoParts
from viva_examiner.autograde.wanted import forget
from viva_examiner.course import Course
from viva_examiner.examination.orders import order_of
from viva_examiner.gradebook import autograded, submissions
from viva_examiner.gradebook.book import Book
from viva_examiner.gradebook.follow_ups import unseen
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.released_rows import load
from viva_examiner.gradebook.texts import other_texts
from viva_examiner.records import NOT_GRADED, Graded

Runner = Callable[..., Iterator[Graded]]  # of (agenda, order, count, started), as `pool.run`


@dataclass
class Summary:
    """What came of a run."""

    results: list[Graded] = field(default_factory=list)
    skipped: int = 0
    seconds: float = 0.0
    marks_seconds: float = 0.0  # until the last mark was in the gradebook
    look: dict[str, str] = field(default_factory=dict)  # who needs a look, and why; of all
    changes: list[MarkChange] = field(default_factory=list)
    manual: dict[tuple[str, str], float] = field(default_factory=dict)  # where marks changed
    others: dict[str, None] = field(default_factory=dict)  # versions that are others now, in words

    def compare(self, old: Graded, new: Graded, written: dict) -> Graded:
        """The new record with the old marks; what is new is noted, and a TA's marks above it."""
        found = changes(old, new)
        by_hand = written.get((new.student, new.notebook), {}).get("by_hand", {})
        self.changes += found
        if old.rests_on:
            self.others |= dict.fromkeys(other_versions(old.rests_on, new.rests_on))
        self.manual |= {(new.student, change.test): by_hand[change.test][0] for change in found
                        if by_hand.get(change.test, (None,))[0] is not None}
        return remember(old, new)

    @property
    def not_graded(self) -> list[Graded]:
        return [graded for graded in self.results if graded.status == NOT_GRADED]


def autograde(course: Course, homework: str, jobs: int = 0, student: str = "*", force: bool = False,
              on_event: Callable = lambda event, **facts: None, run: Runner = pool.run,
              marks_only: bool = False, only_graded: bool = False,
              dry_run: bool = False) -> Summary:
    """Grade what has changed; write autograded/ and the gradebook.

    In a class, everybody's marks come first; then the cells that no mark depends on are run, and
    each notebook is replaced by the complete one.

    marks_only: stop after the marks, and show the other cells as they were handed in
    only_graded: leave out who has never been graded
    dry_run: write nothing
    on_event: called with ("start", total=…, skipped=…, notebooks=how many a submission has),
        ("grading", job=…), ("done", graded=…, known=…), ("marked", seconds=…, left=…),
        ("completed", graded=…)
    run: how an agenda becomes results: a pool of processes here, or a cluster's scheduler
    """
    began = time.monotonic()
    released = load(course, homework)
    with (_alone(course, homework, on_event) as state, Book(course, homework) as book,
          Spool(course.root) as spool):
        if not dry_run:
            autograded.tidy(course, homework)
        order = order_of(course, released)
        for stray in submissions.strays(course, homework):
            on_event("stray", what=stray)
        handed_in = submissions.submissions(course, homework, student)
        planned = plan(course, released, order, handed_in, spool, force, marks_only)
        if only_graded:
            planned.only_graded()
        if not dry_run:
            book.notice()
        known = book.records()
        if not dry_run:
            _restore(book, known, planned)
        total, kept = len(planned.todo), len(planned.kept)
        summary = Summary(skipped=kept)
        on_event("start", total=total, skipped=kept, notebooks=len(released))
        count = jobs or course.settings.jobs or os.cpu_count() or 1
        parts = TwoParts(course, homework, planned, spool, len(released), book, dry_run)
        agenda = parts.agenda(count, marks_only or dry_run)
        if not total and agenda:
            on_event("marked", seconds=0.0, left=len(agenda))
        try:
            for graded in run(agenda, order, count, lambda job: on_event("grading", job=job)):
                if parts.is_second(graded):
                    parts.complete(graded)
                    on_event("completed", graded=graded)
                    continue
                if old := planned.before.get((graded.student, graded.notebook)):
                    graded = summary.compare(old, graded, known)
                about = known.get((graded.student, graded.notebook), {})
                other = other_texts(graded.text, about.get("given", {}))
                parts.add(graded)
                # its text is on disk; a thousand of them need not stay in memory
                graded = replace(graded, text="", log="")
                summary.results.append(graded)
                state(len(summary.results), total)
                on_event("done", graded=graded, known=about | {"other_text": other})
                if len(summary.results) == total:
                    parts.flush()
                    summary.marks_seconds = time.monotonic() - began
                    on_event("marked", seconds=summary.marks_seconds, left=len(agenda))
        finally:
            parts.flush()
            forget(course, homework)
        summary.results = [parts.completed.get((each.student, each.notebook), each)
                           for each in summary.results]
        summary.look = unseen(Ledger(book.db), homework, [*planned.kept, *summary.results], known)
    summary.seconds = time.monotonic() - began
    return summary


def _restore(book: Book, known: dict, planned: Plan) -> None:
    """Marks that are on disk but not in the gradebook (it was lost, or the power went)."""
    missing = []
    for graded in planned.kept:
        record = known.get((graded.student, graded.notebook))
        timestamp = planned.times[graded.student]
        if record is None or not _holds(record, graded, timestamp):
            missing.append((graded, timestamp))
    if missing:
        book.write(missing)


def _holds(record: dict, graded: Graded, timestamp: datetime | None) -> bool:
    """Whether the gradebook has what the autograded notebook says."""
    scores, comments = record["scores"], record["comments"]
    return (
        all(scores.get(name) == mark.score for name, mark in graded.marks.items())
        and all(comments.get(name) == (text or None) for name, text in graded.comments.items())
        and timestamp in (None, record["timestamp"])
    )


@contextmanager
def _alone(course: Course, homework: str,
           on_event: Callable) -> Iterator[Callable[[int, int], None]]:
    """One run at a time per course; a second one is told about the first, and waits."""
    path = Path(course.root) / ".viva-autograde.lock"
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            on_event("waiting", other=_read(file.read()))
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
