"""The functions of the staff's own notebook: as solved, as released, or with a cell replaced."""

import ast
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

from viva_examiner.course import Course
from viva_examiner.notebook.cells import definition, tree_of
from viva_examiner.notebook.metadata import grade_id, is_solution

DEFINITIONS = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Notebook:
    """A homework's source notebook, read for what defines the candidates."""

    solved: dict[str, str]  # solution cells by grade_id, with solutions
    cleared: dict[str, str]  # the same cells as students get them
    order: tuple[tuple[str, str], ...]  # (grade_id or "", source) of all code cells, in order

    def candidates(self, names: Collection[str], replaced: dict[str, str] | None = None) -> tuple:
        """The functions or classes of these names, with some solution cells replaced.

        Only imports, definitions and solution cells are run. Raises what they raise, and
        NameError for a name that none of them defines.
        """
        scope: dict[str, Any] = {"__name__": "__main__"}
        cells = self.solved | (replaced or {})
        sources = []
        for name, source in self.order:
            tree = ast.parse(cells[name]) if name else tree_of(source)
            if tree is None:
                continue
            if name:
                sources.append(cells[name])
            else:
                tree.body = [node for node in tree.body if isinstance(node, DEFINITIONS)]
            exec(compile(tree, f"<{name or 'notebook'}>", "exec"), scope)
        for name in names:
            if name not in scope:
                raise NameError(f"no solution cell defines {name}")
            try:
                scope[name].__viva_source__ = definition(sources, name)
            except (AttributeError, TypeError):
                pass  # neither a function nor a class: the exam will say so
        return tuple(scope[name] for name in names)

    def stub(self, names: Collection[str]) -> tuple:
        """The functions or classes as released."""
        return self.candidates(names, self.cleared)


def read_notebook(course: Course, homework: str) -> Notebook | None:
    """The source notebook of a homework; None if there is none."""
    path = Path(course.path("source", ".", homework)) / f"{homework}.ipynb"
    if not path.is_file():
        return None
    notebook = nbformat.read(path, as_version=4)
    order = tuple((_solution_id(cell), cell.source) for cell in notebook.cells
                  if cell.cell_type == "code")
    released, _ = ClearSolutions().preprocess(nbformat.from_dict(notebook), {})
    cleared = {_solution_id(cell): cell.source for cell in released.cells if _solution_id(cell)}
    solved = {name: source for name, source in order if name}
    return Notebook(solved, {name: cleared[name] for name in solved}, order)


def _solution_id(cell: NotebookNode) -> str:
    return grade_id(cell) if is_solution(cell) else ""
