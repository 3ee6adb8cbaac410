"""A function that hangs costs its own exercise, once, and a submission has one bound on all."""

import time

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from viva_examiner.examination.grade import grade
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

LIMITS = Limits(cell_seconds=2, question_seconds=1, submission_seconds=20)
MANY = """### BEGIN HIDDEN TESTS
wrong = 0
for number in range(30):
    try:
        wrong += CALL != 2 * number
    except Exception:
        wrong += 1
assert wrong == 0
### END HIDDEN TESTS"""


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "IPython", "viva"), LIMITS) as warm:
        yield warm


def graded(warm, code: str, *tests: str, limits: Limits = LIMITS):
    cells = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    cells += [ReleasedCell(f"t{number}", "code", text, "", locked=True, grade=True, points=2)
              for number, text in enumerate(tests)]
    written = new_code_cell(code, id="work", metadata=nbgrader("work", solution=True))
    data = nbformat.writes(new_notebook(cells=[written])).encode()
    began = time.monotonic()
    found = grade(warm, Released("hw", "hw", tuple(cells)), Work(data, student="ada"), limits)
    return found, time.monotonic() - began


LOOP = "def f(x):\n    while True:\n        pass\ndef g(x):\n    return x"
METHOD = ("class C:\n    def f(self, x):\n        while True:\n            pass\n"
          "def g(x):\n    return x")


@pytest.mark.parametrize("code, call", [(LOOP, "f(number)"), (METHOD, "C().f(number)")],
                         ids=["function", "method"])
def test_a_function_that_hung_is_asked_no_further_in_this_test(warm, code, call):
    """Thirty questions of a second each would take all of the time, and the next test's as well."""
    found, seconds = graded(warm, code, MANY.replace("CALL", call),
                            "### BEGIN HIDDEN TESTS\nassert g(3) == 3\n### END HIDDEN TESTS")
    assert found.marks["t0"].score == 0 and found.marks["t1"].score == 2, found.marks
    assert not any("in all" in remark.text for remark in found.remarks)
    assert found.seconds["t0"] < 15  # one question, on a busy machine


def test_the_time_of_a_whole_submission_counts_for_tests_too(warm):
    """Ten functions that hang, each asked in a test of its own."""
    code = "\n".join(LOOP.replace("f(x)", f"f{number}(x)") for number in range(10))
    tests = [f"### BEGIN HIDDEN TESTS\nassert f{number}(1) == 1\n### END HIDDEN TESTS"
             for number in range(10)]
    limits = Limits(cell_seconds=2, question_seconds=2, submission_seconds=5)
    found, _ = graded(warm, code, *tests, limits=limits)
    assert found.score == 0
    # a judge that was stopped by the clock tells the seconds of no test
    spent = sum(seconds for cell, seconds in found.seconds.items() if cell)
    assert spent < 5 * limits.submission_seconds  # the wall-clock bound of a busy machine
