"""How far each homework of a course is: counted by the database, for all of them at once.

`standing` says of one mark why it waits; here the same is said as a condition, so that sixteen
homeworks of a thousand students are one question. A test holds the two together.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    GradeCell,
    SolutionCell,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import Table, and_, case, func, or_, select
from sqlalchemy.orm import Session, scoped_session


@dataclass
class Count:
    """One homework: whose submissions the gradebook has, and how many of them wait for a person."""

    homework: str
    due: datetime | None
    submitters: set[str] = field(default_factory=set)
    ungraded: int = 0  # written answers that nobody has graded
    look: int = 0
    waiting: int = 0  # for one or the other


def counts(db: Session | scoped_session[Session]) -> dict[str, Count]:
    """{homework: Count} of every homework that the gradebook knows."""
    found = {name: Count(name, due)
             for name, due in db.execute(select(Assignment.name, Assignment.duedate))}
    for name, submitter in db.execute(
            select(Assignment.name, SubmittedAssignment.student_id)
            .join(SubmittedAssignment, SubmittedAssignment.assignment_id == Assignment.id)):
        found[name].submitters.add(submitter)
    for name, ungraded, look, waiting in db.execute(_waiting()):
        found[name].ungraded, found[name].look, found[name].waiting = ungraded, look, waiting
    return found


def _waiting() -> Any:
    """(homework, how many submissions wait for a grader, for a look, for one or the other)."""
    base, graded, tasks = (_table(each) for each in (BaseCell, GradeCell, TaskCell))
    written = _table(SolutionCell)
    answers = base.alias("answers")
    is_written = or_(
        select(answers.c.id).join(written, written.c.id == answers.c.id)
        .where(answers.c.notebook_id == base.c.notebook_id, answers.c.name == base.c.name).exists(),
        tasks.c.id.is_not(None))
    worth = func.coalesce(graded.c.max_score, tasks.c.max_score, 0)
    nothing = and_(Grade.manual_score.is_(None), Grade.auto_score.is_(None))
    earlier = and_(Grade.manual_score.is_not(None), Grade.auto_score.is_(None))
    ungraded = and_(is_written, or_(nothing, earlier))
    ids = SubmittedAssignment.id
    return (
        select(Assignment.name, func.count(func.distinct(case((ungraded, ids)))),
               func.count(func.distinct(case((~ungraded, ids)))), func.count(func.distinct(ids)))
        .select_from(Grade)
        .join(base, base.c.id == Grade.cell_id)
        .outerjoin(graded, graded.c.id == base.c.id)
        .outerjoin(tasks, tasks.c.id == base.c.id)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(or_(nothing, Grade.needs_manual_grade),
               or_(worth > 0, func.coalesce(Grade.extra_credit, 0) != 0))
        .group_by(Assignment.name))


def _table(model: Any) -> Table:
    return model.__table__
