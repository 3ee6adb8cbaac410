"""Requests for a second look: who asks about which mark, and what was answered.

    with requests.opened(course, "kernel_attention") as queue:
        for each in queue.waiting():                    # the oldest first
            each.student, each.cell, each.because       # words of a student: escape them
            queue.is_outdated(each)                     # another attempt was handed in since
            queue.standing(each)                        # Row: what the mark is now; None: none
        queue.decline(number, "The text says that …")
        queue.correct(number, 4.5, "You are right about …")
        queue.accept(number, "You are right.")          # full points

A request is for the attempt that was graded when it came. Every answer needs words, is an entry of
the ledger (ledger.ANSWERED) with its author and time, and changes a mark, if it does, by an entry
of a mark by hand in the same transaction (`by_hand`). Whoever answers second gets `Answered`.
Requests of a file come in through `taking`; this module reads and answers them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Grade, Gradebook
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session, scoped_session

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.files import digest
from viva_examiner.gradebook.by_hand import ByHand, Conflict, NewMark, StandingMark
from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.gradebook.ledger import ANSWERED, Ledger, this_person
from viva_examiner.gradebook.ledger_form import REQUESTS

OPEN = "open"
ACCEPTED = "accepted"  # full points
CORRECTED = "corrected"  # another mark
DECLINED = "declined"  # the mark stands
WITHDRAWN = "withdrawn"  # by the student, before an answer
REFUSED = "refused"  # came too late, or was one too many: the answer says which
STATES = (OPEN, ACCEPTED, CORRECTED, DECLINED, WITHDRAWN, REFUSED)
MAX_ANSWER = 4_000  # characters


class Answered(Failure):
    """Somebody else was faster, or the mark is not as it was seen."""


@dataclass(frozen=True)
class Request:
    """One request.

    at: when it was handed in, UTC; asked: the time that the student's file says
    submitter: under whose name the work lies (a member of a group, an attempt); empty: ungraded
    attempt: the digest of what the student wrote in it
    score: the mark that is asked about; None: there was none
    """

    id: int
    at: datetime
    homework: str
    student: str
    submitter: str
    attempt: str
    cell: str
    because: str
    asked: str
    score: float | None
    state: str
    answer: str
    answered_by: str
    answered_at: datetime | None


class Requests:
    """The requests about one homework, through a session of nbgrader's gradebook."""

    def __init__(self, db: Session | scoped_session[Session], course: Course,
                 homework: str) -> None:
        self.db, self.course, self.homework = db, course, homework
        self.ledger = Ledger(db)
        self._marks: ByHand | None = None
        self._attempts: dict[str, str] = {}

    @property
    def marks(self) -> ByHand:
        if self._marks is None:
            self._marks = ByHand(self.db, self.course, self.homework)
        return self._marks

    def all(self, *states: str, student: str | None = None) -> list[Request]:
        """The requests in these states, the oldest first; nothing said means any."""
        query = select(REQUESTS).where(REQUESTS.c.homework == self.homework).order_by(
            REQUESTS.c.id)
        if states:
            query = query.where(REQUESTS.c.state.in_(states))
        if student is not None:
            query = query.where(REQUESTS.c.student == student)
        return list(map(_request, self.db.execute(query)))

    def waiting(self) -> list[Request]:
        """Those that nobody has answered, the oldest first."""
        return self.all(OPEN)

    def get(self, number: int) -> Request:
        """A request by its number; Failure if there is none about this homework."""
        row = self.db.execute(select(REQUESTS).where(
            REQUESTS.c.id == number, REQUESTS.c.homework == self.homework)).first()
        if row is None:
            raise Failure(f"{self.homework} has no request {number}; `viva requests "
                          f"{self.homework}` lists them")
        return _request(row)

    def attempt_of(self, submitter: str) -> str:
        """The digest of what was graded under a name; empty if nothing was."""
        if submitter not in self._attempts:
            folder = Path(self.course.path("autograded", submitter, self.homework))
            found = [text for path in sorted(folder.glob("*.ipynb"))
                     for text in sorted(self.marks.texts.of(submitter, path.stem).items())]
            self._attempts[submitter] = digest(*(part for text in found for part in text)
                                               ) if found else ""
        return self._attempts[submitter]

    def is_outdated(self, request: Request) -> bool:
        """Whether other work was graded since than that which the request is about."""
        return bool(request.attempt) and request.attempt != self.attempt_of(request.submitter)

    def standing(self, request: Request) -> StandingMark | None:
        """The mark as it is now; None if nothing was graded."""
        notebook, _, cell = request.cell.rpartition("/")
        found = self.marks.rows([request.submitter], cell, notebook or self.homework)
        return found[0] if found else None

    def points(self, row: StandingMark) -> float:
        """How many points a mark can have."""
        grade = self.db.get(Grade, row.grade)
        return float(grade.cell.max_score) if grade is not None else 0.0

    def accept(self, number: int, words: str, author: str = "") -> None:
        """The student is right: full points."""
        request = self._answerable(number, words)
        row = self._row(request)
        self._mark(request, row, self.points(row), ACCEPTED, words, author)

    def correct(self, number: int, score: float, words: str, author: str = "") -> None:
        """Another mark, by hand."""
        request = self._answerable(number, words)
        row = self._row(request)
        if not 0 <= score <= self.points(row):
            raise Failure(f"{request.cell} gives 0 to {self.points(row):g} points, not {score:g}")
        self._mark(request, row, score, CORRECTED, words, author)

    def decline(self, number: int, words: str, author: str = "") -> None:
        """The mark stands."""
        request = self._answerable(number, words)
        try:
            self._answer(request, DECLINED, words, author, {})
            self.db.commit()
        except BaseException:
            self.db.rollback()
            raise

    def _answerable(self, number: int, words: str) -> Request:
        request = self.get(number)
        if request.state != OPEN:
            by = f" by {request.answered_by}" if request.answered_by else ""
            raise Answered(f"request {number} is {request.state}{by}; nothing has changed")
        if not words.strip():
            raise Failure("an answer needs words: the student reads them")
        if len(words) > MAX_ANSWER:
            raise Failure(f"the answer has {len(words)} characters; at most {MAX_ANSWER} fit")
        return request

    def _row(self, request: Request) -> StandingMark:
        """The mark to change, if the request is about the work that has it."""
        if self.is_outdated(request):
            raise Failure(f"{request.student} has handed in other work since: request {request.id} "
                          "is about an earlier attempt, and a mark would be for this one. Decline "
                          "it with words, and give a mark by hand if one is due")
        row = self.standing(request)
        if row is None:
            raise Failure(f"nothing of {request.student} is graded: `viva autograde "
                          f"{self.homework}` first")
        return row

    def _mark(self, request: Request, row: StandingMark, score: float, state: str, words: str,
              author: str) -> None:
        """The answer and the mark in one transaction, which `ByHand.write` commits."""
        seen = self.marks.seen(row, self.marks.given(request.submitter))
        change = NewMark(row, seen, score, row.comment, standing=True,
                         about={"why": f"request {request.id}"})
        before = row.automatic if row.score is None else row.score
        try:
            self._answer(request, state, words, author, {"before": before, "score": score})
            self.marks.write([change], author)
        except Conflict:
            raise Answered("somebody else changed the mark meanwhile; look at it again, "
                           "nothing was written") from None
        except BaseException:
            self.db.rollback()
            raise

    def _answer(self, request: Request, state: str, words: str, author: str,
                about: dict) -> None:
        author = author or this_person()
        changed: Any = self.db.execute(  # a CursorResult
            update(REQUESTS).where(REQUESTS.c.id == request.id, REQUESTS.c.state == OPEN)
            .values(state=state, answer=words.strip(), answered_by=author, answered_at=_now()))
        if changed.rowcount != 1:
            raise Answered(f"request {request.id} was answered by somebody else meanwhile; "
                           "nothing was written")
        self.ledger.record(ANSWERED, self.homework, request.student, request.cell, author,
                           request=request.id, verdict=state, words=words.strip(), **about)

    def add(self, **values: Any) -> int:
        """A new row; its number. The caller commits."""
        added: Any = self.db.execute(insert(REQUESTS).values(
            {"homework": self.homework, "answer": "", "answered_by": "", **values}))
        return added.inserted_primary_key[0]

    def change(self, number: int, **values: Any) -> None:
        """Other values in a row. The caller commits."""
        self.db.execute(update(REQUESTS).where(REQUESTS.c.id == number).values(values))


def forget(db: Session | scoped_session[Session], student: str) -> int:
    """Remove every request of a student; how many there were. For `viva forget` alone.

    Where others of a group asked about work under this name, the name goes.
    """
    own = REQUESTS.c.student == student
    count = db.scalar(select(func.count()).select_from(REQUESTS).where(own))
    db.execute(delete(REQUESTS).where(own))
    db.execute(update(REQUESTS).where(REQUESTS.c.submitter == student)
               .values(submitter="", attempt=""))
    return count or 0


def of_student(db: Session | scoped_session[Session], student: str) -> list[Request]:
    """All that a student ever asked, in every homework."""
    return list(map(_request, db.execute(
        select(REQUESTS).where(REQUESTS.c.student == student).order_by(REQUESTS.c.id))))


@contextmanager
def opened(course: Course, homework: str) -> Iterator[Requests]:
    """The requests about a homework; what the block changes is kept if it ends without an error."""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        queue = Requests(gradebook.db, course, homework)
        yield queue
        gradebook.db.commit()


def _request(row: Any) -> Request:
    values = dict(row._mapping)
    for name in ("at", "answered_at"):
        values[name] = values[name] and values[name].replace(tzinfo=UTC)
    return Request(**values)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
