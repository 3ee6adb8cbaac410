"""What staff know of a homework's notebook, whatever a submission says: its cells and points."""

import json
from dataclasses import asdict, dataclass, field

from viva_examiner.notebook.cells import imports_in, split_hidden
from viva_examiner.notebook.metadata import SCHEMA_VERSION


@dataclass(frozen=True)
class ReleasedCell:
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
    cell_id: str = ""  # of the cell in staff's notebook
    above: str = ""  # the ordinary cell above it there: the question of a written answer

    @property
    def shown(self) -> str:
        """The source as students see it: without hidden tests."""
        return "".join(part.source for part in split_hidden(self.source) if not part.hidden)

    def metadata(self) -> dict:
        """The cell's nbgrader metadata, as the schema wants it."""
        found = {
            "grade": self.grade,
            "grade_id": self.name,
            "locked": self.locked,
            "schema_version": SCHEMA_VERSION,
            "solution": self.solution,
            "task": self.task,
            "cell_type": self.cell_type,
            "checksum": self.checksum,
        }
        return found | ({"points": self.points} if self.grade or self.task else {})


@dataclass(frozen=True)
class Released:
    """A homework's notebook as staff released it. Plain enough to travel as JSON."""

    homework: str
    notebook: str
    cells: tuple[ReleasedCell, ...]
    imports: dict = field(default_factory=dict)
    layout: tuple[tuple[str, str], ...] = ()  # (graded, code, markdown or raw; name or source)

    @property
    def ordinary(self) -> tuple[str, ...]:
        """Sources of its code cells that are not graded."""
        return tuple(text for kind, text in self.layout if kind == "code")

    @property
    def texts(self) -> frozenset[str]:
        """Sources of all its cells that are not graded."""
        return frozenset(text for kind, text in self.layout if kind != "graded")

    @property
    def max_score(self) -> float:
        return sum(cell.points for cell in self.cells)

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Released":
        read = json.loads(text)
        imports = {name: tuple(where) for name, where in read["imports"].items()}
        cells = tuple(ReleasedCell(**cell) for cell in read["cells"])
        layout = tuple(map(tuple, read["layout"]))
        return cls(read["homework"], read["notebook"], cells, imports, layout)


def imports_of(notebook) -> dict[str, tuple[str, str]]:
    """The imports of the instructor's notebook, which hidden tests may rely on."""
    found = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            found |= imports_in(cell.source)
    return found
