"""What staff know of a homework's notebook, whatever a submission says: its cells and points."""

import functools
import importlib.util
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from viva_examiner.notebook.cells import (
    facts,
    imports_in,
    names_bound,
    names_used,
    split_hidden,
    star_imports_in,
)
from viva_examiner.notebook.claim_marks import without_claims
from viva_examiner.notebook.metadata import (
    SCHEMA_VERSION,
    grade_id,
    graded,
    has_role,
    is_solution,
    is_test,
)
from viva_examiner.notebook.solutions import facts_of

if TYPE_CHECKING:
    from nbformat import NotebookNode


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

    @functools.cached_property
    def shown(self) -> str:
        """The source as students see it: without hidden tests."""
        return "".join(part.source for part in split_hidden(self.source) if not part.hidden)

    @functools.cached_property
    def defines(self) -> frozenset[str]:
        """The functions and classes that it asks for."""
        return frozenset(facts(self.source).definitions)

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
    """A homework's notebook as staff released it. Plain enough to travel as JSON.

    reads, changes, shadows: what the instructor's own code does (`solutions.facts_of`)
    asked: names that only solutions import: to import them is part of the exercise
    folder: the released folder, whose files lie beside every student's notebook; may be empty
    second_opinion: what counts where stock nbgrader would give more: "examiner", "stock", "open"
    """

    homework: str
    notebook: str
    cells: tuple[ReleasedCell, ...]
    imports: dict = field(default_factory=dict)
    layout: tuple[tuple[str, str], ...] = ()  # (graded, code, markdown or raw; name or source)
    reads: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    shadows: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    folder: str = ""
    second_opinion: str = "examiner"

    @property
    def ordinary(self) -> tuple[str, ...]:
        """Sources of its code cells that are not graded."""
        return tuple(text for kind, text in self.layout if kind == "code")

    @property
    def staffs_code(self) -> tuple[str, ...]:
        """Sources of its code cells that no student may change."""
        return self.ordinary + tuple(cell.source for cell in self.cells if cell.cell_type == "code"
                                     and cell.locked and not cell.grade and not cell.solution)

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
        names = {part: tuple(read.get(part, ()))
                 for part in ("reads", "changes", "shadows", "asked")}
        return cls(**read | names | {"cells": cells, "imports": imports, "layout": layout})


def imports_of(notebook: "NotebookNode") -> dict[str, tuple[str, str]]:
    """The imports of the instructor's notebook, which hidden tests may rely on.

    What a solution imports from a file beside the notebook is the student's: its state is there.
    """
    found: dict[str, tuple[str, str]] = {}
    stars: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            found |= {name: place for name, place in imports_in(cell.source).items()
                      if not is_solution(cell) or is_installed(place[0])}
            stars += star_imports_in(cell.source)
    return _named_by(stars, notebook) | found if stars else found


def _named_by(modules: list[str], notebook: "NotebookNode") -> dict[str, tuple[str, str]]:
    """What the tests use of modules that are imported whole (`from math import *`).

    A name that a cell outside of the tests binds is not the module's.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    used = set().union(*(names_used(cell.source) for cell in code if is_test(cell)))
    used -= set().union(*(names_bound(cell.source) for cell in code if not is_test(cell)))
    found: dict[str, tuple[str, str]] = {}
    for name in modules:
        try:
            module = importlib.import_module(name)
        except Exception:  # not on this machine: the candidate says what its names are
            continue
        found |= {each: (name, each) for each in used if hasattr(module, each)}
    return found


def is_installed(module: str) -> bool:
    """Whether a module is a library of this machine, rather than a file beside a notebook."""
    try:
        return importlib.util.find_spec(module.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False


def described(notebook: "NotebookNode") -> dict:
    """What a released notebook's record takes from the instructor's own one."""
    layout = tuple(("graded", grade_id(cell)) if grade_id(cell) else
                   (cell.cell_type, without_claims(cell.source)) for cell in notebook.cells)
    imported: dict[bool, set[str]] = {True: set(), False: set()}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            imported[is_solution(cell)].update(imports_in(cell.source))
    return {"imports": imports_of(notebook), "layout": layout, **facts_of(notebook),
            "asked": tuple(sorted(imported[True] - imported[False]))}


def released_from(notebook: "NotebookNode", homework: str, name: str, **about: Any) -> Released:
    """The record of an instructor's notebook that no gradebook knows yet."""
    cells = tuple(
        ReleasedCell(grade_id(cell), cell.cell_type, cell.source, "",
                     bool(graded(cell).get("locked")), has_role(cell, "grade"),
                     has_role(cell, "solution"), has_role(cell, "task"),
                     float(graded(cell).get("points") or 0.0))
        for cell in notebook.cells if grade_id(cell))
    return Released(homework, name, cells, **described(notebook) | about)
