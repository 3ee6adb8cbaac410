"""Notebooks whose cells, points, ids or outputs were changed by hand. Nothing of it counts."""

import copy
import json
from pathlib import Path

import pytest
from nbformat import NO_CONVERT, reads, validate

import assignment


def zero() -> dict:
    return assignment.submission(assignment.HONEST_ZERO)


def cell(notebook: dict, name: str) -> dict:
    return next(c for c in notebook["cells"] if c["id"] == name)


def more_points(notebook):
    """claims a hundred points for a test"""
    for each in notebook["cells"]:
        if "nbgrader" in each["metadata"]:
            each["metadata"]["nbgrader"]["points"] = 100


def strange_points(notebook):
    """claims points that are no number"""
    strange = {"test_square": "many", "test_apply": -5, "test_centre": float("nan")}
    for name, points in strange.items():
        cell(notebook, name)["metadata"]["nbgrader"]["points"] = points


def emptied_tests(notebook):
    """replaces the tests' sources by a number"""
    for name in assignment.TESTS:
        cell(notebook, name)["source"] = "4.0"


def deleted_tests(notebook):
    """deletes the tests"""
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] not in assignment.TESTS]


def duplicated_tests(notebook):
    """puts a copy of each test, with a source of its own, before the real one"""
    copies = [copy.deepcopy(cell(notebook, name)) for name in assignment.TESTS]
    for each in copies:
        each["source"] = "4.0"
    notebook["cells"] = notebook["cells"][:1] + copies + notebook["cells"][1:]


def repeated_tests(notebook):
    """puts a copy of each test, with a source of its own, at the end"""
    copies = [copy.deepcopy(cell(notebook, name)) for name in assignment.TESTS]
    for each in copies:
        each["source"] = "4.0"
    notebook["cells"] += copies


def reordered_cells(notebook):
    """turns the notebook upside down"""
    notebook["cells"].reverse()


def renamed_tests(notebook):
    """gives the tests other ids"""
    for name in assignment.TESTS:
        cell(notebook, name)["metadata"]["nbgrader"]["grade_id"] += "_2"


def unlocked_tests(notebook):
    """declares tests to be its own solution cells"""
    for name in assignment.TESTS:
        each = cell(notebook, name)
        each["metadata"]["nbgrader"].update(locked=False, solution=True, grade=False)
        each["source"] = "4.0"


def manual_tests(notebook):
    """declares tests to be graded by hand"""
    for name in assignment.TESTS:
        each = cell(notebook, name)
        each["metadata"]["nbgrader"].update(solution=True, locked=False)
        each["cell_type"] = "markdown"
        each.pop("outputs"), each.pop("execution_count")


def own_hidden_tests(notebook):
    """marks its own code as a hidden test, to have it run outside the sandbox"""
    evil = ("### BEGIN HIDDEN TESTS\nimport pathlib\npathlib.Path('/tmp/viva-escaped').touch()\n"
            "20.0\n### END HIDDEN TESTS")
    cell(notebook, "work")["source"] += "\n" + evil
    cell(notebook, "test_square")["source"] += "\n" + evil
    extra = copy.deepcopy(cell(notebook, "test_apply"))
    extra["id"], extra["source"] = "extra", evil
    extra["metadata"]["nbgrader"].update(grade_id="test_extra", points=50)
    notebook["cells"].append(extra)


def forged_outputs(notebook):
    """hands in outputs that show full marks"""
    for each in notebook["cells"]:
        each["outputs"] = [{"output_type": "execute_result", "data": {"text/plain": "4.0"},
                            "metadata": {}, "execution_count": 1}]
        each["metadata"]["viva"] = {"score": 20}
    notebook["metadata"]["viva"] = {"score": 20, "status": "graded"}


def changed_imports(notebook):
    """removes the set-up cell and imports things of its own under its names"""
    cell(notebook, "setup")["source"] = (
        "import types\nimport numpy, torch as real\n"
        "np = types.SimpleNamespace(**vars(numpy))\nnp.allclose = lambda *a, **k: True\n"
        "torch = types.SimpleNamespace(**vars(real))\ntorch.equal = lambda *a: True")


def scripts_for_the_ta(notebook):
    """puts scripts where a TA's browser would run them"""
    cell(notebook, "setup")["source"] += (
        "\nfrom IPython.display import HTML, display\n"
        "display(HTML('<img src=x onerror=alert(1)><script>fetch(1)</script><iframe src=x>'))")


def broken_metadata(notebook):
    """puts nonsense where metadata belongs"""
    cell(notebook, "test_square")["metadata"] = ["nbgrader"]
    cell(notebook, "test_apply")["metadata"]["nbgrader"] = "test_apply"
    cell(notebook, "test_centre")["metadata"]["nbgrader"]["grade_id"] = ["test_centre"]
    notebook["metadata"] = {"widgets": {"application/vnd.jupyter.widget-state+json": {}}}
    notebook["cells"] += [None, 7, {"cell_type": "magic"}, {"cell_type": "code", "source": 7}]


TAMPERED = [
    more_points, strange_points, emptied_tests, deleted_tests, duplicated_tests, repeated_tests,
    reordered_cells, renamed_tests, unlocked_tests, manual_tests, own_hidden_tests,
    forged_outputs, changed_imports, scripts_for_the_ta, broken_metadata,
]


@pytest.mark.parametrize("tamper", TAMPERED, ids=lambda f: f.__name__)
def test_tampering(examiner, tamper):
    notebook = zero()
    tamper(notebook)
    attempt = examiner.grade(notebook)
    assert attempt.score == 0, attempt.marks
    assert set(attempt.marks) == set(assignment.TESTS)
    assert assignment.CANARY not in attempt.printed
    assert not Path("/tmp/viva-escaped").exists()
    assert "<script" not in attempt.printed and "onerror" not in attempt.printed
    validate(reads(attempt.text, NO_CONVERT))
    assert sum(mark["points"] for mark in json.loads(attempt.text)["metadata"]["viva"]["marks"]
               .values()) == assignment.POINTS
    examiner.next_is_unaffected()


@pytest.mark.parametrize("tamper", [deleted_tests, repeated_tests, renamed_tests, more_points],
                         ids=lambda f: f.__name__)
def test_a_right_solution_keeps_its_marks_and_the_ta_is_told(examiner, tamper):
    notebook = assignment.submission(assignment.RIGHT)
    tamper(notebook)
    attempt = examiner.grade(notebook)
    assert attempt.score == assignment.POINTS, attempt.marks
    assert "test_square" in attempt.remarks
