"""Requests for a second look, from the files of students into the gradebook.

They come with `viva collect`, or lie in submitted/ where an exchange put them. To take in a file
twice changes nothing: of each test only a later request than the last one counts. What cannot be
granted (too late, too many, answered before) is kept too, with the reason as its answer, because
the student reads it in the feedback.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time

from nbgrader.api import Assignment, BaseCell, Gradebook, Notebook
from sqlalchemy import select

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook.database import gradebook_errors, is_there
from viva_examiner.gradebook.handed_in import STAMP, Contents, read_file
from viva_examiner.gradebook.request_book import OPEN, REFUSED, WITHDRAWN, Request, Requests
from viva_examiner.gradebook.request_file import (
    MAX_BYTES,
    REQUEST_NAME,
    UnreadableRequests,
    WrittenRequest,
    asked,
)
from viva_examiner.gradebook.results import Results
from viva_examiner.gradebook.submissions import submissions
from viva_examiner.harmless import one_line

MAX_ROWS = 60  # of one student about one homework, whatever became of them
GRADED = ("GradeCell", "TaskCell")


@dataclass(frozen=True)
class RequestFile:
    """A student's file, and when it was handed in (UTC); None: nobody knows, so now."""

    data: bytes
    when: datetime | None = None


def take_in(course: Course, homework: str,
            brought: dict[str, RequestFile] | None = None) -> list[str]:
    """Take in what was brought and what lies in submitted/; what is new, a line each.

    brought: {student: their file}, of `viva collect`
    """
    files = {**_lying(course, homework), **(brought or {})}
    if not is_there(course.db_url):  # to open one would make it
        return [f"{name}: a request, and there is no gradebook yet: not taken" for name in files]
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        if not gradebook.db.scalar(select(Assignment.id).where(Assignment.name == homework)):
            return [f"{name}: a request, and nothing of {homework} is graded yet: not taken"
                    for name in sorted(files)]
        unbound = (each for each in Requests(gradebook.db, course, homework).waiting()
                   if not each.attempt)
        if not files and not any(unbound):
            return []
        said = _Intake(gradebook, course, homework).take(files)
        gradebook.db.commit()
    return said


def _lying(course: Course, homework: str) -> dict[str, RequestFile]:
    """{submitter: file} of submitted/. Its time is that of the submission it came with."""
    found = {}
    for each in submissions(course, homework):
        data = read_file(each.folder / REQUEST_NAME, MAX_BYTES + 1)
        if data:
            stamp = Contents(stamp=read_file(each.folder / STAMP, 100)).submitted_at()
            found[each.student] = RequestFile(data, stamp and stamp.replace(tzinfo=UTC))
    return found


class _Intake:
    def __init__(self, gradebook: Gradebook, course: Course, homework: str) -> None:
        self.book = Requests(gradebook.db, course, homework)
        self.course, self.homework = course, homework
        results = Results(gradebook, course)
        self.roster = results.roster
        self.submitters = {each.student.id: each.submitter for each in results.of(homework)}
        self.cells = self._cells()
        self.until = closing_time(course, homework)
        self.now = datetime.now(UTC)
        self.said: list[str] = []

    def take(self, files: dict[str, RequestFile]) -> list[str]:
        for name, file in sorted(files.items()):
            student = self.roster.owner(name, self.homework)
            try:
                found = asked(file.data, self.homework)
            except UnreadableRequests as error:
                self.said.append(f"{student}: {error}")
                continue
            for each in found:
                self._one(student, each, file.when)
        self._bind()
        return self.said

    def _cells(self) -> dict[str, str]:
        """{name of a graded cell: what the ledger calls it}."""
        rows = self.book.db.execute(
            select(BaseCell.name, Notebook.name).join(Notebook, Notebook.id == BaseCell.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == self.homework, BaseCell.type.in_(GRADED)))
        return {cell: cell if notebook == self.homework else f"{notebook}/{cell}"
                for cell, notebook in rows}

    def _one(self, student: str, said: WrittenRequest, when: datetime | None) -> None:
        cell = self.cells.get(said.cell)
        if cell is None:
            self.said.append(f"{student} asks about {one_line(said.cell, 80)}, which "
                             f"{self.homework} does not have: not taken")
            return
        own = self.book.all(student=student)
        before = [each for each in own if each.cell == cell]
        last = before[-1] if before else None
        if last is not None and said.time <= last.asked:
            return
        if said.is_withdrawn:
            if last is not None and last.state == OPEN:
                self.book.change(last.id, state=WITHDRAWN, asked=said.time, answered_at=_naive(
                    self.now))
                self.said.append(f"{student} withdraws the request about {cell}")
            return
        if len(own) >= MAX_ROWS:
            self.said.append(f"{student} asks about {cell}, after {len(own)} requests: not taken")
            return
        at = self._at(said, when)
        if last is not None and last.state == OPEN and not self.book.is_outdated(last):
            self.book.change(last.id, because=said.because, asked=said.time, at=_naive(at))
            self.said.append(f"{student} has reworded the request about {cell}")
            return
        if last is not None and last.state == OPEN:
            self.book.change(last.id, state=WITHDRAWN, answered_at=_naive(self.now),
                             answer="Asked again about a later attempt.")
        self._add(student, cell, said, at, own, before)

    def _add(self, student: str, cell: str, said: WrittenRequest, at: datetime, own: list[Request],
             before: list[Request]) -> None:
        submitter = self.submitters.get(student, "")
        attempt = self.book.attempt_of(submitter) if submitter else ""
        why = self._refusal(attempt, at, own, before)
        number = self.book.add(
            at=_naive(at), student=student, submitter=submitter if attempt else "",
            attempt=attempt, cell=cell, because=said.because, asked=said.time,
            state=REFUSED if why else OPEN, answer=why,
            answered_at=_naive(self.now) if why else None)
        self._note_score(number)
        self.said.append(f"{student} asks about {cell}" + (f"; refused: {why}" if why else ""))

    def _refusal(self, attempt: str, at: datetime, own: list[Request],
                 before: list[Request]) -> str:
        """Why a request cannot be granted, in words for the student; empty if it can."""
        if self.until is not None and at > self.until:
            return (f"Requests about {self.homework} were taken until "
                    f"{self.until:%Y-%m-%d %H:%M} UTC.")
        answered = [each for each in before if each.attempt == attempt
                    and each.state not in (WITHDRAWN, REFUSED, OPEN)]
        if answered:
            return (f"This was answered on {answered[-1].answered_at:%Y-%m-%d}; a request is "
                    "answered once.")
        most = self.course.settings.requests_per_homework
        if sum(each.state not in (WITHDRAWN, REFUSED) for each in own) >= most:
            return f"{most} request{'s' if most != 1 else ''} about a homework can be made."
        return ""

    def _at(self, said: WrittenRequest, when: datetime | None) -> datetime:
        """When it was handed in. A submission's time counts unless the request is younger."""
        if when is not None and f"{when:%Y-%m-%dT%H:%M:%SZ}" >= said.time:
            return min(when, self.now)
        return self.now

    def _bind(self) -> None:
        """Requests that came before anything was graded are about what is graded first."""
        for each in self.book.all(OPEN):
            submitter = self.submitters.get(each.student, "")
            if not each.attempt and submitter and (digest := self.book.attempt_of(submitter)):
                self.book.change(each.id, submitter=submitter, attempt=digest)
                self._note_score(each.id)

    def _note_score(self, number: int) -> None:
        row = self.book.standing(self.book.get(number))
        if row is not None:
            self.book.change(number, score=row.automatic if row.score is None else row.score)


def closing_time(course: Course, homework: str) -> datetime | None:
    """When requests about a homework are closed (`c.Examiner.requests_until`); None: never."""
    until = course.settings.requests_until
    word = until.get(homework, until.get("*", ""))
    if not word:
        return None
    try:
        when = datetime.fromisoformat(word)
    except ValueError:
        raise Failure(f"c.Examiner.requests_until says {word!r} for {homework}: write a date, "
                      '"2026-12-01", or a time in UTC, "2026-12-01 18:00"') from None
    if len(word) <= len("2026-12-01"):
        when = datetime.combine(when, time(23, 59, 59))
    return when.replace(tzinfo=when.tzinfo or UTC)


def _naive(when: datetime) -> datetime:
    return when.astimezone(UTC).replace(tzinfo=None)

