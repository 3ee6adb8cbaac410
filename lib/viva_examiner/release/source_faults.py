"""Faults of a source notebook, found before nbgrader sees it."""
import ast
import re
from collections import Counter
from collections.abc import Iterator

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from viva_examiner.notebook.markers import HIDDEN_TESTS, SOLUTION, regions
from viva_examiner.notebook.metadata import graded
from viva_examiner.release.problems import Problem, where

TOOLBAR_ID = re.compile(r"cell-[0-9a-f]{6,}|cell-\d+")
REGIONS = {SOLUTION: "solution", HIDDEN_TESTS: "grade"}  # marker: role its cell must have


def problems_of_source(source: NotebookNode) -> Iterator[Problem]:
    """Everything about the source notebook that would break or leak later."""
    ids = Counter(graded(cell)["grade_id"] for cell in source.cells if "grade_id" in graded(cell))
    for index, cell in enumerate(source.cells):
        place = where(index, cell)
        yield from _markers(place, cell)
        yield from _metadata(place, cell, ids)
        yield from syntax(place, cell)
        yield from kept_state(place, cell)
    yield from widget_state(source)


def _markers(place: str, cell: NotebookNode) -> Iterator[Problem]:
    for kind, role in REGIONS.items():
        public, secret, fault = regions(cell.source, kind)
        if fault:
            yield Problem(place, fault, f"write ### BEGIN {kind} and ### END {kind} around it")
        elif len(public) < len(cell.source.split("\n")) and not graded(cell).get(role):
            name = {"solution": "a solution cell", "grade": "a test cell"}[role]
            yield Problem(place, f"has a {kind.lower()} region but is not {name}",
                          "choose its type in nbgrader's toolbar (Create Assignment)")


def _metadata(place: str, cell: NotebookNode, ids: Counter[str]) -> Iterator[Problem]:
    info = graded(cell)
    name = info.get("grade_id")
    if name is None:
        return
    if TOOLBAR_ID.fullmatch(name):
        yield Problem(place, "still has the id that nbgrader's toolbar invented",
                      "name it after its exercise in the toolbar, e.g. test_linear_attention")
    if ids[name] > 1:
        yield Problem(place, f"the id {name} is used by {ids[name]} cells",
                      "give each cell an id of its own in nbgrader's toolbar")
    points = info.get("points", 0)
    if info.get("grade") and (not isinstance(points, (int, float)) or not points >= 0):
        yield Problem(place, f"has {points!r} points", "give it a number of points, 0 or more")


def syntax(place: str, cell: NotebookNode) -> Iterator[Problem]:
    """Code that is not Python, with its line: in a solution or a hidden test nobody else tells."""
    if cell.cell_type != "code":
        return
    try:
        code = TransformerManager().transform_cell(cell.source)
        compile(code, place, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        line = (error.text or "").strip()
        yield Problem(place, f"line {error.lineno} is not Python: {error.msg}"
                      + (f" ({line})" if line else ""), "fix the line")


def kept_state(place: str, cell: NotebookNode) -> Iterator[Problem]:
    """Traces of a run, or files inside a cell: asked of the source and of the released version."""
    if cell.get("outputs"):
        yield Problem(place, "has outputs", "run `make format`")
    if cell.get("execution_count") is not None:
        yield Problem(place, "has an execution count", "run `make format`")
    if cell.get("attachments"):
        yield Problem(place, "has attachments: " + ", ".join(sorted(cell.attachments)),
                      "save the picture as a file beside the notebook and link to it")
    if "widgets" in cell.get("metadata", {}):
        yield Problem(place, "has widget metadata", "run `make format`")


def widget_state(notebook: NotebookNode) -> Iterator[Problem]:
    """Saved widgets of the whole notebook: they keep what a staff run has shown."""
    if "widgets" in notebook.metadata:
        yield Problem("the notebook's metadata", "has widget state", "run `make format`")
