"""Who has to be graded: every submission is read once, and its key says whether its marks hold."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from viva.regrade import REQUEST_NAME
from viva_examiner.autograde.agenda import Job
from viva_examiner.autograde.mark_keys import keys_of
from viva_examiner.autograde.spool import Spool
from viva_examiner.course import Course
from viva_examiner.gradebook import autograded
from viva_examiner.gradebook.handed_in import MAX_STAMP, STAMP, Contents, read_file
from viva_examiner.gradebook.submissions import Submission
from viva_examiner.notebook.released import Released
from viva_examiner.records import NOT_GRADED, Graded, Order, Work


@dataclass
class Plan:
    """What a run has to do.

    todo: the notebooks to grade; kept: records that still hold
    rest: notebooks of which an earlier run left out what no mark depends on
    before: {(student, notebook): record} of all earlier gradings
    times: {student: when it was handed in}, of everybody
    """

    todo: list[Job] = field(default_factory=list)
    rest: list[Job] = field(default_factory=list)
    kept: list[Graded] = field(default_factory=list)
    before: dict[tuple[str, str], Graded] = field(default_factory=dict)
    times: dict[str, datetime | None] = field(default_factory=dict)
    _jobs: dict[str, list[Job]] = field(default_factory=dict)

    def only_graded(self) -> None:
        """Leave out who has never been graded."""
        self.todo = [job for job in self.todo if (job.student, job.notebook) in self.before]

    def works_of(self, student: str) -> list[Work]:
        """The reading of a submission that is graded, notebook by notebook."""
        return [Work.from_bytes(job.work()) for job in self.jobs_of(student)]

    def work_of(self, student: str) -> Work:
        """That of its first notebook: files and time are the same for all."""
        return Work.from_bytes(self.jobs_of(student)[0].work())

    def jobs_of(self, student: str) -> list[Job]:
        if not self._jobs:
            for job in (*self.todo, *self.rest):
                self._jobs.setdefault(job.student, []).append(job)
        return self._jobs[student]


def plan(course: Course, released: list[Released], order: Order, found: Iterable[Submission],
         spool: Spool, force: bool = False, marks_only: bool = False) -> Plan:
    """Read every submission and decide.

    force: grade also those whose marks still hold
    marks_only: marks are all that is wanted, whatever else was left out
    """
    made = Plan()
    for submission in found:
        contents = submission.read()
        made.times[submission.student] = contents.submitted_at()
        works, records = [], []
        for each in released:
            work = submission.work(contents, each.notebook)
            keys = keys_of(work, each, course.library, order)
            old = autograded.stored(course, submission, each.notebook)
            if old is not None:
                if not force and old.status != NOT_GRADED:
                    records += [old] if old.key in (keys.submission, keys.of_marks) else []
                if not force:
                    keys = keys.recall(old)
                made.before[submission.student, each.notebook] = replace(old, text="")
            works.append(replace(work, keys=keys))
        if stamp := _came_before(course, submission, contents, works, made):
            made.times[submission.student] = replace(contents, stamp=stamp).submitted_at()
            works = [replace(work, stamp=stamp) for work in works]
        known = len(records) == len(works)  # the marks of all its notebooks hold
        whole = all(old.key == work.keys.submission
                    for old, work in zip(records, works, strict=False))
        if known:
            made.kept += [replace(old, text="") for old in records]
        if known and (whole or marks_only):
            continue
        (made.rest if known else made.todo).extend(
            Job(submission.student, submission.homework, work.notebook,
                spool.keep(work.to_bytes()), rest=known) for work in works)
    return made


def _came_before(course: Course, submission: Submission, contents: Contents, works: list[Work],
                 made: Plan) -> bytes:
    """The time of the work that was graded, if that came again with a request for a second look:
    through an exchange the two come together, and nobody is late for asking. Else nothing."""
    if REQUEST_NAME not in contents.files:
        return b""
    for work in works:
        old = made.before.get((submission.student, work.notebook))
        if old is None or old.rests_on.get("handed in") != work.keys.rests_on["handed in"]:
            return b""
    folder = Path(course.path("autograded", submission.student, submission.homework))
    return read_file(folder / STAMP, MAX_STAMP)
