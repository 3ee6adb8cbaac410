"""Exporters for `nbgrader export`: by exercise, by rubric item, and for Canvas and Moodle.

    nbgrader export --exporter=viva_examiner.nbgrader_steps.exporters.ByExercise --to=exercises.csv

A mark that does not exist is an empty field with a note, never a zero: not handed in, waiting for
a human, or not graded because of a fault of the engine.
"""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from viva_examiner.files import write_whole

NO_SUBMISSION = "not handed in"
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would compute what starts with these


@dataclass
class Cell:
    """One mark of one student."""

    name: str
    score: float | None
    points: float
    by_hand: bool
    note: str = ""

    @property
    def exercise(self) -> str:
        return self.name.removeprefix("test_")


@dataclass
class Work:
    """One student's homework: its marks, or none if it was not handed in."""

    homework: str
    student: object
    cells: list[Cell]
    handed_in: bool
    points: float
    penalty: float = 0.0
    timestamp: str = ""

    @property
    def open(self) -> list[str]:
        """The exercises without a mark."""
        return [cell.exercise for cell in self.cells if cell.score is None]

    @property
    def score(self) -> float | None:
        """The total after the late penalty; None while a mark is missing."""
        if not self.handed_in or self.open:
            return None
        return round(max(0.0, sum(cell.score for cell in self.cells) - self.penalty), 6)

    @property
    def note(self) -> str:
        if not self.handed_in:
            return NO_SUBMISSION
        return f"no mark yet: {', '.join(self.open)}" if self.open else ""


class Exporter(ExportPlugin):
    """What the four exporters share."""

    default_name = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        path = Path(self.to or self.default_name)
        works = self.works(gradebook)
        write_csv(path, self.rows(works))
        missing = [work for work in works if work.note]
        self.log.info("Exported %s works to %s, %s of them without a final mark", len(works), path,
                      len(missing))

    def works(self, gradebook: Gradebook) -> list[Work]:
        """Every student's work on every homework, as far as asked for."""
        homeworks, students = set(map(str, self.assignment)), set(map(str, self.student))
        return [
            work_of(gradebook, assignment, student)
            for assignment in gradebook.assignments if not homeworks or assignment.name in homeworks
            for student in gradebook.students if not students or student.id in students
        ]

    def rows(self, works: list[Work]):
        """The lines of the file, the header first."""
        raise NotImplementedError


class ByExercise(Exporter):
    """A line per student and exercise; a late penalty is a line of its own."""

    default_name = "exercises.csv"

    def rows(self, works):
        yield ("assignment", *PERSON, "timestamp", "exercise", "kind", "score", "max_score", "note")
        for work in works:
            head = (work.homework, *person(work.student), work.timestamp)
            if not work.handed_in:
                yield (*head, "", "", "", number(work.points), NO_SUBMISSION)
            for cell in work.cells:
                kind = "by hand" if cell.by_hand else "automatic"
                yield (*head, cell.exercise, kind, number(cell.score), number(cell.points),
                       cell.note)
            if work.penalty:
                yield (*head, "late penalty", "automatic", number(-work.penalty), "0", "")


class ByItem(Exporter):
    """A line per student and rubric item, from the notebooks in autograded/."""

    default_name = "items.csv"

    def rows(self, works):
        yield ("assignment", *PERSON, "exercise", "item", "score", "max_score", "message",
               "mistake", "note")
        for work in works:
            head = (work.homework, *person(work.student))
            if not work.handed_in:
                yield (*head, "", "", "", number(work.points), "", "", NO_SUBMISSION)
            rubrics = self.rubrics(work)
            for cell in work.cells:
                reports = rubrics.get(cell.name, [])
                if not reports or cell.score is None:
                    yield (*head, cell.exercise, "", number(cell.score), number(cell.points), "",
                           "", cell.note)
                    continue
                for report in reports:
                    for item in report["items"]:
                        yield (*head, cell.exercise, item["name"], number(item["earned"]),
                               number(item["points"]), item["message"], report["mistake"],
                               cell.note)

    def rubrics(self, work: Work) -> dict[str, list[dict]]:
        """{grade_id: reports} that the examiner left in this student's autograded notebooks."""
        directory = self.parent.coursedir
        folder = directory.format_path(
            directory.autograded_directory, work.student.id, work.homework)
        found = {}
        for path in sorted(Path(folder).glob("*.ipynb")):
            try:
                marks = json.loads(path.read_text())["metadata"]["viva"]["marks"]
            except (OSError, ValueError, KeyError, TypeError):
                continue  # graded by stock nbgrader: no items
            found |= {name: mark["rubric"] for name, mark in marks.items()}
        return found


class Canvas(Exporter):
    """A line per student, a column per homework, as Canvas's gradebook imports it.

    Canvas takes every further column for a new assignment, so notes go to a file beside it.
    """

    default_name = "canvas.csv"

    def export(self, gradebook: Gradebook) -> None:
        super().export(gradebook)
        path = Path(self.to or self.default_name)
        notes = [(work.student.id, work.homework, work.note)
                 for work in self.works(gradebook) if work.note]
        beside = path.with_name(f"{path.stem}_notes.csv")
        if notes:
            write_csv(beside, [("student_id", "assignment", "note"), *notes])
        else:
            beside.unlink(missing_ok=True)

    def rows(self, works):
        homeworks, people = table(works)
        yield ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", *homeworks)
        yield ("    Points Possible", "", "", "", "", *map(number, homeworks.values()))
        for student, by_homework in people:
            name = ", ".join(filter(None, (student.last_name, student.first_name))) or student.id
            yield (name, student.lms_user_id or "", student.id, student.id, "",
                   *(number(by_homework[homework].score) for homework in homeworks))


class Moodle(Exporter):
    """A line per student; a grade and a feedback column per homework, as Moodle exports them."""

    default_name = "moodle.csv"

    def rows(self, works):
        homeworks, people = table(works)
        columns = [f"{name}{part}" for name in homeworks for part in ("", " (feedback)")]
        yield ("First name", "Last name", "ID number", "Email address", *columns)
        for student, by_homework in people:
            marks = [field for name in homeworks
                     for field in (number(by_homework[name].score), by_homework[name].note)]
            yield (student.first_name or "", student.last_name or "", student.id,
                   student.email or "", *marks)


PERSON = ("student_id", "last_name", "first_name", "email")


def person(student) -> tuple:
    return student.id, student.last_name or "", student.first_name or "", student.email or ""


def table(works: list[Work]) -> tuple[dict[str, float], list[tuple[object, dict[str, Work]]]]:
    """({homework: points}, [(student, {homework: work})]), in the gradebook's order."""
    homeworks = {work.homework: work.points for work in works}
    people: dict[str, tuple] = {}
    for work in works:
        people.setdefault(work.student.id, (work.student, {}))[1][work.homework] = work
    return homeworks, list(people.values())


def work_of(gradebook: Gradebook, assignment, student) -> Work:
    """One student's work as the gradebook knows it. Cells worth nothing are left out."""
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return Work(assignment.name, student, [], False, assignment.max_score)
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    cells = [_cell(grade) for grade in grades if grade.max_score > 0 or grade.extra_credit]
    return Work(assignment.name, student, cells, True, assignment.max_score,
                submission.late_submission_penalty or 0.0, str(submission.timestamp or ""))


def _cell(grade) -> Cell:
    by_hand = grade.manual_score is not None
    score = grade.manual_score if by_hand else grade.auto_score
    note = "" if score is not None else "waits for a human"
    if score is not None and grade.needs_manual_grade:
        note = "marked for a look"
    if score is not None and grade.extra_credit:
        score, note = score + grade.extra_credit, f"with {grade.extra_credit:g} extra"
    return Cell(grade.cell.name, score, grade.max_score, by_hand, note)


def number(value: float | None) -> str:
    """A mark as text; nothing for no mark."""
    return "" if value is None else f"{value:.10g}"


def write_csv(path: Path, rows) -> None:
    """Write a CSV file, complete or not at all, that no spreadsheet computes."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([_inert(field) for field in row])
    write_whole(path, text.getvalue())


def _inert(field: str) -> str:
    try:
        float(field)
    except ValueError:
        return f"'{field}" if field.startswith(FORMULA) else field
    return field
