"""Exporters, for `viva export` and `nbgrader export`: a class's marks as CSV files.

A mark that does not exist is an empty field with a note, never a zero: not handed in, written
answers not graded yet, or something that needs a look. Groups, attempts and late days are those of
the roster.
"""

from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook, Student
from nbgrader.plugins import ExportPlugin

from viva_examiner.course import Course
from viva_examiner.gradebook import autograded
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.results import Result, Results
from viva_examiner.gradebook.standing import NOT_A_NOTEBOOK, Cell, Standing
from viva_examiner.gradebook.voce_results import VoceResult, in_words, latest
from viva_examiner.nbgrader_steps.spreadsheet import write_csv
from viva_examiner.records import Rubric

Row = tuple[str, ...]
Person = tuple[Student, dict[str, Result]]  # a student's results by homework
PERSON = ("student_id", "last_name", "first_name", "email")


class Exporter(ExportPlugin):
    """What the exporters share."""

    default_name = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        path = Path(self.to or self.default_name)
        self.course = Course(Path(self.parent.coursedir.root))
        results = self.results(gradebook)
        self.heard = _heard(gradebook)
        self.write(path, results)
        final = sum(result.standing.score is not None for result in results)
        self.log.info("Exported %s marks to %s; %s more are not final", final, path,
                      len(results) - final)

    def write(self, path: Path, results: list[Result]) -> None:
        write_csv(path, self.rows(results))

    def results(self, gradebook: Gradebook) -> list[Result]:
        """Every student's result in every homework, as far as asked for."""
        homeworks, students = set(map(str, self.assignment)), set(map(str, self.student))
        marks = Results(gradebook, self.course)
        return [result for assignment in gradebook.assignments
                if not homeworks or assignment.name in homeworks
                for result in marks.of(assignment.name)
                if not students or result.student.id in students]

    def rows(self, results: list[Result]) -> Iterator[Row]:
        """The lines of the file, the header first."""
        raise NotImplementedError


def _heard(gradebook: Gradebook) -> dict[tuple[str, str], list[VoceResult]]:
    """{(homework, student): what came of their viva voce}."""
    found: dict[tuple[str, str], list[VoceResult]] = {}
    for (homework, student, _), heard in latest(Ledger(gradebook.db)).items():
        found.setdefault((homework, student), []).append(heard)
    return found


class ByHomework(Exporter):
    """A line per student and homework: the final mark, or what there is so far and why."""

    def rows(self, results: list[Result]) -> Iterator[Row]:
        yield ("assignment", *PERSON, "timestamp", "score", "max_score", "so_far", "of",
               "waits_for_a_ta", "late_penalty", "late_days", "submission_of", "status", "voce")
        for result in results:
            standing = result.standing
            known = standing.handed_in
            yield (result.homework, *person(result.student), str(standing.timestamp or ""),
                   number(standing.score), number(standing.points),
                   number(standing.so_far if known else None),
                   number(standing.judged if known else None), number(standing.waiting or None),
                   number(standing.penalty or None), number(result.late_days or None),
                   result.submitter if result.submitter != result.student.id else "",
                   standing.note or "final",
                   in_words(self.heard.get((result.homework, result.student.id), ())))


class ByExercise(Exporter):
    """A line per student and exercise; a late penalty is a line of its own."""

    default_name = "exercises.csv"

    def rows(self, results: list[Result]) -> Iterator[Row]:
        yield ("assignment", *PERSON, "timestamp", "exercise", "kind", "score", "max_score", "note")
        for result in results:
            standing = result.standing
            head = (result.homework, *person(result.student), str(standing.timestamp or ""))
            if not standing.handed_in:
                yield (*head, "", "", "", number(standing.points), standing.note)
            for cell in standing.cells:
                kind = "by hand" if cell.by_hand else "automatic"
                yield (*head, cell.exercise, kind, mark(cell), number(cell.points),
                       note(cell, standing))
            if standing.penalty:
                yield (*head, "late penalty", "automatic", number(-standing.penalty), "0", "")


class ByItem(Exporter):
    """A line per student and rubric item, from the notebooks in autograded/."""

    default_name = "items.csv"

    def rows(self, results: list[Result]) -> Iterator[Row]:
        yield ("assignment", *PERSON, "exercise", "item", "score", "max_score", "message",
               "mistake", "note")
        for result in results:
            head = (result.homework, *person(result.student))
            if not result.standing.handed_in:
                yield (*head, "", "", "", number(result.standing.points), "", "",
                       result.standing.note)
            rubrics = self.rubrics(result)
            for cell in result.standing.cells:
                reports = rubrics.get(cell.name, ())
                if not reports or cell.waits or cell.by_hand:
                    yield (*head, cell.exercise, "", mark(cell), number(cell.points), "", "",
                           note(cell, result.standing))
                    continue
                for report in reports:
                    for item in report.items:
                        yield (*head, cell.exercise, item.name, number(item.earned),
                               number(item.points), item.message, report.mistake,
                               note(cell, result.standing))

    def rubrics(self, result: Result) -> dict[str, tuple[Rubric, ...]]:
        """{grade_id: reports} that the examiner left in this student's autograded notebooks."""
        folder = Path(self.course.path("autograded", result.submitter, result.homework))
        found: dict[str, tuple[Rubric, ...]] = {}
        for path in sorted(folder.glob("*.ipynb")) if result.submitter else ():
            if left := autograded.read(path):  # else graded by stock nbgrader: no items
                found |= {name: mark.rubric for name, mark in left[0].marks.items()}
        return found


class Canvas(Exporter):
    """A line per student, a column per homework, as Canvas's gradebook imports it.

    Canvas takes every further column for a new assignment, so notes go to a file beside it. A
    column meets an existing assignment by a name with its number (`c.Examiner.columns`).
    """

    default_name = "canvas.csv"

    def write(self, path: Path, results: list[Result]) -> None:
        super().write(path, results)
        notes = [(result.student.id, result.homework, result.standing.note)
                 for result in results if result.standing.note]
        notes_file = notes_path(path)
        if notes:
            write_csv(notes_file, [("student_id", "assignment", "note"), *notes])
        else:
            notes_file.unlink(missing_ok=True)

    def rows(self, results: list[Result]) -> Iterator[Row]:
        homeworks, people = table(results)
        names = [self.course.column(name, numbered=True) for name in homeworks]
        yield ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names)
        yield ("    Points Possible", "", "", "", "", *map(number, homeworks.values()))
        for student, by_homework in people:
            name = ", ".join(filter(None, (student.last_name, student.first_name))) or student.id
            yield (name, student.lms_user_id or "", student.id, student.id, "",
                   *(number(by_homework[homework].standing.score) for homework in homeworks))


def notes_path(path: Path) -> Path:
    """Where the notes of a file for Canvas stand."""
    return path.with_name(f"{path.stem}_notes.csv")


class Moodle(Exporter):
    """A line per student; a grade and a feedback column per homework, as Moodle exports them."""

    default_name = "moodle.csv"

    def rows(self, results: list[Result]) -> Iterator[Row]:
        homeworks, people = table(results)
        columns = [f"{self.course.column(name)}{part}" for name in homeworks
                   for part in ("", " (feedback)")]
        yield ("First name", "Last name", "ID number", "Email address", *columns)
        for student, by_homework in people:
            standings = [by_homework[name].standing for name in homeworks]
            yield (student.first_name or "", student.last_name or "", student.id,
                   student.email or "",
                   *(field for each in standings for field in (number(each.score), each.note)))


EXPORTERS = {"csv": ByHomework, "canvas": Canvas, "moodle": Moodle, "exercises": ByExercise,
             "items": ByItem}


def person(student: Student) -> Row:
    return student.id, student.last_name or "", student.first_name or "", student.email or ""


def table(results: list[Result]) -> tuple[dict[str, float], list[Person]]:
    """({homework: points}, [(student, {homework: result})]), in the gradebook's order."""
    homeworks: dict[str, float] = {}
    people: dict[str, Person] = {}
    for result in results:
        most = max(homeworks.get(result.homework, 0.0), result.standing.points)
        homeworks[result.homework] = most
        people.setdefault(result.student.id, (result.student, {}))[1][result.homework] = result
    return homeworks, list(people.values())


def mark(cell: Cell) -> str:
    """A cell's mark as text; nothing while it waits."""
    return "" if cell.waits else number(cell.score)


def note(cell: Cell, standing: Standing) -> str:
    """Why a mark is missing, in the words of the whole standing where it is no notebook."""
    if cell.waits:
        return NOT_A_NOTEBOOK if standing.not_a_notebook else cell.waits
    return f"with {cell.extra:g} extra" if cell.extra else ""


def number(value: float | None) -> str:
    """A mark as text; nothing for no mark."""
    return "" if value is None else f"{value:.10g}"
