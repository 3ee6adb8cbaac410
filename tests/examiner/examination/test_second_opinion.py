"""A failure is looked at once more the stock way; what counts then is staff's choice."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from viva_examiner.course import Course
from viva_examiner.examination import second_opinion
from viva_examiner.examination.grade import grade
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import Mark, Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

LIMITS = Limits(cell_seconds=10, question_seconds=5, submission_seconds=30)
CODE = "class Point:\n    def __init__(self):\n        self.x = 1\ndef one():\n    return 1"
OURS_CANNOT = "assert vars(Point()) == {'x': 1}"  # of a stand-in, `vars` is not the object's
TESTS = {"test_vars": OURS_CANNOT, "test_one": "assert one() == 1",
         "test_exam": "examine = lambda *words: vars(Point())['x']\nassert examine('one', one)"}


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "IPython", "viva"), LIMITS) as warm:
        yield warm


def graded(warm, code: str, whose: str, tests=TESTS):
    cells = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    cells += [ReleasedCell(name, "code", text, "", locked=True, grade=True, points=2)
              for name, text in tests.items()]
    written = new_code_cell(code, id="work", metadata=nbgrader("work", solution=True))
    released = Released("hw", "hw", tuple(cells), second_opinion=whose)
    return grade(warm, released, Work(nbformat.writes(new_notebook(cells=[written])).encode(),
                                      student="ada"), LIMITS)


@pytest.mark.parametrize("whose, score, words", [
    ("examiner", 0, "differs from stock nbgrader: 0 here, 2 of 2 there"),
    ("stock", 2, "not tamper-proof"),
    ("open", None, "not graded: differs from stock nbgrader"),
])
def test_whose_mark_counts(warm, whose, score, words):
    found = graded(warm, CODE, whose)
    mark = found.marks["test_vars"]
    assert mark.score == score and mark.stock == 2 and words in mark.reason
    assert any("test_vars differs from stock nbgrader: stock gives 2 of 2" in remark.text
               for remark in found.remarks)
    assert found.status == "graded" and found.needs_a_look == (whose == "open")
    assert found.marks["test_one"].score == 2
    assert found.marks["test_exam"].score == 0  # never looked at a second time
    assert found.marks["test_exam"].stock is None


def test_what_is_wrong_in_stock_too_stays_wrong(warm):
    found = graded(warm, CODE.replace("self.x = 1", "self.x = 2"), "open")
    assert found.marks["test_vars"].score == 0 and found.marks["test_vars"].stock is None
    assert not any("stock" in remark.text for remark in found.remarks)


def test_it_costs_nothing_where_all_is_right(warm, monkeypatch):
    forks, start = [], warm.start
    monkeypatch.setattr(warm, "start", lambda *how: forks.append(how) or start(*how))
    assert graded(warm, CODE, "open", {"test_one": "assert one() == 1"}).score == 2
    assert len(forks) == 1
    graded(warm, "def one():\n    return 2", "open", {"test_one": "assert one() == 1"})
    assert len(forks) == 3


def test_a_notebook_that_dies_is_not_run_again(warm, monkeypatch):
    """Stock nbgrader gives nobody a mark whose kernel died: there is nothing to ask."""
    forks, start = [], warm.start
    monkeypatch.setattr(warm, "start", lambda *how: forks.append(how) or start(*how))
    found = graded(warm, "import os\nos._exit(1)", "open", {"test_one": "assert one() == 1"})
    assert found.score == 0 and len(forks) == 2  # the second is the one started again


def test_what_cannot_be_examined_stays_open():
    """A fault of the test, which stock gives 0 for, is no zero of the student's."""
    mark = Mark(None, 2, "not graded: the test is not plain Python")
    assert second_opinion.settled(mark, 0.0, "open") is mark
    assert second_opinion.settled(mark, None, "open") is mark
    assert second_opinion.settled(mark, 2.0, "examiner").score is None


def test_an_object_that_leaves_a_test_undecided_is_zero_if_stock_says_so(warm):
    """"Not graded" is not to be had by returning strange things."""
    tests = {"test_n": "assert Thing().n == 3"}
    strange = "class Thing:\n    @property\n    def n(self):\n        return self"
    assert graded(warm, strange, "open", tests).marks["test_n"].score == 0
    agrees = strange + "\n    def __eq__(self, other):\n        return True"
    assert graded(warm, agrees, "open", tests).marks["test_n"].score is None
    assert graded(warm, agrees, "examiner", tests).marks["test_n"].score is None


@pytest.mark.parametrize("outputs, score", [
    ([], 3), ([{"output_type": "error"}], 0),
    ([{"output_type": "stream", "name": "stderr"}], 0),
    ([{"output_type": "stream", "name": "stdout"}], 3),
    ([{"output_type": "execute_result", "data": {"text/plain": "1.5"}}], 1.5),
    ([{"output_type": "execute_result", "data": {"text/plain": "'a'"}}], 3),
    ([{"output_type": "execute_result", "data": {"text/plain": "-1"}}], 3),
    ([{"output_type": "execute_result", "data": {"text/plain": "4"}}], None),
])
def test_scores_as_nbgrader_does(outputs, score):
    from nbgrader.utils import determine_grade

    assert second_opinion.stock_score(outputs, 3.0) == score
    cell = new_code_cell("", metadata=nbgrader("t", grade=True, points=3))
    cell.outputs = [nbformat.from_dict(output) for output in outputs]
    if score is None:
        with pytest.raises(ValueError, match="greater than maximum"):
            determine_grade(cell)
    else:
        assert determine_grade(cell)[0] == score


@pytest.mark.parametrize("lines, whose", [
    ("", "open"), ("c.Examiner.course = 'viva_course'", "examiner"),
    ("c.Examiner.course = 'viva_course'\nc.Examiner.second_opinion = 'stock'", "stock"),
    ("c.Examiner.second_opinion = 'examiner'", "examiner"),
])
def test_the_default_depends_on_who_wrote_the_tests(tmp_path, lines, whose):
    (tmp_path / "nbgrader_config.py").write_text(f"c = get_config()\n{lines}\n")
    assert Course(tmp_path).second_opinion == whose
