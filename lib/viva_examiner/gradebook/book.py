"""Write marks into nbgrader's gradebook: many submissions in one transaction, all or nothing."""

import time
from datetime import datetime
from typing import Any

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import joinedload

from viva_examiner.course import Course
from viva_examiner.gradebook import class_roster as rosters
from viva_examiner.gradebook.by_hand import ByHand
from viva_examiner.gradebook.database import gradebook_errors, is_hopeless
from viva_examiner.gradebook.results import Results, graded_submissions
from viva_examiner.records import UNREADABLE, Graded, Mark

LOCKED_SECONDS = 120  # seconds to wait for a database that is locked or restarts


class Book:
    """An open gradebook of one homework. The coordinator is its only writer here."""

    def __init__(self, course: Course, homework: str) -> None:
        rosters.read(course)  # a fault in it is reported before anything is graded
        with gradebook_errors():
            self.gradebook = Gradebook(course.db_url, course.directory.course_id)
        self.db = self.gradebook.db
        self.homework = homework
        self.course = course

    def __enter__(self) -> "Book":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.gradebook.close()

    def write(self, results: list[tuple[Graded, datetime | None]]) -> None:
        """Record graded notebooks, each with its time of submission (or None)."""
        deadline = time.monotonic() + LOCKED_SECONDS
        with gradebook_errors():
            while True:
                try:
                    self._record(results)
                    self.db.commit()
                    return
                except OperationalError as error:
                    self.db.rollback()
                    if is_hopeless(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(0.2)
                except BaseException:
                    self.db.rollback()
                    raise

    def notice(self) -> None:
        """Record marks that were given in formgrader, while the texts they are for are there."""
        with gradebook_errors():
            ByHand(self.db, self.course, self.homework).settle()
            self.db.commit()

    def records(self) -> dict[tuple[str, str], dict]:
        """{(student, notebook): scores by cell, a TA's too and for which text, comments, time}."""
        found = {}
        with gradebook_errors():
            given = ByHand(self.db, self.course, self.homework).given_texts()
            for submission in self.db.scalars(graded_submissions(self.homework)).unique():
                for notebook in submission.notebooks:
                    found[submission.student_id, notebook.name] = {
                        "scores": {g.cell.name: g.auto_score for g in notebook.grades},
                        "comments": {c.cell.name: c.auto_comment for c in notebook.comments},
                        "by_hand": {g.cell.name: (g.manual_score, g.extra_credit or 0.0,
                                                  bool(g.needs_manual_grade))
                                    for g in notebook.grades},
                        "timestamp": submission.timestamp,
                        "given": given.get((submission.student_id, notebook.name), {}),
                    }
            self.db.rollback()  # leave no read transaction open
        return found

    def _record(self, results: list[tuple[Graded, datetime | None]]) -> None:
        """All of them with few questions to the database: one to read, one to write."""
        taken = self._taken([graded.student for graded, _ in results])
        for graded, timestamp in results:
            submission = taken[graded.student]
            if timestamp is not None:
                submission.timestamp = timestamp
            notebook = next(n for n in submission.notebooks if n.name == graded.notebook)
            for grade in notebook.grades:
                mark = graded.marks.get(grade.cell.name)
                if mark is not None:
                    _mark(grade, mark, graded)
            for comment in notebook.comments:
                if comment.cell.name in graded.comments:
                    comment.auto_comment = graded.comments[comment.cell.name] or None
        self.db.flush()
        ByHand(self.db, self.course, self.homework).settle(list(taken))
        Results(self.gradebook, self.course).settle(self.homework, list(taken))

    def _taken(self, students: list[str]) -> dict[str, SubmittedAssignment]:
        """The submissions of these students; those who had none have one now."""
        query = graded_submissions(self.homework).where(
            SubmittedAssignment.student_id.in_(students))
        found = {each.student_id: each for each in self.db.scalars(query).unique()}
        missing = [student for student in dict.fromkeys(students) if student not in found]
        if not missing:
            return found
        known = set(self.db.scalars(select(Student.id).where(Student.id.in_(missing))))
        self.db.add_all(Student(id=student) for student in missing if student not in known)
        self.db.flush()
        assignment = self.db.scalars(
            select(Assignment).where(Assignment.name == self.homework)
            .options(joinedload(Assignment.notebooks))
        ).unique().one()
        with self.db.no_autoflush:  # one insert for all of it, when it is complete
            for student in missing:
                found[student] = self._new(assignment, student)
        self.db.flush()
        return found

    def _new(self, assignment: Assignment, student: str) -> SubmittedAssignment:
        """A submission with a place for every grade and comment, as nbgrader makes it."""
        submission = SubmittedAssignment(assignment=assignment, student_id=student)
        for notebook in assignment.notebooks:
            taken = SubmittedNotebook(notebook=notebook, assignment=submission)
            for cell in (*notebook.grade_cells, *notebook.task_cells):
                Grade(cell=cell, notebook=taken)
            for cell in (*notebook.solution_cells, *notebook.task_cells):
                Comment(cell=cell, notebook=taken)
        self.db.add(submission)
        return submission


def _mark(grade: Grade, mark: Mark, graded: Graded) -> None:
    """Set the automatic score. A TA's score, extra credit and comment are never touched."""
    changed = grade.auto_score != mark.score
    grade.auto_score = mark.score
    if grade.manual_score is not None:
        grade.needs_manual_grade = grade.needs_manual_grade or changed
    else:
        grade.needs_manual_grade = mark.score is None or graded.status == UNREADABLE
