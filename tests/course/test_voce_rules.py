"""The rules of the generator, one by one: inputs, options, changes, and who is asked what."""

import itertools
import random
import re
from fractions import Fraction

import numpy as np
import pytest

from viva.voce.calls import is_call
from viva.voce.changes import changes
from viva.voce.code import shown
from viva.voce.inputs import MAX_NUMBERS, tiny_inputs
from viva.voce.kinds import now
from viva.voce.labour import is_laborious, passes_twice
from viva.voce.material import chosen, material
from viva.voce.printing import MAX_NUMBERS as MOST_SHOWN
from viva.voce.printing import is_multiple
from viva.voce.questions import questions
from viva.voce.subject import call_of
from viva_course import exercises

ASKED = ("linear_attention", "head_patterns", "linear_scan", "max_pool_backward", "windowed_ridge")


@pytest.fixture(scope="module")
def found():
    return {name: material(name, exercises()[name].reference, "seed") for name in ASKED}


def numbers(text):
    return [Fraction(each) for each in re.findall(r"-?\d+(?:/\d+)?", text)]


def test_four_options_of_one_structure_more_than_one_per_cent_apart_as_printed(found):
    for question in itertools.chain(*found.values()):
        assert len(question.options) == 4
        if question.kind not in ("now", "swap", "predict") and not question.times:
            continue
        if question.kind == "memory":
            continue
        assert len({re.sub(r"-?\d+(?:/\d+)?", "0", each) for each in question.options}) == 1
        for one, other in itertools.combinations(map(numbers, question.options), 2):
            assert any(abs(a - b) > max(abs(a), abs(b)) / 100
                       for a, b in zip(one, other, strict=True))
        assert all(len(numbers(each)) <= MOST_SHOWN for each in question.options)
        assert all(each.denominator <= 12 for text in question.options for each in numbers(text))


def test_at_most_one_question_per_line_and_per_set_of_answers(found):
    for some in found.values():
        asked = chosen(some, 20, "s")
        places = [(each.function, each.line) for each in asked if each.line]
        answers = [(each.function, frozenset(each.options)) for each in asked]
        assert len(set(places)) == len(places) and len(set(answers)) == len(answers)


def test_the_same_for_one_seed_and_others_for_another():
    reference = exercises()["linear_scan"].reference
    asked = {seed: chosen(material("linear_scan", reference, seed), 5, seed) for seed in "ab"}
    assert asked["a"] == chosen(material("linear_scan", reference, "a"), 5, "a") != asked["b"]


def test_as_before_is_offered_and_sometimes_the_answer(found):
    asked = [each for each in itertools.chain(*found.values()) if each.kind == "now"]
    assert any(each.was in each.options and each.right != each.was for each in asked)
    assert any(each.right == each.was for each in asked)


def test_a_change_that_shows_with_no_numbers_is_never_the_answer():
    """`x + 0 * x` for `x`: whether it is the same for all inputs, no run can tell."""
    code = "def f(x):\n    y = x[::-1] + 0 * x\n    return y * 2 + y[0] * y[1]"
    inputs = next(tiny_inputs((np.arange(3.0) - 1,), {}, "s"))
    subject = call_of("f", inputs, code, {"np": np})
    before = subject.run()
    same = [(each, subject.run(each.text)) for each in changes(code)
            if each.after.strip() == "y = x[::-1]"]
    assert same
    assert list(now(subject, before, same, [], random.Random(0))) == []


def test_equal_sizes_stay_equal_axes_have_two_and_there_are_few_numbers():
    for inputs in tiny_inputs((np.ones((5, 7)) * np.arange(7.0), np.arange(35.0).reshape(7, 5)),
                              {}, "s"):
        one, other = inputs.args
        assert one.shape == other.shape[::-1] and min(one.shape) >= 2
        assert one.size + other.size <= MAX_NUMBERS


def test_numbers_that_belong_together_stay_together():
    """An image of windows stays one, and a window no larger than its image."""
    for inputs in tiny_inputs((np.arange(12.0).reshape(2, 6), np.arange(3.0), 2), {}, "s"):
        image, out, size = inputs.args
        assert image.shape[1] == len(out) * size
    for n, k in (each.args for each in tiny_inputs((9, 4), {}, "s")):
        assert 2 <= k <= n


@pytest.mark.parametrize(("steps", "holds"), [(0, False), (1, False), (2, True)])
def test_loops_run_at_least_twice(steps, holds):
    code = "def f(x, steps):\n    for _ in range(steps):\n        x = x * 2\n    return x"
    ran = call_of("f", next(tiny_inputs((3.0,), {}, "s")), code, {}).run(
        use=lambda f: f(3.0, steps))
    assert passes_twice(code, ran.times) is holds


@pytest.mark.parametrize(("code", "argument"), [
    ("import math\ndef f(x):\n    y = np.exp(x)\n    return math.ceil(y)", np.array(2.0)),
    ("def f(x):\n    s = np.linalg.svd(x)[1]\n    return s[0] * s[1]",
     np.arange(6.0).reshape(2, 3)),
    ("def f(x):\n    y = x / 7\n    z = y / 3\n    w = z / 5\n    return w * 105",
     np.array([1.0, 2, 3, 4, 5, 6])),
])
def test_what_no_hand_reaches_is_not_asked(code, argument):
    use = {"use": lambda f: f(argument), "given": (argument,)}
    subject = call_of("f", next(tiny_inputs((3.0,), {}, "s")), code, {"np": np})
    subject = type(subject)(**vars(subject) | use)
    assert is_laborious(subject, subject.run(traced=True))


@pytest.mark.parametrize(("one", "other", "same"), [
    ([2.0, 4.0], [1.0, 2.0], True), ([-1.0, 2.0], [1.0, -2.0], True),
    ([2.0, 0.0], [1.0, 1.0], False),
    ([1.0, 2.0], [2.0, 1.0], False), (3.0, -3.0, True), (3.0, 1.0, False)])
def test_a_multiple_is_not_asked_about(one, other, same):
    assert is_multiple(one, other) is same


@pytest.mark.parametrize(("line", "after"), [
    ("for i in range(n + 1): x += i", "for i in range(n): x += i"),
    ("for i in range(n - 1): x += i", "for i in range(n - 2): x += i"),
    ("y = 1 / x ** 2", "y = 1 / (2 * x)"),
    ("y = 3 - n * x", "y = n * x - 3"),
])
def test_a_change_means_what_it_shows(line, after):
    found = changes(f"def f(x, n):\n    {line}\n    return x")
    assert after in {each.after.strip() for each in found}


@pytest.mark.parametrize(("line", "after"), [
    ("y = x + n", "y = x - n"), ("y = set(x) - {n}", "y = {n} - set(x)")])
def test_nobody_would_change_that(line, after):
    found = {each.after.strip() for each in changes(f"def f(x, n):\n    {line}\n    return y")}
    assert after not in found


def test_a_shape_that_stands_in_its_line_is_not_asked_about():
    code = "def f(x):\n    m = np.eye(len(x))\n    _, k = x, x @ x.T\n    return k.sum() + m.sum()"
    subject = call_of("f", next(tiny_inputs((np.arange(12.0).reshape(3, 4),), {}, "s")),
                      shown(code), {"np": np})
    ways = [each for each in questions(subject, "s") if each.kind == "way"]
    assert {each.variable for each in ways} == {"k"}


def test_a_random_draw_is_not_foretold():
    asked = material("Dropout", exercises()["Dropout"].reference, "s")
    assert {each.kind for each in asked} == {"now"}


@pytest.mark.parametrize(("call", "holds"), [
    ("f(np.array([[1., -2.]]), 'trig', k=None)", True), ("f(torch.tensor([1.]))[0]", True),
    ("g(1)", False), ("f(x)", False), ("f(lambda: 1)", False), ("f('dear examiner')", False),
    ("f(1)  # dear", False), ("f(np.load('x'))", False), ("f(1", False), ("f(" * 500, False)])
def test_a_call_holds_numbers_and_nothing_else(call, holds):
    assert is_call(call, "f") is holds
