"""Marks to the platform: read there, compared, sent one by one, and read back.

The time that goes along with a grade is taken before the platform is read: whoever changes a grade
there while we send has a later one, and the platform refuses ours.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nbgrader.api import Gradebook

from viva_examiner.course import Course
from viva_examiner.gradebook.by_hand import ByHand
from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.gradebook.results import Results
from viva_examiner.lms import column_grades, columns, people, push_plan
from viva_examiner.lms.columns import Column, Wanted
from viva_examiner.lms.members import members
from viva_examiner.lms.members_table import in_table
from viva_examiner.lms.platform_failure import LmsFailure, RequestRefused, Unreachable
from viva_examiner.lms.push_plan import (
    CHANGED,
    NEW,
    OVERRIDDEN,
    SAME,
    UNCHANGED,
    GradebookMark,
    PushLine,
)
from viva_examiner.lms.pushed import (
    REFUSED,
    SENDING,
    STANDS,
    PushedGrade,
    pushed_before,
    record_push,
)
from viva_examiner.lms.service import Service

ENDS = (401, 403, 429, 502, 503, 504)  # what ends the push; anything else is one student's
A_MOMENT = 5.0  # seconds: so long we wait for a clock that our own last push is ahead of


@dataclass
class PushPlan:
    """What a push of one homework would do."""

    homework: str
    wanted: Wanted
    column: Column | None  # None: it will be made
    lines: list[PushLine]
    when: float
    before: dict[str, PushedGrade] = field(default_factory=dict)

    def of(self, kind: str) -> list[PushLine]:
        return [line for line in self.lines if line.kind == kind]

    def to_send(self, force: bool = False) -> list[PushLine]:
        kinds = (NEW, CHANGED, push_plan.REFUSED, *([OVERRIDDEN] if force else []))
        return [line for line in self.lines if line.kind in kinds]


@dataclass
class PushOutcome:
    """What came of it."""

    sent: list[PushLine] = field(default_factory=list)
    refused: list[tuple[PushLine, str]] = field(default_factory=list)
    # what stands there, but not as it was sent
    differs: list[tuple[PushLine, str]] = field(default_factory=list)
    stopped: str = ""  # why not all were sent


def prepare(course: Course, homework: str, service: Service) -> PushPlan:
    """Read the platform and the gradebook, and decide about everybody. Sends and writes nothing."""
    marks, points = _marks(course, homework)
    wanted = Wanted(f"viva:{course.directory.course_id}:{homework}", course.column(homework),
                    points)
    before = pushed_before(course, service.connection.name, homework)
    service.token()  # tells the platform's time
    when = _moment(service, before)
    name = service.connection.name
    there = people.with_staff(course, name, members(service), ())
    users, doubtful = people.matched(in_table(course)[0], there, people.links(course, name))
    column = columns.find(service, wanted)
    standing = column_grades.read(service, column, points) if column else {}
    lines = push_plan.planned(marks, {name: each.user_id for name, each in users.items()}, standing,
                         before, doubtful)
    return PushPlan(homework, wanted, column, lines, when, before)


def send(course: Course, service: Service, what: PushPlan, force: bool = False,
         on_line: Callable[[PushLine], None] = lambda line: None) -> PushOutcome:
    """Send what differs. Each grade is noted before it goes and when it was read back."""
    done, name = PushOutcome(), service.connection.name
    todo = what.to_send(force)
    _adopt(course, name, what)
    if not todo:
        return done
    column = what.column or columns.make(service, what.wanted)
    for line in todo:
        entry = _entry(what, line, force)
        record_push(course, name, what.homework, SENDING, [entry])
        try:
            column_grades.send(service, column, line.user_id, entry["score"], what.wanted.maximum,
                        entry["comment"], entry["when"])
        except RequestRefused as error:
            done.stopped = _ends(service, what.wanted, error)
            if done.stopped:
                break
            why = _why(error.status)
            record_push(course, name, what.homework, REFUSED, [entry | {"why": why}])
            done.refused.append((line, why))
        except Unreachable as error:
            done.stopped = str(error)
            break
        else:
            done.sent.append(line)
            on_line(line)
    if done.sent:
        try:
            _read_back(course, service, what, column, done, force)
        except LmsFailure as error:
            done.stopped = done.stopped or f"{error}; what was sent could not be read back"
    return done


def _read_back(course: Course, service: Service, what: PushPlan, column: Column, done: PushOutcome,
               force: bool) -> None:
    standing = column_grades.read(service, column, what.wanted.maximum)
    entries = []
    for line in done.sent:
        stands = standing.get(line.user_id)
        if stands is None:
            done.differs.append((line, "was sent, but the LMS shows no grade"))
            continue
        entry = _entry(what, line, force) | {"stood": stands.score}
        entries.append(entry)
        if abs(stands.score - entry["score"]) >= SAME:
            done.differs.append((line, f"{entry['score']:g} was sent, and the LMS shows "
                                 f"{stands.score:g}: locked, overridden, or cut at its maximum"))
    record_push(course, service.connection.name, what.homework, STANDS, entries)


def _adopt(course: Course, name: str, what: PushPlan) -> None:
    """Grades that stand there as we would send them are ours from now on."""
    record_push(course, name, what.homework, STANDS, [
        _entry(what, line, False) | {"stood": line.there} for line in what.of(UNCHANGED)
        if line.student not in what.before or not what.before[line.student].confirmed])


def _entry(what: PushPlan, line: PushLine, force: bool) -> dict[str, Any]:
    before = what.before.get(line.student)
    when = max(what.when, before.when + 1) if force and before else what.when
    return {"student": line.student, "user": line.user_id, "score": line.mark.score,
            "maximum": what.wanted.maximum, "comment": line.mark.comment, "when": when}


def _moment(service: Service, before: dict[str, PushedGrade]) -> float:
    """Now by the platform's clock, at least a second after what we pushed last."""
    last = max((each.when for each in before.values()), default=0.0)
    wait = int(last) + 1 - service.now()
    if 0 < wait < A_MOMENT:
        service.sleep(wait)
    return service.now()


def _marks(course: Course, homework: str) -> tuple[list[GradebookMark], float]:
    """(everybody's mark, the homework's points); those who handed nothing in are left out."""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        ByHand(gradebook.db, course, homework).settle()
        results = Results(gradebook, course)
        results.settle(homework)
        gradebook.db.commit()
        points = float(gradebook.find_assignment(homework).max_score)
        marks = [GradebookMark(each.student.id, each.standing.score, each.standing.words,
                               each.standing.note) for each in results.of(homework)
                 if each.standing.handed_in or each.standing.not_autograded]
    if not points:
        raise LmsFailure(f"{homework} has no points: there is nothing to push")
    return marks, points


def _ends(service: Service, wanted: Wanted, error: RequestRefused) -> str:
    """Why the push cannot go on; empty if the answer is about one student only."""
    if error.status in ENDS:
        return str(error)
    try:
        gone = error.status == 404 and columns.find(service, wanted) is None
    except LmsFailure as failure:
        return str(failure)
    return "the column is gone: somebody deleted it there meanwhile" if gone else ""


def _why(status: int) -> str:
    """What an answer to one score means."""
    known = {400: "the LMS does not take a grade of this member: not enrolled, or no student",
             404: "the LMS has no such member",
             409: "the LMS has a newer grade: somebody gave one meanwhile, or a clock was ahead "
                  "(--force)",
             422: "the LMS does not take this grade", 500: "the LMS failed: is the grade locked?"}
    return f"{known.get(status, 'the LMS refused')} (HTTP {status})"
