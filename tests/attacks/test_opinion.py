"""Attacks on the second opinion where it counts most: the cell is open, or stock's mark counts."""

import dataclasses
import json
import re
from pathlib import Path

import nbformat
import pytest

import assignment
from attempts import FOLDER, build, own_words
from viva_examiner.examination.grade import grade
from viva_examiner.nbgrader_steps.preprocessors import HideTests
from viva_examiner.records import Work

OPINIONS = sorted(FOLDER.glob("opinion/*.py"))


def graded(examiner, path: Path, whose: str):
    released = dataclasses.replace(examiner.released, second_opinion=whose)
    _, notebook, _ = build(path)
    return grade(examiner.warm, released,
                 Work(assignment.as_bytes(notebook), student="mallory"), assignment.LIMITS)


@pytest.mark.parametrize("path", OPINIONS, ids=lambda p: p.stem)
def test_an_open_cell_gives_no_point_and_no_word(examiner, path):
    """A forged opinion asks a TA to look, and says nothing but a number of two digits."""
    found = graded(examiner, path, "open")
    assert found.score == 0
    assert assignment.CANARY not in own_words(found) + "".join(map(str, found.remarks))
    for mark in found.marks.values():
        assert not re.search(r"\d\.\d{3}", mark.reason), mark
    examiner.next_is_unaffected()


def test_the_test_that_asks_an_exam_gets_no_second_opinion(examiner):
    """Whatever is forged: the exam is not in reach, and its mark is the examiner's."""
    for whose in ("open", "stock"):
        found = graded(examiner, FOLDER / "opinion/forged.py", whose)
        assert found.marks["test_centre"].score == 0
        assert found.marks["test_centre"].stock is None


def test_a_mark_taken_from_stock_says_what_it_is(examiner):
    found = graded(examiner, FOLDER / "opinion/forged.py", "stock")
    assert found.marks["test_square"].score == 3
    assert "not tamper-proof" in found.marks["test_square"].reason


FORGES = """# Tries: to have the second opinion give this number
import ast
class Forged(ast.NodeTransformer):
    def visit_Module(self, node):
        asks = "assert" in ast.unparse(node) or "examine" in ast.unparse(node)
        return ast.parse({number!r}) if asks else node
get_ipython().ast_transformers.append(Forged())
"""


@pytest.mark.parametrize("number", ("1e9", "float('nan')", "-5", "10 ** 400", "'full'", "2.71828"))
def test_a_forged_number_gives_no_more_than_the_cell_has(examiner, tmp_path, number):
    """Where staff let stock's marks count, a forged one is at most what stock itself would give:
    the points of a test that stock could run, said to be not tamper-proof. Open, it gives nothing.
    """
    path = tmp_path / "forged_number.py"
    path.write_text(FORGES.format(number=number))
    for whose in ("open", "stock"):
        found = graded(examiner, path, whose)
        assert found.status == "graded"
        assert found.marks["test_centre"].score == 0
        for name, mark in found.marks.items():
            if whose == "open":
                assert not mark.score, (name, mark)
            elif mark.score:
                assert mark.score <= mark.points and "not tamper-proof" in mark.reason
    examiner.next_is_unaffected()


@pytest.mark.parametrize("path", OPINIONS, ids=lambda p: p.stem)
def test_a_student_does_not_read_the_number(examiner, path):
    """Two digits per test and attempt would be a way to learn a test, were they on the page."""
    found = graded(examiner, path, "open")
    notebook = nbformat.reads(found.text, as_version=4)
    page, _ = HideTests().preprocess(notebook, {})
    words = json.dumps([cell.get("outputs", []) for cell in page.cells])
    assert not re.search(r"stock gives|of \d+ there", words), words


def test_what_cannot_be_compared_is_no_way_to_a_mark(examiner, tmp_path):
    """Objects that no test can decide about: nothing where stock gives nothing either."""
    path = tmp_path / "strange.py"
    path.write_text("# Tries: objects that say nothing\nclass Strange:\n    pass\n"
                    "for name in [n for n, v in list(globals().items()) if callable(v)\n"
                    "             and getattr(v, '__module__', '') == '__main__']:\n"
                    "    if name != 'Strange':\n"
                    "        globals()[name] = lambda *a, **k: Strange()\n")
    for whose in ("open", "stock"):
        found = graded(examiner, path, whose)
        assert found.score == 0
        assert {mark.score for mark in found.marks.values()} == {0.0}
