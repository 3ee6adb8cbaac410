"""Questions are run again from what they show: true ones stand, false ones are refused."""

from dataclasses import replace

import numpy as np
import pytest

from viva.voce.material import material
from viva.voce.probes import filled
from viva.voce.question import Question
from viva.voce.rerun import refusal


def linear_attention(phiQ, phiK, V):
    scores = phiQ @ phiK.swapaxes(-1, -2)
    total = scores.sum(axis=-1, keepdims=True)
    return np.divide(scores @ V, total, out=np.zeros((scores @ V).shape), where=total != 0)


NAMES = {"np": np, "linear_attention": linear_attention}
CODE = "def f(a, b):\n    if a < b:\n        return a + 1\n    return b"
LOOP = "def g(x):\n    s = 0\n    for v in x:\n        s = 2 * s + v\n    return s + 1"


@pytest.fixture(scope="module")
def found():
    return material("linear_attention", [linear_attention], "s")


def test_what_the_generator_makes_stands(found):
    assert {"now", "predict"} <= {each.kind for each in found}
    assert [refusal(each, NAMES) for each in found] == [""] * len(found)


def test_a_false_key_and_two_equal_options_are_refused(found):
    question = next(each for each in found if each.kind == "now")
    false = [*question.options]
    false[question.answer] = "77"
    assert refusal(replace(question, options=tuple(false)), NAMES).startswith("the key is")
    same = (question.options[0],) * 2 + question.options[2:]
    programs = (question.programs[0],) * 2 + question.programs[2:]
    assert refusal(replace(question, options=same, programs=programs), NAMES)


def test_junk_of_memory_is_refused():
    code = "def f():\n    return np.empty(1)[0] + 1"
    question = Question("predict", "f", "f()", code, ("1", "2", "3", "4"), 0,
                        programs=(code,) * 4)
    assert "the key is None" in refusal(question, {"np": np})


def test_a_line_that_was_not_executed_is_refused():
    changed = CODE.replace("a + 1", "a")
    question = Question("now", "f", "f(3, 2)", CODE, ("2", "1", "3", "4"), 0, 3,
                        programs=(changed, CODE, CODE, CODE))
    assert "not executed" in refusal(question, {})


def test_which_call_shows_a_change_is_run_again():
    changed = CODE.replace("a < b", "a <= b")
    calls = ("f(2, 3)", "f(2, 2)", "f(4, 3)", "f(3, 2)")
    question = Question("input", "f", "", CODE, calls, 1, 2, programs=(changed,))
    assert refusal(question, {}) == ""
    assert "another call" in refusal(replace(question, answer=0), {})
    twice = ("f(2, 3)", "f(2, 2)", "f(3, 3)", "f(3, 2)")
    assert "2 of the calls" in refusal(replace(question, options=twice), {})


def test_a_variable_on_the_way_is_run_again():
    question = Question("way", "g", "g([1, 2, 3, 4])", LOOP, ("4", "1", "11", "26"), 0, 4,
                        programs=(LOOP,), variable="s", times=2)
    assert refusal(question, {}) == ""
    assert "the key is" in refusal(replace(question, times=3), {})


def test_memory_is_measured_again():
    code = "def pairs(x):\n    return x[:, None] * x"
    names = {"np": np, "pairs": lambda x: x[:, None] * x}
    options = ("about 2 times as much", "about 4 times as much", "it stays about the same",
               "about 8 times as much")
    question = Question("memory", "pairs", "pairs(np.ones(N))", code, options, 1,
                        programs=(code,), times=512)
    assert refusal(question, names) == ""
    assert refusal(replace(question, answer=0), names) == "it grows otherwise"


def test_holes_of_a_probe_are_filled_and_each_array_can_change():
    probe = filled("f(np.array([{a}, {b:+}]), {c:7|9})", "seed")
    assert probe == filled("f(np.array([{a}, {b:+}]), {c:7|9})", "seed")
    assert "{" not in probe.lines and len(probe.others) == 2
    array, number = probe.others
    assert array != probe.lines != number and array.endswith(probe.lines[-3:])
