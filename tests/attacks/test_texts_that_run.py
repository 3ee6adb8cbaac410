"""Tests that would run what a student's code made: text, pickles, paths, processes.

A hostile answer gets no mark and runs nothing; a right answer to the same test gets its points, or
the mark is open with the reason; and what libraries compile for themselves disturbs nobody.
"""

import functools
import importlib.util
import pickle

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from text_cases import HOSTILE, PLACES, POINT, RIGHT, SHOWS
from viva_examiner.examination.grade import grade
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

LIMITS = Limits(cell_seconds=10, question_seconds=10, submission_seconds=60)
TEXT, PLACE = "runs text that the student's code made", "place that the student's code named"


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "torch", "IPython", "viva"), LIMITS) as warm:
        yield warm


def graded(warm, code: str, test: str, folder: str = "", whose: str = "examiner"):
    cells = (ReleasedCell("work", "code", "", "", locked=False, solution=True),
             ReleasedCell("test", "code", test, "", locked=True, grade=True, points=2))
    written = new_code_cell(code, id="work", metadata=nbgrader("work", solution=True))
    data = nbformat.writes(new_notebook(cells=[written])).encode()
    released = Released("hw", "hw", cells, folder=folder, second_opinion=whose)
    return grade(warm, released, Work(data, student="ada"), LIMITS)


def needs(test: str) -> list:
    return [name for name in ("sympy", "jinja2", "pandas", "yaml", "joblib") if name in test
            and importlib.util.find_spec(name) is None]


@pytest.mark.parametrize("case", HOSTILE)
def test_a_students_text_is_not_run(warm, case):
    code, test = HOSTILE[case]
    if missing := needs(test):
        pytest.skip(f"no {missing[0]} here")
    mark = graded(warm, code, test).marks["test"]
    assert mark.score in (None, 0), mark
    if case == "a symbol's name":  # it does not come over; the test runs in the candidate
        assert "The notebook's process ended" in mark.reason, mark
    else:
        assert TEXT in mark.reason, mark


@pytest.mark.parametrize("case", PLACES)
def test_a_students_path_is_not_opened(warm, case):
    code, test = PLACES[case]
    if missing := needs(test):
        pytest.skip(f"no {missing[0]} here")
    mark = graded(warm, code, test).marks["test"]
    assert mark.score in (None, 0) and PLACE in mark.reason, mark
    assert "root:" not in mark.reason and "candidate:" not in mark.reason


def test_a_person_looks_at_it(warm):
    """Stock nbgrader gives full marks: nobody here gives full marks, and nobody a zero."""
    theirs = POINT.format('"Point(%d, 1 + 1)" % self.x')
    for whose in ("examiner", "open"):
        found = graded(warm, theirs, SHOWS, whose=whose)
        assert found.marks["test"].score is None and TEXT in found.marks["test"].reason
        assert found.needs_a_look


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_not_theirs_runs(warm, case):
    code, test = RIGHT[case]
    if missing := needs(test):
        pytest.skip(f"no {missing[0]} here")
    mark = graded(warm, code, test).marks["test"]
    assert mark.score == 2, mark


def test_what_was_said_in_one_test_is_known_in_the_next(warm):
    """A template's engine asks what came from the candidate: also before, also in another life."""
    text = "{{ cycler.__init__.__globals__.os._exit(7) }}"
    cells = [new_code_cell(f"def page():\n    return {text!r}", id="work",
                           metadata=nbgrader("work", solution=True))]
    tests = ("kept = page()\nassert kept", "import jinja2\njinja2.Template(kept).render()")
    released = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    released += [ReleasedCell(f"t{i}", "code", test, "", locked=True, grade=True, points=2)
                 for i, test in enumerate(tests)]
    found = grade(warm, Released("hw", "hw", tuple(released)), Work(
        nbformat.writes(new_notebook(cells=cells)).encode(), student="ada"), LIMITS)
    assert found.marks["t0"].score == 2
    assert found.marks["t1"].score in (None, 0) and TEXT in found.marks["t1"].reason


def test_a_file_of_staffs_own_may_be_unpickled(warm, tmp_path):
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(functools.partial(max)))
    test = "import pickle\nassert pickle.load(open('model.pkl', 'rb'))(1, 2) == f()"
    assert graded(warm, "def f():\n    return 2", test, str(tmp_path)).marks["test"].score == 2


def test_a_thread_that_a_test_has_left_runs_no_text_either(warm):
    """It wakes up when the next test waits; the judge lives, and the next test has its points."""
    code = ("def text():\n    return \"__import__('os')._exit(7)\"\n"
            "def slow():\n    import time\n    time.sleep(1)\n    return 3")
    tests = ("import threading\nthreading.Timer(0.4, eval, [text()]).start()",
             "slow()\nassert slow() == 3")
    cells = [new_code_cell(code, id="work", metadata=nbgrader("work", solution=True))]
    released = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    released += [ReleasedCell(f"t{i}", "code", test, "", locked=True, grade=True, points=2)
                 for i, test in enumerate(tests)]
    found = grade(warm, Released("hw", "hw", tuple(released)), Work(
        nbformat.writes(new_notebook(cells=cells)).encode(), student="ada"), LIMITS)
    assert TEXT in found.marks["t1"].reason, found.marks


def test_what_an_object_of_the_test_does_at_its_end_runs_no_text_either(warm):
    """It ends when the notebook binds its name anew, and no test is running."""
    code = "def text():\n    return \"__import__('os')._exit(7)\""
    leaves = ("class Late:\n    def __del__(self):\n        eval(self.text)\n"
              "kept = Late()\nkept.text = text()\nassert kept")
    cells = [new_code_cell(code, id="work", metadata=nbgrader("work", solution=True)),
             new_code_cell("kept = 1", id="more", metadata=nbgrader("more", solution=True))]
    released = [ReleasedCell("work", "code", "", "", locked=False, solution=True),
                ReleasedCell("t0", "code", leaves, "", locked=True, grade=True, points=2),
                ReleasedCell("more", "code", "", "", locked=False, solution=True),
                ReleasedCell("t1", "code", "assert len(text()) > 9", "", locked=True,
                             grade=True, points=2)]
    found = grade(warm, Released("hw", "hw", tuple(released)), Work(
        nbformat.writes(new_notebook(cells=cells)).encode(), student="ada"), LIMITS)
    assert found.marks["t1"].score == 2, found.marks
