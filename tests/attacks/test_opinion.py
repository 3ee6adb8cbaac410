"""Attacks on the second opinion where it counts most: the cell is open, or stock's mark counts."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

import assignment
from attempts import FOLDER, build, own_words
from viva_examiner.examination.grade import grade
from viva_examiner.records import Work

OPINIONS = sorted(FOLDER.glob("opinion/*.py"))


def graded(examiner, path: Path, whose: str):
    released = dataclasses.replace(examiner.released, second_opinion=whose)
    _, notebook, _ = build(path)
    return grade(examiner.warm, released, "mallory", Work(assignment.as_bytes(notebook)),
                 assignment.LIMITS)


@pytest.mark.parametrize("path", OPINIONS, ids=lambda p: p.stem)
def test_an_open_cell_gives_no_point_and_no_word(examiner, path):
    """A forged opinion asks a TA to look, and says nothing but a number of two digits."""
    found = graded(examiner, path, "open")
    assert found.score == 0
    assert assignment.CANARY not in own_words(found) + json.dumps(found.remarks)
    for mark in found.marks.values():
        assert not re.search(r"\d\.\d{3}", mark["reason"]), mark
    examiner.next_is_unaffected()


def test_the_test_that_asks_an_exam_gets_no_second_opinion(examiner):
    """Whatever is forged: the exam is not in reach, and its mark is the examiner's."""
    for whose in ("open", "stock"):
        found = graded(examiner, FOLDER / "opinion/forged.py", whose)
        assert found.marks["test_centre"]["score"] == 0
        assert found.marks["test_centre"]["stock"] is None


def test_a_mark_taken_from_stock_says_what_it_is(examiner):
    found = graded(examiner, FOLDER / "opinion/forged.py", "stock")
    assert found.marks["test_square"]["score"] == 3
    assert "not tamper-proof" in found.marks["test_square"]["reason"]
