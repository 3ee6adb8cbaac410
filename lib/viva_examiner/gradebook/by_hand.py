"""Marks that people give: nbgrader's manual score and comment, and the ledger's entry of each.

An entry of a mark (ledger.MARK, or ledger.UNDO where one was taken back) holds

    score, comment  what stands since then; a score of None: no mark
    before          {score, comment} that stood until then
    items           [{says, points, share}] that were ticked; None where no rubric was used
    text, answer    the digest of the answer the mark was given for, and the answer

A mark holds for that text only. `settle` looks at every mark: where the text is another one now,
the answer waits again; where nbgrader's columns say what no entry says, somebody used formgrader,
and that is recorded.
"""

from dataclasses import dataclass, field
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import and_, func, select, update
from sqlalchemy.orm import Session, aliased, scoped_session

from viva_examiner.course import Course
from viva_examiner.gradebook.ledger import CHANGED, FORMGRADER, MARK, UNDO, Entry, Ledger
from viva_examiner.gradebook.ledger_form import ENTRIES
from viva_examiner.gradebook.texts import Texts, text_digest


class Conflict(Exception):
    """Some answers are no longer as their grader saw them. `students`: whose."""

    def __init__(self, students: list[str]) -> None:
        super().__init__(f"somebody else changed these meanwhile: {', '.join(students)}")
        self.students = students


@dataclass(frozen=True)
class StandingMark:
    """A mark as nbgrader's columns have it."""

    student: str
    notebook: str
    cell: str
    score: float | None  # a person's; None: not graded by a person
    automatic: float | None
    comment: str
    flagged: bool  # nbgrader's needs_manual_grade
    grade: str  # ids of nbgrader's rows
    remark: str | None

    @property
    def stands(self) -> dict:
        return {"score": self.score, "comment": self.comment}


@dataclass(frozen=True)
class NewMark:
    """A mark that somebody wants to give, and what they saw.

    seen: score, comment, entry (id of the newest entry; 0: none) and text (digest)
    standing: also where a mark stands; else only an answer that waits is graded
    back_to: what an undo brings back: the payload of the entry before; {} if there was none
    about: further words for the entry's payload
    """

    row: StandingMark
    seen: dict
    score: float | None
    comment: str
    items: list[dict] | None = None
    standing: bool = False
    back_to: dict | None = None
    about: dict = field(default_factory=dict)


class ByHand:
    """The marks by hand of one homework, through a session of nbgrader's gradebook."""

    def __init__(self, db: Session | scoped_session[Session], course: Course,
                 homework: str) -> None:
        self.db, self.homework = db, homework
        self.ledger, self.texts = Ledger(db), Texts(course, homework)

    def name(self, row: StandingMark) -> str:
        """What the ledger calls a cell: its name, with the notebook's if there are several."""
        return row.cell if row.notebook == self.homework else f"{row.notebook}/{row.cell}"

    def rows(self, students: list[str] | None = None, cell: str | None = None,
             notebook: str | None = None) -> list[StandingMark]:
        """The marks of these students and this cell; nothing said means any."""
        of_comment = aliased(BaseCell, flat=True)
        query = (
            select(SubmittedAssignment.student_id, Notebook.name, BaseCell.name,
                   Grade.manual_score, Grade.auto_score, Comment.manual_comment,
                   Grade.needs_manual_grade, Grade.id, Comment.id)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .join(BaseCell, BaseCell.id == Grade.cell_id)
            .outerjoin(of_comment, and_(of_comment.notebook_id == Notebook.id,
                                        of_comment.name == BaseCell.name,
                                        of_comment.type.in_(("SolutionCell", "TaskCell"))))
            .outerjoin(Comment, and_(Comment.notebook_id == SubmittedNotebook.id,
                                     Comment.cell_id == of_comment.id))
            .where(Assignment.name == self.homework)
            .order_by(SubmittedAssignment.student_id, BaseCell.name))
        if students is not None:
            query = query.where(SubmittedAssignment.student_id.in_(students))
        if cell is not None:
            query = query.where(BaseCell.name == cell, Notebook.name == notebook)
        return [StandingMark(*found[:5], found[5] or "", bool(found[6]), *found[7:])
                for found in self.db.execute(query)]

    def given(self, student: str | None = None) -> dict[tuple[str, str], Entry]:
        """{(student, cell): the newest entry of a mark}."""
        return {(entry.student, entry.cell): entry for entry in self.ledger.entries(
            MARK, UNDO, homework=self.homework, student=student)}

    def seen(self, row: StandingMark, given: dict[tuple[str, str], Entry]) -> dict:
        """What somebody who looks at an answer now has seen."""
        last = given.get((row.student, self.name(row)))
        return row.stands | {"entry": last.id if last else 0,
                             "text": text_digest(self.answer(row) or "")}

    def given_texts(self) -> dict[tuple[str, str], dict[str, str]]:
        """{(student, notebook): {cell: digest of the answer that its mark is for}}."""
        found: dict[tuple[str, str], dict[str, str]] = {}
        for (student, name), entry in self.given().items():
            notebook, _, cell = name.rpartition("/")
            texts = found.setdefault((student, notebook or self.homework), {})
            texts[cell] = entry.payload.get("text") or ""
        return found

    def answer(self, row: StandingMark) -> str | None:
        """What the student wrote, as it stands in autograded/; None if it is not there."""
        return self.texts.of(row.student, row.notebook).get(row.cell)

    def settle(self, students: list[str] | None = None) -> None:
        """Bring ledger, columns and texts together. The caller commits."""
        given = self.given()
        noted = {(entry.student, entry.cell): entry.payload["text"]
                 for entry in self.ledger.entries(CHANGED, homework=self.homework)}
        for row in self.rows(students):
            key = row.student, self.name(row)
            last = given.get(key)
            if last is None and row.score is None:
                continue
            if last is None or row.stands != _stood(last):
                self._record(row, author=FORMGRADER, before=_stood(last))
            elif row.score is not None and self.is_other_text(last, row):
                self._other_text(row, last, noted.get(key))

    def is_other_text(self, last: Entry, row: StandingMark) -> bool:
        """Whether the answer is another one than that for which its mark was given."""
        answer, given = self.answer(row), last.payload.get("text")
        return answer is not None and bool(given) and text_digest(answer) != given

    def _other_text(self, row: StandingMark, last: Entry, noted: str | None) -> None:
        now = text_digest(self.answer(row) or "")
        if noted != now:
            self.ledger.record(CHANGED, self.homework, row.student, self.name(row), text=now,
                               author="viva")
            self._flag(row)
        elif not row.flagged:  # it waited, and somebody gave the same mark in formgrader
            self._record(row, author=FORMGRADER, before=_stood(last))

    def _flag(self, row: StandingMark) -> None:
        self.db.execute(update(Grade).where(Grade.id == row.grade)
                        .values(needs_manual_grade=True)
                        .execution_options(synchronize_session="fetch"))

    def _record(self, row: StandingMark, author: str, before: dict) -> None:
        """An entry of what nbgrader's columns say."""
        answer = self.answer(row)
        self.ledger.record(
            MARK, self.homework, row.student, self.name(row), author=author, **row.stands,
            before=before, items=None, answer=answer,
            text="" if answer is None else text_digest(answer))

    def write(self, changes: list[NewMark], author: str = "") -> list[int]:
        """All changes or none, committed; Conflict names whose answers are not as they were seen.

        Every change is one UPDATE whose WHERE says what its author saw, so that nobody, not even
        formgrader, is overwritten unknowingly. Returns the ids of the entries.
        """
        try:
            late = [change.row.student for change in changes if not self._update(change)]
            newest = self._newest()  # after the updates: whoever was faster has committed
            late += [change.row.student for change in changes if change.row.student not in late
                     and (newest.get((change.row.student, self.name(change.row)), 0)
                          != change.seen["entry"]
                          or text_digest(self.answer(change.row) or "") != change.seen["text"])]
            if late:
                raise Conflict(late)
            ids = [self._entry(change, author) for change in changes]
            self.db.commit()
        except BaseException:
            self.db.rollback()
            raise
        return ids

    def _update(self, change: NewMark) -> bool:
        row, seen = change.row, change.seen
        stale = change.back_to is not None and change.score is not None and (
            change.back_to.get("text") != seen["text"])  # the old mark was for another text
        where = [Grade.id == row.grade, Grade.manual_score.is_not_distinct_from(seen["score"])]
        if not change.standing:
            where.append(Grade.manual_score.is_(None) | Grade.needs_manual_grade)
        graded: Any = self.db.execute(  # a CursorResult
            update(Grade).where(*where)
            .values(manual_score=change.score, needs_manual_grade=stale or (
                Grade.auto_score.is_(None) if change.score is None else False))
            .execution_options(synchronize_session=False))
        if row.remark is None:  # a test: nobody comments on it
            return graded.rowcount == 1
        remarked: Any = self.db.execute(
            update(Comment).where(Comment.id == row.remark, Comment.manual_comment
                                  .is_not_distinct_from(seen["comment"] or None))
            .values(manual_comment=change.comment or None)
            .execution_options(synchronize_session=False))
        return graded.rowcount == 1 and remarked.rowcount == 1

    def _newest(self) -> dict[tuple[str, str], int]:
        return {(student, cell): number for student, cell, number in self.db.execute(
            select(ENTRIES.c.student, ENTRIES.c.cell, func.max(ENTRIES.c.id))
            .where(ENTRIES.c.homework == self.homework, ENTRIES.c.kind.in_((MARK, UNDO)))
            .group_by(ENTRIES.c.student, ENTRIES.c.cell))}

    def _entry(self, change: NewMark, author: str) -> int:
        row, before = change.row, {name: change.seen[name] for name in ("score", "comment")}
        payload = {"items": change.items, "text": change.seen["text"], "answer": self.answer(row)}
        if change.back_to is not None:
            payload = {name: change.back_to.get(name) for name in payload}
        return self.ledger.record(
            MARK if change.back_to is None else UNDO, self.homework, row.student, self.name(row),
            author, **payload, score=change.score, comment=change.comment, before=before,
            **change.about)

    def undoing(self, row: StandingMark, seen: dict) -> NewMark | None:
        """What takes back the mark that stands; None if no entry says how it came about."""
        stack: list[Entry] = []
        for entry in self.ledger.entries(MARK, UNDO, homework=self.homework, student=row.student,
                                         cell=self.name(row)):
            if entry.kind == MARK:
                stack.append(entry)
            elif stack:
                stack.pop()
        if not stack:
            return None
        back_to = stack[-2].payload if len(stack) > 1 else {}
        return NewMark(row, seen, **stack[-1].payload["before"], standing=True, back_to=back_to,
                       about={"graded_by": grader(stack[-2])} if len(stack) > 1 else {})


def grader(entry: Entry) -> str:
    """Who gave the mark of an entry; whoever rescored or undid did not."""
    return entry.payload.get("graded_by") or entry.author


def _stood(last: Entry | None) -> dict:
    payload = last.payload if last else {}
    return {"score": payload.get("score"), "comment": payload.get("comment", "")}
