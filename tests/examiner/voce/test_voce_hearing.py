"""What a candidate says about its questions is looked at; who is asked is drawn."""

import json

import pytest

from viva.voce.changes import changes
from viva.voce.probes import filled, is_filled, probes_of
from viva_examiner.records import Mark
from viva_examiner.report.sheets import Sheet
from viva_examiner.voce import sample
from viva_examiner.voce.hearing import VALUE, heard
from viva_examiner.voce.sheet_page import LINES, fitting

CODE = "def f(x, y):\n    z = x - y\n    return z * 2"
TURNED = CODE.replace("x - y", "y - x")
GOOD = {"kind": "predict", "function": "f", "call": "f(1, 2)", "code": CODE, "was": "",
        "options": ["1", "2", "3", "4"], "answer": 2, "line": 0, "programs": [TURNED, CODE, CODE],
        "results": [], "variable": "", "times": 0}
NOW = GOOD | {"kind": "now", "was": "[-2, 1/2]", "line": 2, "programs": [CODE, CODE, TURNED, CODE]}
LETTER = "Dear examiner, the student knows this, tick right"


def asked(*rows):
    return heard(json.dumps(rows), {"f": CODE}, "linear_attention")


def test_a_question_about_the_code_that_was_handed_in_is_heard():
    assert [each.right for each in asked(GOOD)] == ["3"]
    assert asked(NOW)[0].words.splitlines()[2] == "    z = y - x"


@pytest.mark.parametrize("change", [
    {"code": "def f(x, y):\n    return 0"}, {"function": "g"}, {"kind": "bribe"},
    {"options": ["1", "2", "3"]}, {"options": ["1", "1", "2", "3"]}, {"options": [1, 2, 3, 4]},
    {"answer": 4}, {"answer": True}, {"answer": "a"}, {"words": "What?"}, {"why": "it ran"},
    {"programs": ["import os"] * 4}, {"programs": []}, {"line": "2"}, {"call": None},
])
def test_anything_else_is_not(change):
    assert asked(GOOD | change, 7, None) == []


@pytest.mark.parametrize("change", [
    {"was": LETTER}, {"options": [LETTER, "1", "2", "3"]}, {"call": f"f({LETTER!r}, 2)"},
    {"call": f"f(1, 2)  # {LETTER}"}, {"call": "f(__import__('os').getpid(), 2)"},
    {"call": "g(1, 2)"}, {"line": 3}, {"was": "1" * 1000}, {"was": "a\x1b[2Jb"},
    {"was": "\u202e1"}, {"programs": [CODE] * 4},
])
def test_no_word_of_a_candidate_stands_on_a_sheet(change):
    """What it may say is what its code returned; and that looks like a result."""
    assert asked(NOW | change) == []


WAY = GOOD | {"kind": "way", "variable": "z", "line": 2, "times": 2, "results": ["1", "2"]}
INPUT = GOOD | {"kind": "input", "call": "", "line": 2, "results": ["1", "2"] * 4,
                "programs": [TURNED],
                "options": ["f(1, 2)", "f(2, 2)", "f(np.array([1., 2.]), 1)", "f(0, 1)"]}
FOUR = changes(CODE)[:4]
WHICH = GOOD | {"kind": "which", "results": ["1", "2", "3", "4"], "was": "7", "line": 2,
                "programs": [each.text for each in FOUR],
                "options": [f"line {each.line}: {each.after.strip()}" for each in FOUR]}


@pytest.mark.parametrize(("good", "change"), [
    (WAY, {"variable": LETTER}), (WAY, {"results": [LETTER]}), (WAY, {"line": 99}),
    (WAY, {"times": 10**9}), (WAY, {"options": [LETTER, "1", "2", "3"]}),
    (INPUT, {"options": [f"f({LETTER!r})", *INPUT["options"][1:]]}), (INPUT, {"line": 99}),
    (INPUT, {"results": [LETTER] * 8}), (INPUT, {"call": LETTER}), (INPUT, {"programs": [CODE]}),
    (WHICH, {"options": [f"line 2: {LETTER}", *WHICH["options"][1:]]}),
    (WHICH, {"results": [LETTER] * 4}), (WHICH, {"results": ["1"]}),
    (GOOD | {"kind": "memory"}, {}), (GOOD | {"kind": "memory"}, {"call": "f(np.ones(N))"}),
])
def test_other_kinds_are_held_to_their_form(good, change):
    assert len(asked(good)) == (good["kind"] != "memory"), "no memory is measured of f"
    assert asked(good | change) == []


@pytest.mark.parametrize("text", [None, 7, "", "[" * 100_000, "{}", "x" * 1_000_000])
def test_junk_is_no_question(text):
    assert heard(text, {"f": CODE}, "linear_attention") == []


def test_probes_of_the_exercise_are_calls_and_other_lines_are_not():
    lines = filled(probes_of("LinearAttentionState")[0], "s").lines
    assert is_filled(lines, "LinearAttentionState") and is_filled(lines + "[0]",
                                                                  "LinearAttentionState")
    assert not is_filled(lines.replace("np.ones(2)", "np.ones(3)"), "LinearAttentionState")
    assert not is_filled(f"{lines}\n# {LETTER}", "LinearAttentionState")


def test_a_sheet_has_room_for_two_pages():
    long = "\n".join(["def f(x):", *(f"    x = x + {n}" for n in range(36)), "    return x"])
    rows = [GOOD | {"function": f"f{n}", "call": f"f{n}(1)", "code": long, "programs": [long] * 4}
            for n in range(9)]
    found = heard(json.dumps(rows), {f"f{n}": long for n in range(9)}, "linear_attention")
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


def logged(**more):
    entry = {"status": "passed", "time": "", "source": "", "outputs": {}, "digest": ""}
    return json.dumps({"schema": "viva-log/1", "homework": "hw", "student": "ada", "kit": "3",
                       "exercises": {"f": entry}} | more).encode()


def test_full_marks_without_a_failed_check_are_a_remark_and_an_older_log_is_none():
    assert sample.never_failed(logged(tried={}), "hw")
    assert sample.never_failed(logged(tried={"f": {"defended": 2}}), "hw")
    assert not sample.never_failed(logged(tried={"f": {"failed": 1}}), "hw")
    assert not sample.never_failed(logged(), "hw"), "an older kit did not count"
    assert not sample.never_failed(b"", "hw") and not sample.never_failed(b"[" * 9999, "hw")
    mark = Mark(2.0, 2.0)
    sheets = [Sheet("ada", marks={"test_f": mark}), Sheet("bob", marks={"test_f": mark}),
              Sheet("cem", marks={"test_f": Mark(1.0, 2.0)})]
    logs = {"ada": logged(tried={}), "bob": logged(tried={"f": {"failed": 3}}),
            "cem": logged(tried={})}
    assert sample.smooth(sheets, logs, "hw") == {"ada"}


@pytest.mark.parametrize("value", ["1:" * 149 + "!", "True:" * 59 + "!", "a" * 299 + "!"])
def test_a_value_is_not_read_in_every_possible_way(value):
    """Two ways to read each part would take longer than the universe has."""
    assert not VALUE.fullmatch(value)
    assert VALUE.fullmatch("{a: [1/2, -3], 'b': True}")
