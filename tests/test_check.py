"""The student's side: messages, cards, the log, and when a failed check raises."""

import json

import numpy as np
import pytest

import toy
import viva
from viva import card, case, checking, desk
from viva_course import expected, rubric


@pytest.fixture(autouse=True)
def toy_homework(monkeypatch, tmp_path):
    """The toy exercise as the only one of the homework `toy`, in an empty directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)
    content = {"centre": expected.public_record(toy.toy)}
    monkeypatch.setattr(checking, "expected_of", lambda homework: content)
    monkeypatch.setattr(case, "exercises_of", lambda homework: ["centre"])
    monkeypatch.setattr(desk, "_now", {"homework": "toy", "student": "ada"})


REFERENCE = toy.toy.reference


def judge(*candidates):
    return checking.judge("centre", *candidates)


def test_a_right_answer_passes():
    assert judge(*REFERENCE).passed


@pytest.mark.parametrize(
    "centre, line",
    [
        (lambda x: None, "None (is a return missing?)"),
        (lambda x: x.tolist(), "a list of 3"),
        (lambda x: x[:, :1], "array (3, 1) float64; expected shape (3, 4)"),
        (lambda x: x.astype("f4"), "expected float64"),
        (lambda x: x * np.nan, "12 entries are NaN or infinite, the first at [0, 0]"),
        (lambda x: x + 1, "largest difference"),
    ],
)
def test_the_first_thing_that_differs_is_named(centre, line):
    verdict = judge(centre, REFERENCE[1])
    assert verdict.status == "failed"
    assert line in " ".join(" ".join(verdict.lines).split())


def test_shapes_are_never_broadcast_away():
    assert not judge(lambda x: np.zeros((1, 1)), REFERENCE[1]).passed


def test_a_known_mistake_is_told_its_cause():
    wrong = next(m for m in toy.toy.mistakes if m.slug == "wrong_axis")
    verdict = judge(*wrong.candidates)
    assert verdict.cause == "wrong_axis"
    assert "usual cause:  The mean is taken over the columns" in "\n".join(verdict.lines)


def test_lines_fit_a_terminal():
    for mistake in toy.toy.mistakes:
        assert all(len(line) < 80 for line in judge(*mistake.candidates).lines)


def test_changing_the_argument_is_noticed():
    wrong = next(m for m in toy.toy.mistakes if m.slug == "in_place")
    assert "changes its arguments" in judge(*wrong.candidates).lines[0]


def test_an_error_shows_type_and_message_not_our_traceback():
    def centre(x):
        raise RuntimeError("matrices do not fit")

    lines = "\n".join(judge(centre, REFERENCE[1]).lines)
    assert "raised RuntimeError" in lines and "matrices do not fit" in lines


def test_an_unwritten_function_is_to_do():
    def stub(x):
        raise NotImplementedError

    assert judge(stub, stub).status == "missing"


def test_a_forbidden_routine_is_named():
    def spread(x):
        return float(np.sqrt(np.var(x)))

    assert "uses np.var" in judge(REFERENCE[0], spread).lines[0]


def test_the_wrong_number_of_functions_is_told():
    assert "check('centre', centre, spread)" in judge(REFERENCE[0]).lines[1]


def test_check_never_raises_while_the_student_works(capsys):
    viva.check("centre", lambda x: x, REFERENCE[1])
    assert "values differ" in capsys.readouterr().out


@pytest.mark.parametrize("mode", ["validate", "autograde"])
def test_check_raises_under_validate_and_autograde(monkeypatch, mode):
    monkeypatch.setenv("NBGRADER_EXECUTION", mode)
    viva.check("centre", *REFERENCE)
    with pytest.raises(AssertionError, match="values differ"):
        viva.check("centre", lambda x: x, REFERENCE[1])


def test_the_log_keeps_status_source_and_outputs_on_the_students_own_inputs():
    viva.check("centre", *REFERENCE)
    log = json.loads(open(desk.LOG_NAME).read())
    entry = log["exercises"]["centre"]
    assert (log["schema"], log["student"], entry["status"]) == (desk.SCHEMA, "ada", "passed")
    assert "def centre" in entry["source"]
    assert entry["outputs"] == desk.own_outputs("centre", REFERENCE, "ada")
    assert entry["outputs"] != desk.own_outputs("centre", REFERENCE, "bob")


def test_progress_survives_a_restart_and_a_broken_log(capsys):
    viva.check("centre", *REFERENCE)
    viva.begin("toy", student="ada")
    assert "1 of 1 exercises pass" in capsys.readouterr().out
    open(desk.LOG_NAME, "w").write("{ not json")
    viva.begin("toy", student="ada")
    assert "0 of 1 exercises pass" in capsys.readouterr().out


def test_submit_lists_what_is_missing_and_where_the_log_is(capsys):
    viva.submit()
    out = capsys.readouterr().out
    assert "○ to do" in out and desk.LOG_NAME in out


def test_look_says_which_function_is_missing(capsys):
    def linear_attention():
        raise NotImplementedError

    with viva.look():
        linear_attention()
    assert "write linear_attention first" in capsys.readouterr().out
    with pytest.raises(ZeroDivisionError), viva.look():
        raise ZeroDivisionError


def test_the_card_has_words_beside_its_colour_and_escapes_what_students_return():
    verdict = checking.Verdict("centre", "failed", ("centre: <script>", "  got: a < b"))
    shown = []
    card._display, original = shown.append, card._display
    try:
        card.show(verdict, (0, 1))
    finally:
        card._display = original
    markup = shown[0]._repr_html_()
    assert "✗ not yet" in markup and "<script>" not in markup and "a &lt; b" in markup


def test_the_card_draws_a_difference_that_is_large_enough():
    wrong = np.arange(64.0).reshape(8, 8)
    verdict = checking.Verdict("centre", "failed", ("centre",), got=wrong, expected=wrong * 2)
    assert "heat maps of your (8, 8) array" in card._picture(verdict)
    assert card._picture(checking.Verdict("c", "failed", ("c",), got=1.0, expected=2.0)) == ""
