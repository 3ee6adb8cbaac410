"""A class's marks as they may be published: the gradebook's, and what the roster makes of them."""

from dataclasses import dataclass
from datetime import timedelta

from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import select
from sqlalchemy.orm import selectinload

from viva_examiner.gradebook import roster as rosters
from viva_examiner.gradebook.lateness import Counted, HandedIn, Late, counted, days_begun, penalty
from viva_examiner.gradebook.standing import Standing, cells_of, of_submission
from viva_examiner.gradebook.submissions import submissions


@dataclass
class Result:
    """What one student gets for one homework."""

    student: Student
    homework: str
    standing: Standing
    submitter: str = ""  # under whose name the work that counts lies in autograded/
    late_days: int = 0  # spent on it


class Results:
    """The marks of a course, with its late policy and its roster."""

    def __init__(self, gradebook: Gradebook, course):
        self.db, self.course = gradebook.db, course
        self.roster = rosters.read(course)
        step = AssignLatePenalties(config=course.config)
        step.init_plugin()
        self.policy = step.plugin_inst
        self._submissions: dict[str, dict[str, SubmittedAssignment]] = {}

    def of(self, homework: str) -> list[Result]:
        """Everybody's result in one homework, by student id; attempts are no students."""
        found = {each.id: each for each in self.db.scalars(select(Student))}
        lie_there = {each.student for each in submissions(self.course, homework)}
        found |= {name: Student(id=name) for name in lie_there - set(found)}
        self._load(homework)
        people = [found[name] for name in sorted(found) if not self.roster.is_attempt(name)]
        works = self._works(list(found))
        assignment = self.db.scalars(select(Assignment).where(Assignment.name == homework)).one()
        results = [self._result(each, assignment, works.get(each.id, [])) for each in people]
        arrived = {author for name in lie_there
                   for author in self.roster.authors(name, homework, found)}
        for each in results:
            each.standing.lies_there = each.student.id in arrived
        return results

    def submitted(self, homework: str) -> dict[str, Standing]:
        """{submitter: standing} of every submission, for whoever handed it in."""
        self._load(homework)
        works = self._works(list(self.db.scalars(select(Student.id))))
        found = {}
        for name, submission in self._submissions[homework].items():
            owner = self.roster.owner(name, homework)
            late = self._counted(owner, works.get(owner, []))[homework].late[name]
            found[name] = self._charged(submission, owner, late)
        return found

    def pages(self, homework: str) -> dict[str, str]:
        """{submitter: id of the submitted notebook}, under which formgrader shows it."""
        self._load(homework)
        return {name: min(submission.notebooks, key=lambda each: each.name).id
                for name, submission in self._submissions[homework].items()
                if submission.notebooks}

    def late_days(self, student: str) -> dict[str, int]:
        """{homework: late days that a student spent on it}."""
        ids = list(self.db.scalars(select(Student.id)))
        found = self._counted(student, self._works(ids).get(student, []))
        return {homework: each.spent for homework, each in found.items() if each.spent}

    def settle(self, homework: str, submitters: list[str] | None = None) -> None:
        """Write the late penalties into nbgrader's own column, where formgrader shows them.

        submitters: only these; everybody's by default. The caller commits.
        """
        self._load(homework, submitters)
        submissions = self._submissions[homework]
        wanted = list(submissions) if submitters is None else submitters
        due = self.db.scalar(select(Assignment.duedate).where(Assignment.name == homework))
        works = self._works(list(self.db.scalars(select(Student.id)))) if due else {}
        for name in wanted:
            owner = self.roster.owner(name, homework)
            found = self._counted(owner, works.get(owner, [])).get(homework)
            late = found.late.get(name, Late()) if found else Late()
            self._write_penalty(submissions[name], owner, late)
        self.db.flush()

    def _write_penalty(self, submission, owner: str, late: Late) -> None:
        """A homework of several notebooks shares its penalty by what each has earned."""
        standing = of_submission(submission, 0.0)
        total = penalty(self.policy, owner, standing.earned, late)
        for notebook in submission.notebooks:
            own = sum(cell.score for cell in cells_of(notebook) if not cell.waits)
            value = total * own / standing.earned if total else None
            if notebook.late_submission_penalty != value:
                notebook.late_submission_penalty = value

    def _result(self, student, assignment, works: list[HandedIn]) -> Result:
        found = self._counted(student.id, works).get(assignment.name)
        if found is None:
            return Result(student, assignment.name,
                          Standing([], False, float(assignment.max_score or 0.0)))
        chosen = found.chosen
        standing = self._standing(student.id, chosen, found.late[chosen.submitter])
        for other in found.rivals:
            late = found.late[other.submitter]
            if self._standing(student.id, other, late).at_most > standing.so_far:
                standing.rival = other.submitter
        return Result(student, assignment.name, standing, chosen.submitter, found.spent)

    def _counted(self, student: str, works: list[HandedIn]) -> dict[str, Counted]:
        return counted(self.roster, student, works,
                       lambda work, late: self._standing(student, work, late).so_far,
                       getattr(self.policy, "days_late", days_begun))

    def _standing(self, student: str, work: HandedIn, late: Late) -> Standing:
        return self._charged(self._submission(work), student, late)

    def _charged(self, submission, student: str, late: Late) -> Standing:
        standing = of_submission(submission, 0.0)
        standing.penalty = penalty(self.policy, student, standing.earned, late)
        return standing

    def _works(self, students: list[str]) -> dict[str, list[HandedIn]]:
        """{student: every submission that may count for them}."""
        rows = self.db.execute(
            select(SubmittedAssignment.student_id, Assignment.name, Assignment.duedate,
                   SubmittedAssignment.timestamp, SubmittedAssignment.extension)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id))
        groups: dict[tuple[str, str], list[str]] = {}
        found: dict[str, list[HandedIn]] = {}
        for submitter, homework, due, at, extended in rows:
            work = HandedIn(submitter, homework, due, at, extended or timedelta())
            owner = self.roster.owner(submitter, homework)
            group = self.roster.group(owner, homework)
            if group and (homework, group) not in groups:
                groups[homework, group] = self.roster.authors(owner, homework, students)
            for author in groups.get((homework, group), [owner]) if group else [owner]:
                found.setdefault(author, []).append(work)
        return found

    def _submission(self, work: HandedIn) -> SubmittedAssignment:
        if work.submitter not in self._submissions.get(work.homework, {}):
            self._load(work.homework, [work.submitter])
        return self._submissions[work.homework][work.submitter]

    def _load(self, homework: str, submitters: list[str] | None = None) -> None:
        query = graded_submissions(homework)
        if submitters is not None:
            query = query.where(SubmittedAssignment.student_id.in_(submitters))
        found = {each.student_id: each for each in self.db.scalars(query).unique()}
        self._submissions.setdefault(homework, {}).update(found)


def graded_submissions(homework: str):
    """A query for a homework's submissions, with grades and comments, in few questions."""
    notebooks = selectinload(SubmittedAssignment.notebooks)
    return (
        select(SubmittedAssignment)
        .join(Assignment)
        .where(Assignment.name == homework)
        .options(
            notebooks.selectinload(SubmittedNotebook.grades).joinedload(Grade.cell),
            notebooks.selectinload(SubmittedNotebook.comments).joinedload(Comment.cell),
            notebooks.joinedload(SubmittedNotebook.notebook),
        )
    )
