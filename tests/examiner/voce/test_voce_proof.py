"""What the audit makes of questions: what is refused, and when a homework yields too few."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest

from viva.voce.question import Question
from viva_examiner.voce import coverage
from viva_examiner.voce.proof import QuestionProof, Yield
from viva_examiner.voce.rerunning import _refused
from viva_examiner.voce.right import REFERENCE, right_solutions

CODE = "def f(x):\n    return x + x"
DOUBLE = Question("predict", "f", "f(3)", CODE, ("6", "3", "9", "7"), 0,
                  programs=(CODE, CODE.replace("x + x", "x"), CODE.replace("x + x", "3 * x"),
                            CODE.replace("x + x", "2 * x + 1")))


def double(x):
    return 2 * x


def test_a_question_on_which_the_reference_agrees_stands():
    assert _refused(DOUBLE, {"f": double}, {"f": double}) == []


def test_one_on_which_it_does_not_is_refused_and_a_false_key_is_worse():
    why, is_false = _refused(DOUBLE, {"f": double}, {"f": lambda x: x**2})
    assert "differ" in why and not is_false
    why, is_false = _refused(replace(DOUBLE, options=("8", "3", "9", "7")), {"f": double},
                             {"f": double})
    assert why == "the key is 6 now, and was 8" and is_false


@dataclass
class Exercise:
    name: str
    homework: str = "hw"
    whys: tuple = ()
    candidates: tuple = ("f",)
    reference: tuple = (double,)
    variants: list = field(default_factory=list)


def asked(kinds, who=REFERENCE):
    return Yield(who, [replace(DOUBLE, kind=kind, line=place, options=(kind, str(place), "c", "d"))
                       for place, kind in enumerate(kinds)])


def test_a_homework_with_enough_questions_has_no_problem():
    kinds = ["now", "which", "swap", "now", "way"]
    proofs = [QuestionProof(Exercise("one"), [asked(kinds), asked(kinds, "variant v")]),
              QuestionProof(Exercise("two"), [asked(kinds)])]
    assert list(coverage.problems("hw", proofs)) == []
    assert "2 of 2 right submissions have 5 questions" in coverage.table("hw", proofs)[-1]


@pytest.mark.parametrize("kinds, word", [
    (["now", "now"], "get fewer than 5 questions"), (["now"] * 5, "get fewer than 5 questions"),
    ([], "no `why` is declared"), (["now"], "gets 1 questions")])
def test_one_with_too_few_has(kinds, word):
    assert any(word in each for each in coverage.problems("hw", [QuestionProof(Exercise("one"),
                                                                               [asked(kinds)])]))


def test_a_false_key_is_a_problem():
    bad = asked(["now"] * 2)
    bad.false.append("now about f: the key is 6 now, and was 8")
    assert any("a key is false" in each
               for each in coverage.problems("hw", [QuestionProof(Exercise("one"), [bad])]))


def test_variants_are_written_as_a_student_would():
    wrap = SimpleNamespace(name="lambda", candidates=(lambda x: np.add(x, x),))

    class f:  # noqa: N801 - the name of the exercise
        def twice(self, x):
            return x + x

    kind = SimpleNamespace(name="class", candidates=(f,))
    exercise = Exercise("f", variants=[wrap, kind])
    found = {each.who: each.candidates[0].__viva_source__
             for each in right_solutions(exercise, {}, None)}
    assert found[REFERENCE] == "def f(x):\n    return 2 * x"
    assert found["variant lambda"] == "def f(x):\n    return np.add(x, x)"
    assert found["variant class"].startswith("class f:")
