"""A course of one small homework, for tests of the pipeline."""
import shutil

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from repository import ROOT
from viva_examiner.course import Course
from viva_examiner.notebook.canonical import KERNEL, dumps

SOLUTION = '''def double(x):
    """2x, elementwise."""
    ### BEGIN SOLUTION
    scaled = x * 2.0
    x = x + 10.5
    return scaled + 0 * x
    ### END SOLUTION'''
TEST = '''# The hidden tests of double run here after you submit.
### BEGIN HIDDEN TESTS
from viva_course import examine
examine("double", double)
### END HIDDEN TESTS'''
ANSWER = """Because multiplication by two is linear in every entry.

Rubric: 1 point for the word linear, 1 point for the reason."""


def nbgrader(grade_id, **changes):
    """The nbgrader metadata of a cell."""
    roles = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": {"grade_id": grade_id, "schema_version": 3, **roles, **changes}}


def doubling_cells():
    """The cells by name: one exercise and one written question."""
    return {
        "title": new_markdown_cell("# Doubling\nOne exercise."),
        "setup": new_code_cell("import math"),
        "double": new_code_cell(SOLUTION, metadata=nbgrader("double", solution=True)),
        "test_double": new_code_cell(TEST, metadata=nbgrader(
            "test_double", grade=True, locked=True, points=98)),
        "written_why": new_markdown_cell(ANSWER, metadata=nbgrader(
            "written_why", grade=True, solution=True, points=2)),
    }


def write_course(root, cells, metadata=None, homework="doubling"):
    """Writes the cells as a source notebook of the course at root and returns the Course."""
    path = root / f"source/{homework}/{homework}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    for name, cell in cells.items():
        cell["id"] = name
    notebook = new_notebook(cells=list(cells.values()), metadata={**KERNEL, **(metadata or {})})
    path.write_text(dumps(nbformat.from_dict(notebook)))
    return Course(root)


def released(course):
    """Where the released notebook of a course lies."""
    return course.root / "release/doubling/doubling.ipynb"
