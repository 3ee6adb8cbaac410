"""What staff know of a homework's notebook, whatever a submission says: its cells and points."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import nbformat

from viva_examiner.engine import trusted_imports


@dataclass(frozen=True)
class TrustedCell:
    """One cell that nbgrader knows by its grade_id, as it was when the homework was released."""

    name: str
    cell_type: str
    source: str  # with hidden tests
    checksum: str
    locked: bool
    grade: bool = False
    solution: bool = False
    task: bool = False
    points: float = 0.0

    def metadata(self) -> dict:
        """The cell's nbgrader metadata, as the schema wants it."""
        found = {
            "grade": self.grade,
            "grade_id": self.name,
            "locked": self.locked,
            "schema_version": 3,
            "solution": self.solution,
            "task": self.task,
            "cell_type": self.cell_type,
            "checksum": self.checksum,
        }
        return found | ({"points": self.points} if self.grade or self.task else {})


@dataclass(frozen=True)
class Trusted:
    """A homework's notebook as staff released it. Plain enough to travel as JSON."""

    homework: str
    notebook: str
    cells: tuple[TrustedCell, ...]
    imports: dict = field(default_factory=dict)

    @property
    def max_score(self) -> float:
        return sum(cell.points for cell in self.cells)

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Trusted":
        read = json.loads(text)
        imports = {name: tuple(where) for name, where in read["imports"].items()}
        cells = tuple(TrustedCell(**cell) for cell in read["cells"])
        return cls(read["homework"], read["notebook"], cells, imports)


class Unreleased(Exception):
    """The gradebook does not know this homework."""


def load(course, homework: str) -> list[Trusted]:
    """The notebooks of a homework, from the gradebook that `release` or nbgrader filled."""
    from nbgrader.api import Gradebook, MissingEntry  # seconds that a worker has no use for

    from viva_examiner.database import told

    with told(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        try:
            assignment = gradebook.find_assignment(homework)
        except MissingEntry:
            message = f"{homework} has not been released: run `viva release {homework}` first"
            raise Unreleased(message) from None
        found = [_load_notebook(course, homework, notebook) for notebook in assignment.notebooks]
    if not found:
        raise Unreleased(f"{homework} has no notebooks: run `viva release {homework}` again")
    return sorted(found, key=lambda trusted: trusted.notebook)


def _load_notebook(course, homework: str, notebook) -> Trusted:
    points = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
    tasks = {cell.name: float(cell.max_score) for cell in notebook.task_cells}
    solutions = {cell.name for cell in notebook.solution_cells}
    cells = [
        TrustedCell(
            cell.name, cell.cell_type, cell.source, cell.checksum or "", bool(cell.locked),
            cell.name in points, cell.name in solutions, cell.name in tasks,
            (points | tasks).get(cell.name, 0.0),
        )
        for cell in notebook.source_cells
    ]
    source = Path(course.path("source", ".", homework)) / f"{notebook.name}.ipynb"
    imports = {}
    if source.is_file():  # its imports and the order of its cells, which a database may not keep
        original = nbformat.read(source, as_version=4)
        imports = trusted_imports(original)
        order = {
            cell.metadata["nbgrader"].get("grade_id"): index
            for index, cell in enumerate(original.cells) if "nbgrader" in cell.metadata
        }
        cells.sort(key=lambda cell: order.get(cell.name, len(order)))
    return Trusted(homework, notebook.name, tuple(cells), imports)
