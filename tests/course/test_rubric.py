"""An exercise's declaration: questions, partial credit, diagnosis, and the table that is shown."""

import subprocess
import sys

import numpy as np
import pytest

import toy
from viva_course import examining, rubric
from viva_course.secret import course_secret


@pytest.fixture(autouse=True)
def toy_is_registered(monkeypatch):
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)
    rubric.reference_record.cache_clear()
    rubric.mistake_records.cache_clear()


def examine(*candidates, secret="s"):
    return toy.toy.examine(candidates, secret)


def mistake(slug):
    return next(m.candidates for m in toy.toy.mistakes if m.slug == slug)


def test_the_reference_and_every_variant_get_full_marks():
    assert examine(*toy.toy.reference).score == 4
    assert examine(*toy.toy.variants[0].candidates).score == 4


@pytest.mark.parametrize("slug, score", [("wrong_axis", 1), ("in_place", 3), ("variance", 2)])
def test_a_mistake_loses_its_items_and_no_others(slug, score):
    assert examine(*mistake(slug)).score == score


@pytest.mark.parametrize("slug", ["wrong_axis", "variance"])
def test_a_mistake_is_recognised_from_its_outputs(slug):
    report = examine(*mistake(slug))
    assert report.mistake == slug
    assert report.hint


def test_an_unknown_mistake_is_given_no_cause():
    report = examine(lambda x: x * 0, toy.toy.reference[1])
    assert report.score < 4 and report.mistake == ""


def test_an_untouched_notebook_gets_nothing():
    def stub(*args):
        raise NotImplementedError

    report = examine(stub, stub)
    assert report.score == 0
    assert "not written yet" in report.outcomes[0].message


def test_a_forbidden_routine_costs_the_exercise_and_is_named():
    def spread(x):
        return float(np.sqrt(np.var(x)))

    report = examine(toy.toy.reference[0], spread)
    assert report.score == 0 and "np.var" in report.outcomes[0].message


def test_the_same_secret_asks_the_same_questions():
    assert examine(*mistake("wrong_axis")) == examine(*mistake("wrong_axis"))


def test_an_exercise_has_the_points_of_its_items():
    assert toy.toy.points == sum(item.points for item in toy.toy.items) == 4
    assert [item.name for item in toy.toy.items] == ["values", "batches", "arguments unchanged"]


def test_a_lost_item_says_why_in_one_word():
    """Code asks for the kind; what people read may be said in other words."""
    def unwritten(x):
        raise NotImplementedError

    def crashes(x):
        return x["no such key"]

    def kinds(*candidates):
        return [outcome.kind for outcome in examine(*candidates).outcomes]

    centre, spread = toy.toy.reference
    assert kinds(centre, spread) == ["", "", ""]
    assert kinds(unwritten, unwritten) == ["unwritten"] * 3
    assert kinds(crashes, spread) == ["error", "error", "error"]
    assert kinds(*mistake("wrong_axis"))[:2] == ["values", "values"]
    assert kinds(*mistake("in_place"))[2] == "modified"
    assert kinds(lambda x: np.var(x), spread) == ["forbidden"] * 3
    items = examining.rubric_json(examine(unwritten, unwritten))["items"]
    assert [item["kind"] for item in items] == ["unwritten"] * 3


def test_mistakes_of_one_line_stand_in_a_table():
    one = rubric.Exercise("centre", "rows", reference=toy.toy.reference)
    one.mistakes_of(spread={
        "zero": ("It is not always 0.", lambda x: 0.0),
        "slow": ("It takes too long.", lambda x: 1.0, "long inputs only"),
        "doubled": ("Twice.", rubric.then(lambda x: (x, 2), lambda x, n: n * toy.spread(x)))})
    zero, slow, doubled = one.mistakes
    assert (zero.slug, zero.hint, slow.hidden_only) == (
        "zero", "It is not always 0.", "long inputs only")
    assert zero.candidates[0] is toy.toy.reference[0] and zero.candidates[1].__name__ == "spread"
    assert doubled.candidates[1](np.array([1.0, 3.0])) == 2
    with pytest.raises(ValueError, match="two mistakes with the name zero"):
        one.mistakes_of(centre={"zero": ("Twice.", lambda x: x)})
    with pytest.raises(ValueError, match="centre: middle is not one of centre, spread"):
        one.variants_of(middle={"other": lambda x: x})


def test_an_altered_class_differs_in_what_is_named():
    class Right:
        def value(self):
            return 1

        def twice(self):
            return 2 * self.value()

    wrong = rubric.altered(Right, value=lambda self: 3)
    assert issubclass(wrong, Right) and wrong().twice() == 6 and Right().twice() == 2


def test_an_engine_error_is_never_a_zero():
    class Broken(Exception):
        viva_engine_error = True

    def broken(x):
        raise Broken

    with pytest.raises(Broken):
        examine(broken, broken)


def test_examine_gives_points_and_says_when_a_mark_is_not_tamper_proof(capsys):
    assert examining.examine("centre", *toy.toy.reference) == 4.0
    assert "not tamper-proof" in capsys.readouterr().out


def test_the_table_has_a_row_per_item_in_every_form():
    report = examine(*mistake("variance"))
    assert examining.rubric_text(report).count("\n") == 4
    assert examining.rubric_html(report).count("<tr>") == 4
    assert [item["earned"] for item in examining.rubric_json(report)["items"]] == [0.0, 1, 1]


MEMORY = """
import resource
import numpy as np, pytest, torch
from viva_course.memory import at_most
before = resource.getrlimit(resource.RLIMIT_AS)
with at_most(40, np.ones):
    assert np.ones(20 * 2**17).sum() == 20 * 2**17  # 20 MB
with pytest.raises(AssertionError, match="more than 40 MB"), at_most(40, np.ones):
    np.ones(60 * 2**17)
with pytest.raises(AssertionError, match="more than 40 MB"), at_most(40, np.ones):
    torch.ones(60 * 2**18)
with pytest.raises(KeyError), at_most(40, np.ones):  # what else goes wrong is told as it is
    {}["no such key"]
assert resource.getrlimit(resource.RLIMIT_AS) == before
"""


def test_a_call_gets_the_memory_that_it_is_given_and_no_more():
    """In a process of its own, whose other memory nobody touches meanwhile."""
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_secret_is_made_once_and_is_its_owners_alone(tmp_path, monkeypatch):
    monkeypatch.delenv("VIVA_SECRET", raising=False)
    monkeypatch.setenv("VIVA_SECRET_FILE", str(tmp_path / "deep" / "secret"))
    first = course_secret()
    assert first == course_secret() and len(first) == 32
    assert (tmp_path / "deep" / "secret").stat().st_mode & 0o077 == 0


def test_a_leaderboard_shows_what_was_reached_by_those_who_passed():
    def ask(exam, centre, spread):
        exam.rank("spread", 1 / 3, "asc")
        exam.rank("endless", float("inf"))
        exam.true(spread(np.ones(3)) == 0, "no spread")

    item = rubric.Item("ranked", 1, "A number.", ask)
    right, wrong = (toy.toy._ask(item, candidates, "secret", {})
                    for candidates in (toy.toy.reference, (toy.centre, lambda x: 1.0)))
    report = rubric.Report("ranked", "toy", (right, wrong))
    assert examining.rubric_json(report)["leaderboard"] == [
        {"name": "spread", "value": 0.333333, "order": "asc"}]
