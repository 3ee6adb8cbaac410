"""nbgrader's manual score and comment of written answers: read, and written if nobody was faster.

Every change names what its author saw. It is made only where that still stands, by one UPDATE whose
WHERE says so: two TAs, or a TA and formgrader, never overwrite each other unknowingly.
"""

from dataclasses import dataclass

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import select, update


class Conflict(Exception):
    """Somebody else graded one of the answers meanwhile. `students`: whose."""

    def __init__(self, students: list[str]):
        super().__init__(f"graded by somebody else meanwhile: {', '.join(students)}")
        self.students = students


@dataclass(frozen=True)
class Written:
    """The mark of one answer as the gradebook has it."""

    student: str
    score: float | None  # the TA's; None: not graded by a person
    automatic: float | None
    comment: str
    pending: bool
    grade: str  # ids of the rows
    remark: str


class Marks:
    """The written answers of one homework in the gradebook."""

    def __init__(self, course, homework: str):
        self.gradebook = Gradebook(course.db_url, course.directory.course_id)
        self.db, self.homework = self.gradebook.db, homework

    def close(self) -> None:
        self.gradebook.close()

    def of(self, question: str, notebook: str) -> dict[str, Written]:
        """{student: mark} of a question."""
        rows = self.db.execute(
            select(SubmittedAssignment.student_id, Grade, Comment)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .join(GradeCell, GradeCell.id == Grade.cell_id)
            .join(Comment, Comment.notebook_id == SubmittedNotebook.id)
            .where(Assignment.name == self.homework, Notebook.name == notebook,
                   GradeCell.name == question, Comment.cell.has(name=question)))
        found = {student: Written(student, grade.manual_score, grade.auto_score,
                                  comment.manual_comment or "", bool(grade.needs_manual_grade),
                                  grade.id, comment.id)
                 for student, grade, comment in rows}
        self.db.rollback()  # leave no read transaction open, nor a stale copy
        return found

    def write(self, changes: list[dict]) -> None:
        """All changes or none; Conflict names the students whose marks are no longer what was seen.

        A change: student, grade, remark (ids), seen {score, comment}, score, comment.
        """
        late = []
        try:
            for change in changes:
                seen, score = change["seen"], change["score"]
                comment = change["comment"] or None
                graded = self.db.execute(
                    update(Grade).where(Grade.id == change["grade"], Grade.manual_score
                                        .is_not_distinct_from(seen["score"]))
                    .values(manual_score=score, needs_manual_grade=score is None
                            and Grade.auto_score.is_(None))
                    .execution_options(synchronize_session=False))
                remarked = self.db.execute(
                    update(Comment).where(Comment.id == change["remark"], Comment.manual_comment
                                          .is_not_distinct_from(seen["comment"] or None))
                    .values(manual_comment=comment)
                    .execution_options(synchronize_session=False))
                if graded.rowcount != 1 or remarked.rowcount != 1:
                    late.append(change["student"])
            if late:
                raise Conflict(late)
            self.db.commit()
        except BaseException:
            self.db.rollback()
            raise
