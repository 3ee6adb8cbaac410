"""Released code that a candidate's answer sends into an endless loop is stopped."""

import threading
import time

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from viva_examiner.examination.grade import grade
from viva_examiner.examination.watchdog import TestTooLong, watchdog
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import Kind, Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

LOOP = """### BEGIN HIDDEN TESTS
total = 0
for _ in range(count()):
    total += 1
assert total == 3
### END HIDDEN TESTS"""
LOUD = """### BEGIN HIDDEN TESTS
print("one more question")
assert twice(21) == 42
### END HIDDEN TESTS"""
LIMITS = Limits(question_seconds=1, submission_seconds=8)
FREE = threading.RLock()  # nobody holds it


def forever():
    while True:
        try:
            sum(range(1000))
        except Exception:  # what a test might do
            pass


def test_a_loop_ends_in_any_thread():
    with pytest.raises(TestTooLong), watchdog(0.05, FREE):
        forever()
    ended = []

    def elsewhere():
        try:
            with watchdog(0.05, FREE):
                forever()
        except TestTooLong:
            ended.append(True)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join(30)
    assert ended == [True]


def test_what_is_done_in_time_is_left_alone():
    with watchdog(30, FREE):
        pass
    assert threading.active_count() == 1 or not any(
        isinstance(thread, threading.Timer) and not thread.finished.is_set()
        for thread in threading.enumerate())


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "IPython", "viva"), LIMITS) as warm:
        yield warm


def graded(warm, code: str):
    """What this code earns in a homework with both tests above."""
    tests = {"test_loop": LOOP, "test_loud": LOUD}
    cells = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    cells += [ReleasedCell(name, "code", text, "", locked=True, grade=True, points=2)
              for name, text in tests.items()]
    written = [new_code_cell(code, id="work", metadata=nbgrader("work", solution=True))]
    notebook = new_notebook(cells=written)
    return grade(warm, Released("loops", "loops", tuple(cells)),
                 Work(nbformat.writes(notebook).encode(), student="ada"), LIMITS)


RIGHT = "def count():\n    return 3\n\ndef twice(x):\n    print('I was asked', x)\n    return 2 * x"


def test_an_answer_that_makes_a_test_loop_costs_that_test_alone(warm):
    result = graded(warm, RIGHT.replace("return 3", "return 10**15"))
    assert result.status == "graded"
    assert {name: mark.score for name, mark in result.marks.items()} == {
        "test_loop": 0, "test_loud": 2}
    assert "a test ran longer" in "\n".join(map(str, result.remarks))


def test_what_a_function_prints_under_a_hidden_test_is_not_shown(warm):
    result = graded(warm, RIGHT)
    assert result.score == 4
    assert "I was asked" not in result.text.replace("print('I was asked', x)", "")
    assert "one more question" in result.text


def test_it_does_not_strike_while_a_candidate_is_buried(warm, monkeypatch):
    """Else the next submission would take the report of this end for its own beginning."""
    bury = warm.bury

    def slowly(session):
        time.sleep(0.5)  # a machine with a fork bomb on it
        return bury(session)

    session = warm.fork()
    monkeypatch.setattr(warm, "bury", slowly)
    with pytest.raises(TestTooLong), watchdog(0.1, session.undisturbed):
        session.end("ran longer than it may", Kind.TIME)
        forever()
    assert session.usage["code"] == -9
    monkeypatch.undo()
    with warm.fork() as another:
        assert another.run_cell("1 + 1").error is None
