"""Marks first, then all the rest: what becomes of results on their way to disk.

The first part grades every submission without the cells that no mark depends on; the second runs
these as well, keeps the marks of the first, and replaces each notebook whole. What is done once is
on disk: an interruption loses nothing, and the next run goes on where this one ended.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from viva_examiner.autograde.agenda import Agenda, Job
from viva_examiner.autograde.changes import remember
from viva_examiner.autograde.grading_plan import Plan
from viva_examiner.autograde.spool import Spool
from viva_examiner.autograde.wanted import asked_for
from viva_examiner.course import Course
from viva_examiner.gradebook import autograded
from viva_examiner.gradebook.book import Book
from viva_examiner.records import NOT_GRADED, Graded, Work

BATCH_SECONDS = 2.0  # the gradebook is written at least this often


class TwoParts:
    """Notebooks go to disk at once, marks to the gradebook in batches."""

    def __init__(self, course: Course, homework: str, planned: Plan, spool: Spool, notebooks: int,
                 book: Book, dry_run: bool) -> None:
        self.course, self.homework, self.planned, self.spool = course, homework, planned, spool
        self.notebooks, self.book, self.dry_run = notebooks, book, dry_run
        self.coming, self.continues = Agenda(), False
        self.waiting: dict[str, list[Graded]] = {}  # of a student, until all notebooks are there
        self.first: dict[tuple[str, str], Graded] = {}  # records that the second part completes
        self.completed: dict[tuple[str, str], Graded] = {}
        self.batch: list[tuple[Graded, datetime | None]] = []
        self.last = time.monotonic()

    def agenda(self, workers: int, marks_only: bool) -> Agenda:
        """What is to be done. Where nobody waits for a worker, all is done at once.

        marks_only: there is no second part
        """
        fresh = self.planned.todo
        split = marks_only or len(fresh) > workers
        self.coming = Agenda([_of_marks(job) if split else job for job in fresh],
                             lambda: asked_for(self.course, self.homework))
        self.continues = split and not marks_only
        for job in self.planned.rest if not self.dry_run else ():
            before = self.planned.before[job.student, job.notebook]
            self.first[job.student, job.notebook] = before
            self.coming.add_rest(job, before.needs_a_look)
        return self.coming

    def add(self, graded: Graded) -> None:
        """The marks of a notebook, and the notebook as far as it was run."""
        if parts := self._arrived(graded):
            self._keep(parts)
            self.batch += [(_light(part), self.planned.times[part.student]) for part in parts]
            if self.continues:
                self._go_on(parts)
        if time.monotonic() - self.last > BATCH_SECONDS:
            self.flush()

    def is_second(self, graded: Graded) -> bool:
        """Whether a result completes a notebook that has its marks already."""
        return (graded.student, graded.notebook) in self.first

    def complete(self, graded: Graded) -> None:
        """A notebook with all its cells. What a fault of ours has spoilt stays as it was."""
        parts = self._arrived(remember(self.first[graded.student, graded.notebook], graded))
        if not parts or any(part.status == NOT_GRADED for part in parts):
            return
        self._keep(parts)
        for part in map(_light, parts):
            before = self.first[part.student, part.notebook]
            self.completed[part.student, part.notebook] = part
            if (part.marks, part.comments) != (before.marks, before.comments):
                self.batch.append((part, self.planned.times[part.student]))

    def flush(self) -> None:
        """What waits goes into the gradebook."""
        batch, self.batch = self.batch, []  # one that fails is in autograded/ for the next run
        if batch and not self.dry_run:
            self.book.write(batch)
        self.last = time.monotonic()

    def _arrived(self, graded: Graded) -> list[Graded]:
        """All notebooks of a student, once the last of them is there."""
        parts = self.waiting.setdefault(graded.student, [])
        parts.append(graded)
        return self.waiting.pop(graded.student) if len(parts) == self.notebooks else []

    def _keep(self, parts: list[Graded]) -> None:
        if all(part.text for part in parts) and not self.dry_run:
            autograded.keep(self.course, self.planned.work_of(parts[0].student), parts)

    def _go_on(self, parts: list[Graded]) -> None:
        """Ask for the rest of a student's notebooks, if something of them was left out."""
        student = parts[0].student
        works = {work.notebook: work for work in self.planned.works_of(student)}
        if not any(part.key == works[part.notebook].keys.of_marks for part in parts):
            return
        for part in parts:
            work = works[part.notebook]
            work = replace(work, keys=work.keys.recall(part), remarks=part.remarks)
            job = Job(student, self.homework, part.notebook, self.spool.keep(work.to_bytes()),
                      rest=True)
            self.first[student, part.notebook] = _light(part)
            self.coming.add_rest(job, part.needs_a_look)


def _of_marks(job: Job) -> Job:
    """The job without the cells that no mark depends on."""
    whole: Callable[[], bytes] = job.work

    def work() -> bytes:
        return replace(Work.from_bytes(whole()), marks_only=True).to_bytes()

    return replace(job, work=work)


def _light(graded: Graded) -> Graded:
    return replace(graded, text="", log="")
