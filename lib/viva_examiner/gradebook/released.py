"""What the gradebook knows of a homework's notebook, as staff released it."""

from dataclasses import replace
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.notebook.metadata import grade_id
from viva_examiner.notebook.released import Released, ReleasedCell, described


class Unreleased(Exception):
    """The gradebook does not know this homework."""


def load(course, homework: str) -> list[Released]:
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


def _load_notebook(course, homework: str, notebook) -> Released:
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
        cells = [replace(cell, **_surroundings(original.cells, order.get(cell.name)))
                 for cell in cells]
    return Released(homework, notebook.name, tuple(cells), **about,
                    folder=course.path("release", ".", homework),
                    second_opinion=course.second_opinion)


def _surroundings(cells, number: int | None) -> dict[str, str]:
    """A graded cell's id, and the source of the ordinary cell above it."""
    if number is None:
        return {}
    above = cells[number - 1] if number else None
    asks = above.source if above is not None and not grade_id(above) else ""
    return {"cell_id": cells[number].get("id", ""), "above": asks}
