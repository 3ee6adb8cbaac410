"""The right hint for a known mistake however it is written, and never a wrong one."""

import ast
from types import SimpleNamespace

import numpy as np
import pytest

import toy
from rewriting import rewritten
from viva.case import Answer, Case
from viva.diagnosis import diagnose, same_failures
from viva_course import rubric
from viva_examiner.demo.cohort import definition_of

SLOW = {"train_head"}  # it trains: minutes for the same questions


def case(name, *needs):
    made = Case("e", "h", name, name, None, 1e-9, 1e-10, True, True)
    made.__dict__["needs"] = needs or ("f",)  # a cached property: no scenario is needed
    return made


CASES = [case("a"), case("b"), case("c")]
RIGHT = {"a": np.arange(3.0), "b": np.ones(2), "c": 5.0}
EXPECTED = {name: {"value": value} for name, value in RIGHT.items()}
MISTAKES = {
    "scaled": {"hint": "scale", "cases": {"a": {"value": 2 * np.arange(3.0)}}},
    "shifted": {"hint": "shift", "cases": {"b": {"value": np.zeros(2)}}},
    "crash": {"hint": "crash", "cases": {"c": {"raised": "TypeError"}}},
    "both": {"hint": "both", "cases": {"b": {"value": np.full(2, 7.0)},
                                       "c": {"raised": "KeyError"}}},
}


def named(**changes):
    values = RIGHT | changes
    answers = [Answer(error=v) if isinstance(v, Exception) else Answer(v) for v in values.values()]
    return diagnose(CASES, answers, EXPECTED, MISTAKES)


def test_a_mistake_is_named_when_every_answer_is_its_own():
    assert named(a=2 * np.arange(3.0)) == ["scaled"]
    assert named(a=2 * np.arange(3.0) + 1e-12) == ["scaled"]
    assert named(a=2 * np.arange(3.0) + 1e-6) == []  # something else as well


def test_nothing_is_named_without_a_wrong_value():
    assert named() == []
    assert named(c=TypeError()) == []


def test_where_a_mistake_crashes_one_crash_is_like_another():
    assert named(b=np.full(2, 7.0), c=RuntimeError()) == ["both"]
    assert named(b=np.full(2, 7.0)) == []


def test_of_two_mistakes_in_different_cases_both_are_named():
    assert named(a=2 * np.arange(3.0), b=np.zeros(2)) == ["scaled", "shifted"]
    assert named(a=2 * np.arange(3.0), b=np.full(2, 7.0), c=KeyError()) == ["scaled", "both"]
    assert named(a=2 * np.arange(3.0), b=np.full(2, 8.0)) == []  # b is nobody's


def test_two_mistakes_with_one_hint_are_one_cause():
    twins = {"one": MISTAKES["scaled"], "two": MISTAKES["scaled"] | {"hint": "other"}}
    answers = [Answer(2 * np.arange(3.0)), Answer(np.ones(2)), Answer(5.0)]
    assert diagnose(CASES, answers, EXPECTED, twins) == []
    twins["two"] = twins["one"]
    assert diagnose(CASES, answers, EXPECTED, twins) == ["one"]


def test_single_precision_does_not_hide_a_mistake():
    third = (2 * np.arange(3) / 3).astype(np.float32)
    mistakes = {"third": {"hint": "h", "cases": {"a": {"value": 2 * np.arange(3) / 3}}}}
    answers = [Answer(third), Answer(np.ones(2)), Answer(5.0)]
    assert diagnose(CASES, answers, EXPECTED, mistakes) == ["third"]
    close = {"close": {"hint": "h", "cases": {"a": {"value": np.arange(3.0) * (1 + 1e-6)}}}}
    answers[0] = Answer(np.arange(3, dtype=np.float32))
    assert diagnose(CASES, answers, EXPECTED, close) == []  # as near to right as to the mistake


def test_what_is_not_written_yet_says_nothing_about_the_rest():
    assert named(a=2 * np.arange(3.0), c=NotImplementedError()) == ["scaled"]
    assert named(a=NotImplementedError(), b=NotImplementedError()) == []


PAIR = [case("f alone", "f"), case("g alone", "g"), case("g again", "g"), case("both", "f", "g")]
PAIR_RIGHT = {"f alone": 1.5, "g alone": 2.5, "g again": 3.5, "both": 4.0}
PAIR_MISTAKES = {
    "halved f": {"hint": "f is halved", "of": "f", "cases": {
        "f alone": {"value": 0.75}, "both": {"value": 3.25}}},
    "halved g": {"hint": "g is halved", "of": "g", "cases": {
        "g alone": {"value": 1.25}, "g again": {"value": 1.75}, "both": {"value": 2.75}}},
    "late g": {"hint": "g is late", "of": "g", "cases": {"g again": {"value": 2.5}}},
}


def of_pair(*values):
    expected = {name: {"value": value} for name, value in PAIR_RIGHT.items()}
    return diagnose(PAIR, [Answer(value) for value in values], expected, PAIR_MISTAKES)


def test_each_function_is_diagnosed_by_the_cases_that_need_only_it():
    assert of_pair(0.75, 2.5, 3.5, 3.25) == ["halved f"]
    assert of_pair(0.75, 1.25, 1.75, 2.0) == ["halved f", "halved g"]  # one idea in both
    assert of_pair(0.75, 2.5, 2.5, 9.0) == ["halved f", "late g"]  # two different ones
    assert of_pair(0.75, 2.0, 2.0, 9.0) == ["halved f"]  # what is wrong with g, nobody knows
    assert of_pair(7.0, 2.0, 2.0, 9.0) == []


def test_a_finding_must_explain_how_the_function_meets_others_that_are_right():
    assert of_pair(0.75, 2.5, 3.5, 9.0) == []


def outcome(message="", *seen, kind=""):
    return SimpleNamespace(message=message, seen=seen, kind=kind)


def test_failures_are_the_same_by_value_or_by_measurement():
    words = "Right. (values differ: you returned 1.5, expected 3)"
    wrong, other = ((words, (values, 1e-9, 1e-10, True)) for values in (np.ones(2), np.zeros(2)))
    assert same_failures([outcome(*wrong), outcome()], [outcome(*wrong), outcome()])
    assert not same_failures([outcome(*wrong)], [outcome(*other)])
    assert not same_failures([outcome(*wrong), outcome()], [outcome(*wrong), outcome("Late.")])
    memory = [outcome(f"No. (the call needed {mb} MB; 32 MB are plenty)", kind="memory")
              for mb in (250, 261, 500)]
    assert same_failures(memory[:1], memory[1:2]) and not same_failures(memory[:1], memory[2:])
    silent = outcome("No. (nothing was raised where ValueError is asked for)", kind="raised")
    assert not same_failures([silent], [silent])  # anybody may forget to raise, for any reason


def test_a_rewritten_function_means_the_same_and_reads_otherwise():
    for mistake in toy.toy.mistakes:
        new = rewritten(mistake.candidates[0])
        x = np.random.default_rng(0).normal(size=(3, 4))
        np.testing.assert_allclose(new(x.copy()), mistake.candidates[0](x.copy()), rtol=1e-12)
        assert new.__code__.co_code != mistake.candidates[0].__code__.co_code


def wrong_submissions(homework, step, first):
    """(exercise, mistake, its candidates written differently) of every step-th mistake."""
    for name, exercise in rubric.exercises(homework).items():
        for mistake in exercise.mistakes[first::step] if name not in SLOW else ():
            candidates = [
                rewritten(new) if new is not old else old
                for new, old in zip(mistake.candidates, exercise.reference, strict=True)
            ]
            if None not in candidates:
                yield exercise, mistake, tuple(candidates)


def count_hints(homework, step, first=0):
    """How many of the wrong submissions there are, get their hint, and get another's."""
    tried, right, wrong = 0, [], []
    for exercise, mistake, candidates in wrong_submissions(homework, step, first):
        report = exercise.examine(candidates, "differently written")
        tried += 1
        if report.hint:
            (right if report.hint == mistake.hint else wrong).append(mistake.slug)
    return tried, len(right), wrong


HOMEWORKS = ["hand_design_transformer", "kernel_attention", "optimizers", "purification"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # mistakes divide by zero
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_nine_of_ten_wrong_submissions_get_their_hint_and_none_a_wrong_one(step):
    counts = [count_hints(homework, step) for homework in HOMEWORKS]
    tried, right = sum(n for n, _, _ in counts), sum(n for _, n, _ in counts)
    assert [slug for *_, wrong in counts for slug in wrong] == []
    assert tried >= 60
    assert right >= 0.9 * tried, counts


def test_each_of_many_classes_of_one_name_is_found_by_its_line():
    exercise = rubric.exercises()["LinearAttentionState"]
    found = [definition_of(mistake.candidates[0]) for mistake in exercise.mistakes]
    found = {ast.unparse(definition) for definition in found if definition is not None}
    assert len(found) >= 8


def test_a_mistake_of_one_line_is_a_function_in_the_demo():
    mistake = toy.toy.mistakes[0]
    assert ast.unparse(definition_of(mistake.candidates[0])) == (
        "def centre(x):\n    return x - x.mean(axis=0)")


def test_a_single_number_does_not_prove_two_mistakes_at_once():
    cases = [case("a"), case("b")]
    expected = {"a": {"value": 0.5}, "b": {"value": 0.25}}
    mistakes = {name: {"hint": name, "of": "f", "cases": {name: {"value": value}}}
                for name, value in (("a", 0.7), ("b", 0.1))}
    assert diagnose(cases, [Answer(0.7), Answer(0.1)], expected, mistakes) == []
    assert diagnose(cases, [Answer(0.7), Answer(0.25)], expected, mistakes) == ["a"]


def test_lists_of_different_lengths_in_a_list_are_evidence():
    cases, right = [case("a")], {"a": {"value": {"given": [[1], [1, 2], [1, 2, 3]]}}}
    early = {"given": [[1], [1, 2]]}
    known = {"early": {"hint": "it stops early", "cases": {"a": {"value": early}}}}
    assert diagnose(cases, [Answer(early)], right, known) == ["early"]
