"""A class as the examiner left it: every autograded notebook of a homework, read for a report."""

from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from viva_examiner.course import Course
from viva_examiner.gradebook import autograded
from viva_examiner.gradebook.results import Results
from viva_examiner.gradebook.submissions import submissions
from viva_examiner.notebook.metadata import grade_id, is_solution
from viva_examiner.records import GRADED, Mark, Remark, Rubric


@dataclass(frozen=True)
class SheetCell:
    """One cell of an autograded notebook, as far as a report needs it."""

    id: str
    grade_id: str
    source: str
    solution: bool
    error: str  # name of the exception its outputs show, or ""


@dataclass
class Sheet:
    """What one student handed in, and what came of it."""

    student: str
    status: str = GRADED
    marks: dict[str, Mark] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    cells: list[SheetCell] = field(default_factory=list)
    final: float | None = None  # the gradebook's score, with manual marks and penalties
    page: str = ""  # the id of the submission in formgrader

    def tests(self) -> dict[str, Mark]:
        """The marks of the automatic tests that carry points."""
        return {name: mark for name, mark in self.marks.items()
                if not mark.manual and mark.points}

    @property
    def score(self) -> float:
        return sum(mark.score or 0.0 for mark in self.tests().values())

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.tests().values())

    def rubrics(self) -> list[Rubric]:
        """The rubric tables of all tests."""
        return [rubric for mark in self.marks.values() for rubric in mark.rubric]


def read_class(course: Course, homework: str) -> list[Sheet]:
    """The sheets of everybody whose submission was autograded, by student."""
    finals, pages = _in_gradebook(course, homework)
    found: dict[str, Sheet] = {}
    pattern = Path(course.path("autograded", "*", homework)) / "*.ipynb"
    anchor = Path(pattern.anchor)
    for path in sorted(anchor.glob(str(pattern.relative_to(anchor)))):
        if (left := autograded.read(path)) is None:
            continue  # graded by something else: there is nothing of ours to read
        record, notebook = left
        sheet = found.setdefault(record.student, Sheet(record.student))
        if record.status != GRADED:
            sheet.status = record.status
        sheet.marks |= record.marks
        sheet.remarks += record.remarks
        sheet.seconds |= record.seconds
        sheet.cells += [_cell(cell) for cell in notebook["cells"]]
        sheet.final = finals.get(sheet.student)
        sheet.page = pages.get(sheet.student, "")
    return [found[student] for student in sorted(found)]


def waiting(course: Course, homework: str, sheets: list[Sheet]) -> list[str]:
    """Students who handed in but have not been autograded."""
    graded = {sheet.student for sheet in sheets}
    return [s.student for s in submissions(course, homework) if s.student not in graded]


def _cell(cell: dict) -> SheetCell:
    errors = [out.get("ename", "error") for out in cell.get("outputs", ())
              if out.get("output_type") == "error"]
    source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
    return SheetCell(cell.get("id", ""), grade_id(cell), source,
                     is_solution(cell),
                     errors[0] if errors else "")


def _in_gradebook(course: Course, homework: str) -> tuple[dict[str, float], dict[str, str]]:
    """({student: final mark}, {student: id in formgrader}), of marks that are final only."""
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        try:
            gradebook.find_assignment(homework)
        except MissingEntry:
            return {}, {}
        results = Results(gradebook, course)
        finals = {each.student.id: each.standing.score for each in results.of(homework)
                  if each.standing.score is not None}
        return finals, results.pages(homework)
