"""What a candidate says about its questions is looked at; who is asked is drawn."""

import json

import pytest

from viva_examiner.voce import sample
from viva_examiner.voce.hearing import heard
from viva_examiner.voce.page import LINES, fitting

CODE = "def f(x, y):\n    z = x - y\n    return z * 2"
GOOD = {"kind": "predict", "function": "f", "words": "What?", "call": "f(1, 2)", "code": CODE,
        "options": ["1", "2", "3", "4"], "answer": 2, "line": 0, "why": "it ran",
        "programs": [CODE]}


def test_a_question_about_the_code_that_was_handed_in_is_heard():
    found = heard(json.dumps([GOOD]), {"f": CODE})
    assert [each.options[each.answer] for each in found] == ["3"]
    changed = GOOD | {"kind": "now", "programs": [CODE.replace("x - y", "y - x")]}
    assert len(heard(json.dumps([changed]), {"f": CODE})) == 1


@pytest.mark.parametrize("change", [
    {"code": "def f(x, y):\n    return 0"}, {"function": "g"}, {"kind": "bribe"},
    {"options": ["1", "2", "3"]}, {"options": ["1", "1", "2", "3"]}, {"options": [1, 2, 3, 4]},
    {"answer": 4}, {"answer": True}, {"answer": "a"}, {"words": None}, {"words": "w" * 10_000},
    {"programs": ["import os"]}, {"programs": []}, {"line": "2"},
])
def test_anything_else_is_not(change):
    assert heard(json.dumps([GOOD | change, 7, None]), {"f": CODE}) == []


@pytest.mark.parametrize("text", [None, 7, "", "[" * 100_000, "{}", "x" * 1_000_000])
def test_junk_is_no_question(text):
    assert heard(text, {"f": CODE}) == []


def test_signs_that_steer_a_terminal_are_gone():
    found = heard(json.dumps([GOOD | {"words": "a\x1b[2Jb\u202ec"}]), {"f": CODE})
    assert found[0].words.isprintable()


def test_a_sheet_has_room_for_two_pages():
    long = "\n".join(["def f(x):", *(f"    x = x + {n}" for n in range(36)), "    return x"])
    rows = [GOOD | {"function": f"f{n}", "code": long, "programs": [long]} for n in range(9)]
    found = heard(json.dumps(rows), {f"f{n}": long for n in range(9)})
    parts, left_out = fitting(found)
    assert len(found) == 9 and len(parts) + left_out == 9 and 0 < len(parts) <= LINES // 37


def test_the_sample_has_the_stated_probability_and_nobody_is_certain():
    students = [f"s{n}" for n in range(4000)]
    drawn = sample.drawn(students, 0.2, set(), "secret", "hw")
    assert 0.17 < len(drawn) / 4000 < 0.23
    assert drawn == sample.drawn(students, 0.2, set(), "secret", "hw")
    assert drawn != sample.drawn(students, 0.2, set(), "other", "hw")
    raised = sample.drawn(students, 0.2, set(students), "secret", "hw")
    assert 0.36 < len(raised) / 4000 < 0.44 and set(drawn) <= set(raised)
    assert sample.probability(0.8, True) < 1 and sample.probability(1.0, True) == 1
    assert "20%" in sample.how(0.2) and "40%" in sample.how(0.2)
