"""An exception in the course's own code is "not graded", with its place; it costs nobody points."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from viva_examiner.examination.grade import grade
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

STAFF = """### BEGIN HIDDEN TESTS
class Fault(ValueError):
    viva_engine_error = viva_staff_fault = True
twice(1)
raise Fault("the items add up to 8, not to 9 (exams/warmup/angles.py, line 12)")
### END HIDDEN TESTS"""
FINE = "### BEGIN HIDDEN TESTS\nassert twice(21) == 42\n### END HIDDEN TESTS"


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "IPython", "viva"), Limits()) as warm:
        yield warm


def graded(warm, code):
    cells = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    cells += [ReleasedCell(name, "code", text, "", locked=True, grade=True, points=2)
              for name, text in {"test_staff": STAFF, "test_fine": FINE}.items()]
    work = new_notebook(cells=[new_code_cell(code, id="work",
                                             metadata=nbgrader("work", solution=True))])
    return grade(warm, Released("toy", "toy", tuple(cells)),
                 Work(nbformat.writes(work).encode(), student="ada"), Limits())


def test_a_staff_fault_is_not_graded_and_the_rest_is(warm):
    marks = graded(warm, "def twice(x):\n    return 2 * x").marks
    assert marks["test_staff"].score is None and marks["test_fine"].score == 2
    assert "angles.py, line 12" in marks["test_staff"].reason


def test_no_student_can_claim_one(warm):
    code = ("class E(ValueError):\n    viva_engine_error = viva_staff_fault = True\n"
            "def twice(x):\n    raise E('not my fault')")
    marks = graded(warm, code).marks
    assert {name: mark.score for name, mark in marks.items()} == {
        "test_staff": 0, "test_fine": 0}
