"""The student's side: messages, cards, the log, and when a failed check raises."""

import html
import json
import re

import numpy as np
import pytest

import toy
import viva
from viva import card, case, checking, desk, sources, tables
from viva import log as log_form
from viva.verdict import Verdict
from viva_course import expected, rubric


@pytest.fixture(autouse=True)
def toy_homework(monkeypatch, tmp_path):
    """The toy exercise as the only one of the homework `toy`, in an empty directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)
    content = {"centre": expected.public_record(toy.toy)}
    monkeypatch.setattr(checking, "expected_of", lambda homework: content)
    monkeypatch.setattr(tables, "exercises_of", lambda homework: ["centre"])
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
        (lambda x: x[:, :1], "array (3, 1) float64, expected shape (3, 4)"),
        (lambda x: x.astype("f4"), "array (3, 4) float32, expected float64"),
        (lambda x: x * np.nan, "expected -0.3927 (12 of 12 entries are NaN or infinite)"),
        (lambda x: REFERENCE[0](x) + 1, "0.6073 at [0, 0], expected -0.3927 (array (3, 4)"),
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


def test_what_the_kit_itself_offers_is_no_answer():
    """The notebook imports apply_head to run designs; it would be attention_head."""
    source = "def attention_head(X, *matrices):\n    return apply_head(X, *matrices)"
    forbidden = ("viva.kits.hand_design_transformer.heads.apply_head",)
    assert sources.forbidden_routine((), forbidden, [source]) == forbidden[0]
    assert sources.forbidden_routine((), ("np.var",), ["def f(x):\n    return var(x)"]) == ""


@pytest.mark.parametrize("source", [
    "def f(x):\n    return np.var(x)",
    "def f(x):\n    return np . var(x)",
    "def f(x):\n    return (np.  # the spread\n            # of x\n            var(x))",
    "def f(x):\n    return np.\\\n        var(x)",
    "def f(x):\n    from numpy import mean, var as spread\n    return spread(x)",
    "def f(x):\n    return f'{np.var(x)}'",
    "def f(x):\n    return np.ᵛar(x)",
])
def test_a_forbidden_routine_is_seen_however_it_is_written(source):
    assert sources.forbidden_routine((), ("np.var",), [source]) == "np.var"


@pytest.mark.parametrize("source", [
    "def f(x):\n    variance = x.mean()\n    return variance  # var",
    "def f(x):\n    \"\"\"Like np.var, by hand.\"\"\"\n    return x.variance",
    "import numpy\n\ndef f(var):\n    return var",
])
def test_a_name_alone_is_not_the_routine(source):
    assert sources.forbidden_routine((), ("np.var",), [source]) == ""


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
    log = json.loads(open(log_form.LOG_NAME).read())
    entry = log["exercises"]["centre"]
    assert (log["schema"], log["student"], entry["status"]) == (log_form.SCHEMA, "ada", "passed")
    assert "def centre" in entry["source"]
    assert entry["outputs"] == desk.own_outputs("centre", REFERENCE, "ada")
    assert entry["outputs"] != desk.own_outputs("centre", REFERENCE, "bob")


def test_progress_survives_a_restart_and_a_broken_log(capsys):
    viva.check("centre", *REFERENCE)
    viva.begin("toy", student="ada")
    assert "1 of 1 exercises pass" in capsys.readouterr().out
    open(log_form.LOG_NAME, "w").write("{ not json")
    viva.begin("toy", student="ada")
    assert "0 of 1 exercises pass" in capsys.readouterr().out


def test_submit_lists_what_is_missing_and_where_the_log_is(capsys):
    viva.submit()
    out = capsys.readouterr().out
    assert "○ to do" in out and log_form.LOG_NAME in out


def test_look_says_which_function_is_missing(capsys):
    def linear_attention():
        raise NotImplementedError

    with viva.look():
        linear_attention()
    assert "write linear_attention first" in capsys.readouterr().out
    with pytest.raises(ZeroDivisionError), viva.look():
        raise ZeroDivisionError


@pytest.fixture()
def shown(monkeypatch):
    """The cards that were shown."""
    cards = []
    monkeypatch.setattr(card, "_display", cards.append)
    return cards


def all_cards(shown):
    """A card of every kind, after they were shown."""
    wrong = np.arange(64.0).reshape(8, 8)
    rows = (("you returned", "a < b"), ("try it", "centre(x < 1)"), ("see also", "the hints"))
    for status in card.SIGNS:
        arrays = {"got": wrong, "expected": 2 * wrong} if status == "failed" else {}
        card.show(Verdict("centre", status, "<script>", rows, **arrays), (0, 1))
    states = dict.fromkeys(card.SIGNS, "missing")
    card.show_submission("toy", "", states, "Hand in a < b")
    return shown


def test_the_card_has_words_beside_its_colour_and_escapes_what_students_return(shown):
    all_cards(shown)
    markup = shown[1]._repr_html_()
    assert "✗ not yet" in markup and "<script>" not in markup and "a &lt; b" in markup


def test_a_failed_card_links_to_the_hints(shown):
    failed = all_cards(shown)[1]
    assert "<a href='#cell-id=centre-hints'>" in failed.markup
    assert "see also" in failed.text and "see also" not in failed.markup
    assert "-hints" not in shown[0].markup  # passed


def test_a_path_below_home_is_written_with_a_tilde(shown, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    viva.submit()
    assert f"~/{log_form.LOG_NAME}" in shown[0].text


def test_cards_work_wherever_html_is_shown(shown):
    """No script, style sheet, foreign address or colour of text: any renderer, any theme."""
    for each in all_cards(shown):
        assert not re.search(r"<(script|style|iframe|link)|https?:|@import|\bon\w+=", each.markup)
        assert not re.search(r"[;'\"](color|background)[a-z-]*:", each.markup)
        assert all("alt=" in image for image in re.findall(r"<img[^>]*>", each.markup))


def test_text_and_html_of_a_card_say_the_same(shown):
    for each in all_cards(shown):
        plain = html.unescape(re.sub(r"<[^>]+>", " ", each.markup)).split()
        for line in each.text.splitlines():
            if "see also" not in line:  # a link in HTML
                assert set(line.replace("progress:", "").split()) <= set(plain), line


def luminance(colour):
    """WCAG's relative luminance of #rrggbb."""
    parts = np.array([int(colour[i:i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def mixed(text, background, opacity):
    pairs = [(int(text[i:i + 2], 16), int(background[i:i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(opacity * a + (1 - opacity) * b):02x}" for a, b in pairs)


# Text and background of JupyterLab's and VS Code's themes.
THEMES = {"Lab light": ("#212121", "#ffffff"), "Lab dark": ("#dedede", "#111111"),
          "VS Code light": ("#3b3b3b", "#ffffff"), "VS Code dark": ("#cccccc", "#1f1f1f")}


@pytest.mark.parametrize("text, background", THEMES.values(), ids=THEMES)
def test_a_card_is_readable_in_light_and_dark(text, background):
    """WCAG AA: 4.5:1 for text; 3:1 for a border, which no text depends on."""
    assert contrast(mixed(text, background, card.FADED), background) >= 4.5
    for border in card.BORDERS.values():
        assert contrast(border, background) >= 3


def test_the_card_draws_a_difference_that_is_large_enough():
    wrong = np.arange(64.0).reshape(8, 8)
    verdict = Verdict("centre", "failed", "wrong", got=wrong, expected=wrong * 2)
    shown = re.findall("alt='([^']*)'", card._picture(verdict))
    assert shown == [f"heat map of 8 by 8 entries: {words}" for words in (
        "yours, 0 to 126", "expected, 0 to 126", "difference, -63 to 63")]
    first_is_right = {"got": [wrong[:4], wrong], "expected": [wrong[:4], wrong * 2]}
    verdict = Verdict("centre", "failed", "wrong", **first_is_right)
    assert "heat map of 8 by 8 entries: yours" in card._picture(verdict)
    assert card._picture(Verdict("c", "failed", "wrong", got=1.0, expected=2.0)) == ""


def test_a_rule_is_checked_and_neither_logged_nor_asked_by_the_exam(monkeypatch):
    def empty_rows(rng, centre):
        """rows without numbers"""
        return centre(np.zeros((2, 0))).shape

    monkeypatch.setitem(case.CASES, "centre", [*toy.toy.cases])
    empty_rows.__module__ = "toy"
    case.rule("centre")(empty_rows)
    new = case.CASES["centre"][-1]
    assert (new.name, new.exam, new.log) == ("empty_rows", False, False)
    assert "empty_rows" not in {each.name for each in toy.toy.asked}
    assert "empty_rows" not in desk.own_outputs("centre", REFERENCE, "ada")
