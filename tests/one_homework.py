"""A small homework of the real course, from a notebook of two exercises and a written question."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import courses
from plain_course import nbgrader as metadata
from viva_examiner.cohort import filled

HOMEWORK = "hand_design_transformer"
SETUP = f"""import numpy as np
import matplotlib.pyplot as plt
from viva import begin, check, look, submit
begin("{HOMEWORK}", student="")"""
SOFTMAX = """def stable_softmax(scores, axis=-1):
    ### BEGIN SOLUTION
    x = np.asarray(scores)
    x = x if x.dtype.kind == "f" else x.astype(float)
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)
    ### END SOLUTION"""
WRONG_AXIS = """def stable_softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()"""
GAP = """def min_score_gap(T, tol):
    ### BEGIN SOLUTION
    if T < 1 or not 0 < tol < 1:
        raise ValueError("T >= 1 and 0 < tol < 1")
    return max(0.0, float(np.log((T - 1) * (1 - tol) / tol))) if T > 1 else 0.0
    ### END SOLUTION"""
FIGURE = "plt.plot([0, 1, 4]); plt.xlabel('x'); plt.ylabel('y'); plt.show()"
HIDDEN = """# The hidden tests of {0} run here after you submit.
### BEGIN HIDDEN TESTS
from viva_course import examine
examine("{0}", {0})
### END HIDDEN TESTS"""
EXTRA = 'c.Examiner.course = "viva_course"'


def source_notebook():
    """The instructor's notebook."""
    cells = [new_code_cell(SETUP, id="setup")]
    for name, code in (("stable_softmax", SOFTMAX), ("min_score_gap", GAP)):
        graded = {"grade": True, "locked": True}
        cells += [
            new_code_cell(code, id=name, metadata=metadata(name, solution=True)),
            new_code_cell(f'check("{name}", {name})', id=f"check_{name}",
                          metadata=metadata(f"check_{name}", points=0, **graded)),
            new_code_cell(HIDDEN.format(name), id=f"test_{name}",
                          metadata=metadata(f"test_{name}", points=points_of(name), **graded)),
        ]
    written = metadata("written_why", grade=True, solution=True, points=3)
    cells += [
        new_code_cell(FIGURE, id="figure"),
        new_markdown_cell("Because of overflow.", id="written_why", metadata=written),
        new_code_cell("submit()", id="submit"),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def points_of(exercise: str) -> float:
    from viva_course import exercises

    return exercises()[exercise].points


def make(root, extra: str = ""):
    """The homework as a course of its own."""
    return courses.make(root, HOMEWORK, source_notebook(), extra=f"{EXTRA}\n{extra}")


def answered(released, **changes):
    """A submission: right answers, with some of them replaced."""
    right = {"stable_softmax": SOFTMAX, "min_score_gap": GAP, "written_why": "Overflow!"}
    return filled(released, right | changes)
