"""A class's marks as they may be published: the gradebook's, and what the roster makes of them."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import Select, select
from sqlalchemy.orm import selectinload, with_polymorphic

from viva_examiner.course import Course
from viva_examiner.gradebook import class_roster as rosters
from viva_examiner.gradebook.handed_in import has_notebook
from viva_examiner.gradebook.lateness import (
    CountedAttempt,
    Lateness,
    SubmissionTimes,
    counted,
    days_begun,
    penalty,
)
from viva_examiner.gradebook.standing import Cell, Standing, of_cells, of_columns
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

    def __init__(self, gradebook: Gradebook, course: Course) -> None:
        self.db, self.course = gradebook.db, course
        self.roster = rosters.read(course)
        step = AssignLatePenalties(config=course.config)
        step.init_plugin()
        self.policy = step.plugin_inst
        self._submissions: dict[str, dict[str, SubmittedAssignment]] = {}
        self._marks: dict[str, list[Cell]] = {}  # by the id of a submitted notebook

    def of(self, homework: str) -> list[Result]:
        """Everybody's result in one homework, by student id; attempts are no students."""
        found = {each.id: each for each in self.db.scalars(select(Student))}
        lie_there = {each.student: each.folder for each in submissions(self.course, homework)}
        found |= {name: Student(id=name) for name in set(lie_there) - set(found)}
        self._load(homework)
        people = [found[name] for name in sorted(found) if not self.roster.is_attempt(name)]
        works = self._works(list(found))
        assignment = self.db.scalars(select(Assignment).where(Assignment.name == homework)).one()
        results = [self._result(each, assignment, works.get(each.id, [])) for each in people]
        arrived: dict[str, set[str]] = {}
        for name in lie_there:
            owner = self.roster.owner(name, homework)
            alone = not self.roster.group(owner, homework)  # else everybody is asked for each
            for author in [owner] if alone else self.roster.authors(name, homework, found):
                arrived.setdefault(author, set()).add(name)
        bare = {name for name, folder in lie_there.items() if not has_notebook(folder)}
        for each in results:
            theirs = arrived.get(each.student.id, set())
            each.standing.not_autograded = bool(theirs)
            counts = {each.submitter} if each.submitter else theirs
            each.standing.not_a_notebook = bool(counts) and counts <= bare
        return results

    def of_student(self, student: str) -> list[Result]:
        """One person's result in every homework, by its name."""
        person = self.db.get(Student, student) or Student(id=student)
        everybody = list(self.db.scalars(select(Student.id)))
        works = self._works(everybody).get(student, [])
        results = []
        for assignment in self.db.scalars(select(Assignment).order_by(Assignment.name)):
            each = self._result(person, assignment, works)
            folders = {name: Path(self.course.path("submitted", name, assignment.name))
                       for name in self._names(student, assignment.name, everybody)}
            there = {name for name, folder in folders.items() if folder.is_dir()}
            each.standing.not_autograded = bool(there)
            counts = {each.submitter} & there if each.submitter else there
            each.standing.not_a_notebook = bool(counts) and not any(
                has_notebook(folders[name]) for name in counts)
            results.append(each)
        return results

    def _names(self, student: str, homework: str, everybody: list[str]) -> set[str]:
        """Under which names a student's work may lie: their own, attempts, the group's."""
        group = self.roster.group(student, homework)
        people = self.roster.authors(student, homework, everybody) if group else [student]
        attempts = [line.student for line in self.roster.lines.values()
                    if line.attempt_of in people]
        return {student, *people, *attempts}

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
            late = found.late.get(name, Lateness()) if found else Lateness()
            self._write_penalty(submissions[name], owner, late)
        self.db.flush()

    def _write_penalty(self, submission: SubmittedAssignment, owner: str, late: Lateness) -> None:
        """A homework of several notebooks shares its penalty by what each has earned."""
        standing = self._earned(submission)
        total = penalty(self.policy, owner, standing.earned, late)
        for notebook in submission.notebooks:
            own = sum(cell.final for cell in self._marks[notebook.id] if not cell.waits)
            value = total * own / standing.earned if total else None
            if notebook.late_submission_penalty != value:
                notebook.late_submission_penalty = value

    def _result(self, student: Student, assignment: Assignment,
                works: list[SubmissionTimes]) -> Result:
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

    def _counted(self, student: str, works: list[SubmissionTimes]) -> dict[str, CountedAttempt]:
        return counted(self.roster, student, works,
                       lambda work, late: self._standing(student, work, late).so_far,
                       getattr(self.policy, "days_late", days_begun))

    def _standing(self, student: str, work: SubmissionTimes, late: Lateness) -> Standing:
        return self._charged(self._submission(work), student, late)

    def _charged(self, submission: SubmittedAssignment, student: str, late: Lateness) -> Standing:
        standing = self._earned(submission)
        standing.penalty = penalty(self.policy, student, standing.earned, late)
        return standing

    def _earned(self, submission: SubmittedAssignment) -> Standing:
        """A submission before a late penalty."""
        cells = [cell for notebook in submission.notebooks for cell in self._marks[notebook.id]]
        return of_cells(cells, 0.0, submission.timestamp)

    def _works(self, students: list[str]) -> dict[str, list[SubmissionTimes]]:
        """{student: every submission that may count for them}."""
        rows = self.db.execute(
            select(SubmittedAssignment.student_id, Assignment.name, Assignment.duedate,
                   SubmittedAssignment.timestamp, SubmittedAssignment.extension)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id))
        groups: dict[tuple[str, str], list[str]] = {}
        found: dict[str, list[SubmissionTimes]] = {}
        for submitter, homework, due, at, extended in rows:
            work = SubmissionTimes(submitter, homework, due, at, extended or timedelta())
            owner = self.roster.owner(submitter, homework)
            group = self.roster.group(owner, homework)
            if group and (homework, group) not in groups:
                groups[homework, group] = self.roster.authors(owner, homework, students)
            for author in groups.get((homework, group), [owner]) if group else [owner]:
                found.setdefault(author, []).append(work)
        return found

    def _submission(self, work: SubmissionTimes) -> SubmittedAssignment:
        if work.submitter not in self._submissions.get(work.homework, {}):
            self._load(work.homework, [work.submitter])
        return self._submissions[work.homework][work.submitter]

    def _load(self, homework: str, submitters: list[str] | None = None) -> None:
        query = (select(SubmittedAssignment).join(Assignment).where(Assignment.name == homework)
                 .options(selectinload(SubmittedAssignment.notebooks)))
        if submitters is not None:
            query = query.where(SubmittedAssignment.student_id.in_(submitters))
        found = {each.student_id: each for each in self.db.scalars(query).unique()}
        self._submissions.setdefault(homework, {}).update(found)
        self._marks |= {notebook.id: [] for each in found.values() for notebook in each.notebooks}
        self._read_marks(homework, submitters)

    def _read_marks(self, homework: str, submitters: list[str] | None) -> None:
        """The marks as columns: a class has thousands, and as objects they take ten times as long.

        Cells worth nothing are left out.
        """
        every = with_polymorphic(BaseCell, "*")
        cells = list(self.db.scalars(
            select(every).join(Notebook, Notebook.id == every.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Assignment.name == homework)))
        written = {(cell.notebook_id, cell.name) for cell in cells
                   if cell.type in ("SolutionCell", "TaskCell")}
        graded = {cell.id: (cell.name, cell.max_score, (cell.notebook_id, cell.name) in written)
                  for cell in cells if cell.type in ("GradeCell", "TaskCell")}
        query = (
            select(Grade.notebook_id, Grade.cell_id, Grade.auto_score, Grade.manual_score,
                   Grade.extra_credit, Grade.needs_manual_grade)
            .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .where(Assignment.name == homework))
        if submitters is not None:
            query = query.where(SubmittedAssignment.student_id.in_(submitters))
        for notebook, cell, *columns in self.db.execute(query):
            about = graded.get(cell)
            if about is not None and (about[1] > 0 or columns[2]):
                self._marks[notebook].append(of_columns(*about, *columns))


def graded_submissions(homework: str) -> Select[tuple[SubmittedAssignment]]:
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
