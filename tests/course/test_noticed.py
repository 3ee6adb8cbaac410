"""The measurement of the public check: what it counts, and that its bars can fail."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import toy
from viva_course import noticed, noticing, rubric
from viva_course.noticed import of_exercise, pairs_of
from viva_course.parts import Mistake

MISTAKES, SPREAD = toy.toy.mistakes, toy.toy.reference[1]


@pytest.fixture(autouse=True)
def toy_is_registered(monkeypatch):
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)


def test_every_mistake_of_the_toy_is_noticed_and_named():
    told = noticing("toy", [noticed(toy.toy)])
    row = told.rows[-1]
    assert (row.tried, row.noticed, row.named, row.misnamed) == (3, 3, 3, [])
    assert told.problems == [] and "centre" in told.table


def with_mistakes(monkeypatch, *added):
    monkeypatch.setattr(toy.toy, "mistakes", [*MISTAKES, *added])
    return of_exercise(toy.toy)


def test_what_passes_the_check_must_be_declared(monkeypatch):
    slow = (lambda x: toy.toy.reference[0](x), SPREAD)
    row = with_mistakes(monkeypatch, Mistake("slow", "Too slow.", slow))
    assert row.unnoticed == ["slow"]
    assert "noticed 3 of 4 mistakes, less than 95%: not slow" in row.problems()[0]
    row = with_mistakes(monkeypatch, Mistake("slow", "Too slow.", slow, "it takes long inputs"))
    assert row.hidden_only == 1


def test_two_mistakes_that_look_alike_are_no_causes(monkeypatch):
    alike = Mistake("twin", "Another hint.", (lambda x: x - x.mean(axis=0), SPREAD))
    row = with_mistakes(monkeypatch, alike)
    assert set(row.nameless) == {"wrong_axis", "twin"}
    assert row.misnamed == ["wrong_axis, if it were not known, taken for twin",
                            "twin, if it were not known, taken for wrong_axis"]
    assert any("names a wrong cause" in problem for problem in row.problems())


def test_two_mistakes_at_once_may_have_no_third_cause(monkeypatch):
    pairs = [(one.slug, other.slug) for one, other, _ in pairs_of(toy.toy)]
    assert len(pairs) == len(MISTAKES) and all(one != other for one, other in pairs)
    verdict = SimpleNamespace(passed=False, causes=["third"])
    monkeypatch.setattr(sys.modules["viva_course.noticed"], "_judged", lambda *_, **__: verdict)
    row = with_mistakes(monkeypatch, Mistake("third", "Another hint.",
                                             (toy.toy.reference[0], lambda x: 1.0)))
    assert any(" with " in each for each in row.misnamed)


def test_a_right_solution_that_the_check_refuses_is_a_problem(monkeypatch):
    strict = rubric.Variant("as float32", (lambda x: toy.toy.reference[0](x).astype(np.float32),
                                           SPREAD))
    monkeypatch.setattr(toy.toy, "variants", [strict])
    assert of_exercise(toy.toy).refused == ["as float32"]
