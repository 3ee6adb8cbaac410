"""What the gradebook knows of a homework's notebook, as staff released it."""

from dataclasses import replace
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry, Notebook

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.notebook.claim_marks import without_claims
from viva_examiner.notebook.metadata import grade_id
from viva_examiner.notebook.released import Released, ReleasedCell, described


class Unreleased(Failure):
    """The gradebook does not know this homework."""


def load(course: Course, homework: str) -> list[Released]:
    """The notebooks of a homework, from the gradebook that `release` or nbgrader filled."""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        try:
            assignment = gradebook.find_assignment(homework)
        except MissingEntry:
            message = f"{homework} has not been released: run `viva release {homework}` first"
            raise Unreleased(message) from None
        found = [_load_notebook(course, homework, notebook) for notebook in assignment.notebooks]
    if not found:
        raise Unreleased(f"{homework} has no notebooks: run `viva release {homework}` again")
    return sorted(found, key=lambda released: released.notebook)


def _load_notebook(course: Course, homework: str, notebook: Notebook) -> Released:
    points = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
    tasks = {cell.name: float(cell.max_score) for cell in notebook.task_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    cells = [
        ReleasedCell(
            cell.name, cell.cell_type, cell.source, cell.checksum or "", bool(cell.locked),
            cell.name in points, cell.name in solutions, cell.name in tasks,
            (points | tasks).get(cell.name, 0.0),
        )
        for cell in notebook.source_cells
    ]
    source = Path(course.path("source", ".", homework)) / f"{notebook.name}.ipynb"
    about = {}
    if source.is_file():  # its imports and the order of its cells, which a database may not keep
        original = nbformat.read(source, as_version=4)
        about = described(original)
        order = {
            grade_id(cell): index for index, cell in enumerate(original.cells) if grade_id(cell)
        }
        cells.sort(key=lambda cell: order.get(cell.name, len(order)))
        cells = [_placed(cell, original.cells, order.get(cell.name)) for cell in cells]
    return Released(homework, notebook.name, tuple(cells), **about,
                    folder=course.path("release", ".", homework),
                    second_opinion=course.second_opinion)


def _placed(cell: ReleasedCell, cells: list[NotebookNode], number: int | None) -> ReleasedCell:
    """The cell with its id and the source of the ordinary cell above it."""
    if number is None:
        return cell
    above = cells[number - 1] if number else None
    asks = without_claims(above.source) if above is not None and not grade_id(above) else ""
    return replace(cell, cell_id=cells[number].get("id", ""), above=asks)
