"""`viva explain`: everything for staff, nothing secret for a student, no mark written."""

import stat

import nbformat
import numpy as np
import pytest

import courses
import one_homework
from viva_course import exercises, replay
from viva_examiner.cli import main
from viva_examiner.explain import examining
from viva_examiner.explain.examining import CannotExplain, explain
from viva_examiner.explain.explanation_page import render, write_page
from viva_examiner.explain.explanation_text import WIDTH, as_text, for_staff, for_student
from viva_examiner.records import Rubric

HW = one_homework.HOMEWORK
HOSTILE = 'raise ValueError("<script>alert(1)</script> \\x1b[2J")'
STUDENTS = {
    "bob": {"stable_softmax": one_homework.WRONG_AXIS},
    "mallory": {"stable_softmax": f"def stable_softmax(x, axis=-1):\n    {HOSTILE}",
                "min_score_gap": "def min_score_gap(T, tol):\n    raise NotImplementedError"},
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = one_homework.make(tmp_path_factory.mktemp("explain") / "course")
    released = nbformat.read(course.root / "release" / HW / f"{HW}.ipynb", 4)
    for student, changes in STUDENTS.items():
        work = one_homework.answered(released, **changes)
        courses.hand_in(course, HW, student, nbformat.writes(work).encode())
    return course


@pytest.fixture(scope="module")
def told(course):
    return {student: explain(course, HW, student) for student in STUDENTS}


def accounts(page: dict) -> dict:
    """{item: {label: text}} of the first test."""
    return {item["name"]: dict(item["account"]) for item in page["tests"][0]["items"]
            if item["account"]}


def test_staff_see_where_it_failed_what_was_answered_and_what_is_right(told):
    page = for_staff(told["bob"], "viva_course")
    values = accounts(page)["values"]
    assert values["asked"].startswith("stable_softmax(\n    float64[")
    assert values["answered"] != values["expected"] and values["expected"].startswith("float64[")
    assert page["tests"][0]["mistakes"] and page["tests"][0]["hints"]
    text = as_text(page)
    assert "✗ values, 0 of 2" in text and "answered  float64[" in text
    assert f"usual cause ({page['tests'][0]['mistakes'][0]})" in text
    assert max(map(len, text.splitlines())) <= WIDTH  # a terminal would break words in two


def test_the_replay_asks_the_same_question(told):
    """What the page tells to paste runs, with the secret, and shows the wrong answer."""
    code = for_staff(told["bob"], "viva_course")["tests"][0]["replay"]
    names = {"np": np}
    exec(one_homework.WRONG_AXIS, names)
    exec(code, names)
    calls = replay("stable_softmax", "values")
    assert any(not np.allclose(names["stable_softmax"](*call.args, **call.kwargs), call.output)
               for call in calls)
    right = exercises(HW)["stable_softmax"].reference[0]
    assert all(np.array_equal(right(*call.args, **call.kwargs), call.output) for call in calls)
    with pytest.raises(ValueError, match="no question 'valus'; it has values"):
        replay("stable_softmax", "valus")


def test_a_students_page_holds_nothing_secret(told):
    page = for_student(told["bob"])
    shown = render(page) + as_text(page)
    for account in accounts(for_staff(told["bob"])).values():
        assert account["asked"] not in shown and account["expected"] not in shown
    for word in ("replay", "viva_course", "examine(", "the suite",
                 *told["bob"].tests[0].rubric[0].mistake.splitlines()):
        assert word not in shown
    assert "✗ values" in shown and "the public check says" in shown
    assert "try it: stable_softmax(" in shown, "an input that the student may see"


def test_a_students_words_are_shown_and_never_obeyed(told):
    page = for_staff(told["mallory"], "viva_course")
    assert accounts(page)["values"]["answered"].startswith("raised ")
    assert "<script>" not in render(page) and "&lt;script&gt;" in render(page)
    assert "\x1b" not in as_text(page) and "<script>" in as_text(page)
    assert "default-src 'none'" in render(page)
    unwritten = page["tests"][1]
    assert unwritten["score"] == 0 and not any(item["account"] for item in unwritten["items"])


def test_no_mark_is_written_and_the_staffs_page_is_the_staffs(course, told):
    assert courses.grades(course, HW) == {}
    assert not (course.root / "autograded").exists()
    assert all(test.recorded is None for test in told["bob"].tests) and not told["bob"].changed
    path = write_page(course, for_staff(told["bob"]))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert write_page(course, for_student(told["bob"])).name == "bob-to-send.html"


def test_a_typo_suggests_the_nearest(course, monkeypatch, capsys):
    with pytest.raises(CannotExplain, match="bpb has not handed in .*; did you mean bob"):
        explain(course, HW, "bpb")
    monkeypatch.chdir(course.root)
    assert main(["explain", HW, "nobody"]) == 2
    assert main(["explain", "hand_design_transfomer", "bob"]) == 2
    assert f"did you mean {HW}?" in capsys.readouterr().err


@pytest.mark.parametrize("headline, noticed, says", [
    ("passed (4 cases)", False, "The check of this exercise does not show it"),
    ("values differ", True, "What the check of this exercise shows")])
def test_the_page_says_whether_a_student_can_see_it(headline, noticed, says):
    rubric = Rubric("f", public=(("the public check says", headline),), noticed=noticed)
    test = examining.Test("test_f", 0.0, 1.0, 0.0, rubric=(rubric,))
    page = for_student(examining.Explanation("ada", "one", [test]))
    assert says in render(page) and headline in render(page)
