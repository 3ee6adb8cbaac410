"""A fault of the staff's own code is "not graded" with its place, never a zero of the student's."""

import json

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from candidates import QUICK
from plain_course import nbgrader
from viva_examiner.examination.grade import grade
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import GRADED, NOT_GRADED, Work

RIGHT = """import numpy as np

def centre(x):
    if x.ndim == 0:
        raise ValueError("a scalar has no rows")
    return x - x.mean(axis=-1, keepdims=True)

def spread(x):
    return float(np.sqrt(np.mean(centre(x) ** 2)))"""
TOY = "import toy\nfrom viva_course import rubric\nrubric.EXERCISES['centre'] = toy.toy\n"
EXAMINE = TOY + "from viva_course import examine\nexamine({!r}, centre, spread)"
BROKEN = """@toy.toy.item(0.0, "a question of its own", name="broken")
def ask(exam, centre, spread):
    exam.true(centr(1) == 1, "never asked")
"""


def graded(warm, hidden: str, points: float = 4, work: str = RIGHT):
    """A right submission with one test that holds this code, and one that is sound."""
    tests = {"test_it": hidden, "test_other": "assert spread(np.ones(3)) == 0"}
    sources = {name: f"### BEGIN HIDDEN TESTS\n{text}\n### END HIDDEN TESTS"
               for name, text in tests.items()}
    worth = {"test_it": points, "test_other": 2.0}
    cells = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    cells += [ReleasedCell(name, "code", text, "", locked=True, grade=True, points=worth[name])
              for name, text in sources.items()]
    handed_in = [new_code_cell(work, metadata=nbgrader("work", solution=True))]
    handed_in += [
        new_code_cell("", metadata=nbgrader(name, grade=True, locked=True, points=worth[name]))
        for name in sources]
    notebook = new_notebook(cells=handed_in)
    imports = {"np": ("numpy", "")}
    return grade(warm, Released("toy", "toy", tuple(cells), imports),
                 Work(nbformat.writes(notebook).encode(), student="ada"), QUICK)


def test_a_sound_exam_is_graded(warm):
    result = graded(warm, EXAMINE.format("centre"))
    assert result.status == GRADED and result.marks["test_it"].score == 4


def check_fault(result, words: str) -> None:
    """Not graded, for a reason that the TA reads and the student's page does not show."""
    assert result.status == NOT_GRADED
    assert result.marks["test_it"].score is None
    assert words in result.marks["test_it"].reason, result.remarks
    assert result.marks["test_other"].score == 2.0  # the rest of the notebook is graded
    assert any("test_it is not graded, a fault of the exam" in r.text and words in r.text
               for r in result.remarks)
    cells = {cell["id"]: cell for cell in json.loads(result.text)["cells"]}
    shown = json.dumps([cell.get("outputs") for cell in cells.values()])
    assert words not in shown and "not graded. Tell the staff" in shown


def test_a_typo_in_the_name_of_the_exercise(warm):
    check_fault(graded(warm, EXAMINE.format("centr")), "there is no exercise named 'centr'")


def test_an_exam_that_lost_an_item(warm):
    less = "import toy\ntoy.toy.items.pop()\n"
    check_fault(graded(warm, less + EXAMINE.format("centre")), "the exam has 3 points, the cell 4")


def test_a_cell_with_other_points_than_its_exam(warm):
    check_fault(graded(warm, EXAMINE.format("centre"), points=10),
                "the exam has 4 points, the cell 10")


def test_a_question_with_a_name_error(warm):
    check_fault(graded(warm, TOY + BROKEN + EXAMINE.format("centre")),
                "name 'centr' is not defined")


def test_a_hidden_test_that_is_not_python(warm):
    result = graded(warm, "assert (")
    assert result.status == NOT_GRADED and result.marks["test_it"].score is None
    assert "not plain Python" in result.marks["test_it"].reason


def test_what_the_student_gets_wrong_is_still_a_zero(warm):
    wrong = RIGHT.replace("return x - x.mean(axis=-1, keepdims=True)", "return undefined_name")
    result = graded(warm, EXAMINE.format("centre"), work=wrong)
    assert result.status == GRADED and result.marks["test_it"].score < 4
