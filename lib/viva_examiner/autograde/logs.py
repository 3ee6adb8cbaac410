"""Logs that were handed in without their notebook: the code in them, on the workers of a pool."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from viva_examiner.autograde import pool
from viva_examiner.autograde.agenda import Job
from viva_examiner.course import Course
from viva_examiner.examination import submission_log
from viva_examiner.examination.logged import judged, notebook_of
from viva_examiner.examination.orders import order_of
from viva_examiner.examination.submission_log import BadLog, GradedLog
from viva_examiner.failure import Failure
from viva_examiner.gradebook.released_rows import Unreleased, load
from viva_examiner.notebook.released import Released
from viva_examiner.records import Graded, Keys, Work


@dataclass(frozen=True)
class GivenLog:
    """A log to grade: where it lies, and whose and of what it must be, as far as that is known."""

    path: Path
    owner: str = ""
    homework: str = ""


@dataclass(kw_only=True)
class LogJob(Job):
    """A log's code to run. Its record comes back with the log's number as its key."""

    number: int

    def not_graded(self, why: str) -> Graded:
        return replace(super().not_graded(why), key=str(self.number))


def grade_logs(course: Course, given: Iterable[GivenLog], count: int = 1,
               causes: bool = False) -> list[GradedLog]:
    """What came of each log, in their order. Never raises for what a file holds.

    causes: whether to look for known mistakes where code could not be run
    """
    results: list[GradedLog] = []
    logs: dict[str, dict[int, tuple[dict, bytes]]] = {}  # by homework and number
    for number, each in enumerate(given):
        try:
            data = submission_log.taken(each.path)
            log = submission_log.parse(data, each.homework)
        except BadLog as error:
            results.append(GradedLog(str(each.path), each.owner, refused=str(error)))
            continue
        results.append(submission_log.grade_read(course.library, log, str(each.path), each.owner,
                                                 causes))
        if not results[-1].refused:
            logs.setdefault(log["homework"], {})[number] = log, data
    for homework, of_homework in logs.items():
        try:
            released = only_notebook(load(course, homework), homework)
        except Failure as error:
            for number in of_homework:
                results[number].refused = str(error)
            continue
        made = {number: notebook_of(log, released) for number, (log, _) in of_homework.items()}
        jobs = [_job(number, results[number], made[number][0], of_homework[number][1], released)
                for number in of_homework]
        for graded in pool.run(jobs, order_of(course, [released]), count):
            number = int(graded.key)
            results[number] = judged(results[number], graded, made[number][1])
    return results


def only_notebook(released: list[Released], homework: str) -> Released:
    """A log is of one notebook."""
    if len(released) != 1:
        raise Unreleased(f"{homework} has {len(released)} notebooks; a log is of one")
    return released[0]


def _job(number: int, recorded: GradedLog, notebook: bytes, log: bytes,
         released: Released) -> LogJob:
    work = Work(notebook, log=log, student=recorded.student, notebook=released.notebook,
                keys=Keys(submission=str(number)))
    return LogJob(recorded.student, released.homework, released.notebook, work.to_bytes,
                  number=number)
