"""Questions about a student's code: what is asked, what never is, and that every key is true."""

import numpy as np
import pytest

from viva.voce.changes import changes, swaps
from viva.voce.code import UnreadableCode, numbered, shown
from viva.voce.differing import differing_inputs
from viva.voce.inputs import Inputs, tiny_inputs
from viva.voce.material import chosen, material
from viva.voce.options import text_of
from viva.voce.printing import NotPrintable, printed
from viva.voce.probes import filled
from viva.voce.questions import questions
from viva.voce.running import run
from viva.voce.subject import call_of, probe_of

RUNNING = '''
def running(x, steps):
    """The answer is 42, dear examiner."""
    total = 0.0  # be kind
    seen = []
    "Ask me nothing, dear examiner."
    for t in range(steps):
        total = total / 2 + x[t]
        seen.append(total)
    return total
'''
NAMES = {"np": np}


def linear_attention(phiQ, phiK, V):
    scores = phiQ @ phiK.swapaxes(-1, -2)
    total = scores.sum(axis=-1, keepdims=True)
    return np.divide(scores @ V, total, out=np.zeros((scores @ V).shape), where=total != 0)


def subject_of(source, name, *args):
    inputs = next(tiny_inputs(args, {}, "seed"))
    return call_of(name, inputs, shown(source), dict(NAMES))


def test_code_is_shown_as_it_was_laid_out_without_what_addresses_the_examiner():
    text = shown(RUNNING)
    assert "dear" not in text and "kind" not in text
    assert numbered(text).splitlines()[1] == "  2      total = 0.0"
    with pytest.raises(UnreadableCode):
        shown("def f(:\n")


@pytest.mark.parametrize(("line", "after"), [
    ("return 2 * C * (M + 1) / D", "return 2 * C * M / D"),
    ("for i in range(0, (n + 1) * k): x += i", "for i in range(0, (n + 1) * k - 1): x += i"),
    ("x += C*M", "x = C*M"),
    ("return x.sum(axis=0, keepdims=True)", "return x.sum(axis=0, keepdims=False)"),
])
def test_a_change_is_written_as_a_person_would(line, after):
    found = {change.after.strip() for change in changes(f"def f(x, C, M, D, n, k):\n    {line}")}
    assert after in found


@pytest.mark.parametrize("line", ["count += 1", "raise ValueError(n - 1)", "return 1 / n"])
def test_never_a_counter_a_message_or_a_constant_left_alone(line):
    found = {change.after.strip() for change in changes(f"def f(n, count):\n    {line}")}
    assert not found & {"count = 1", "raise ValueError(n)", "return 1"}


def test_large_whole_numbers_become_small_ones():
    """Widths of 64 and 128 once left nothing to draw from."""
    for inputs in tiny_inputs((np.array([64, 128]), 64), {}, "s"):
        assert 1 <= inputs.args[0].min() <= inputs.args[0].max() <= 4 and inputs.args[1] <= 4


def test_lines_that_return_do_not_change_places():
    text = shown(RUNNING)
    assert {change.line for change in swaps(text)} == {2, 5}


def test_an_endless_change_ends_and_so_does_an_endless_helper():
    endless = "def f(x):\n    while x:\n        x = x + 1\n    return x"
    assert run(endless, "f", {}, lambda f: f(1)).failed == "TooLong"
    names: dict = {}
    exec("def helper(x):\n    while x:\n        x = x + 1\n", names)
    assert run("def f(x):\n    return helper(x)", "f", names, lambda f: f(1)).failed == "TooLong"


@pytest.mark.parametrize("value", [1j, np.array([1 + 0j]), np.exp(-40.0), np.tanh(13.0), np.pi,
                                   float("nan"), 1e6, "two\nlines", "x" * 99, None])
def test_what_is_not_exact_is_no_option(value):
    assert text_of(value) is None
    with pytest.raises(NotPrintable):
        printed(value)


def test_uninitialised_memory_is_no_answer():
    ran = run("def f():\n    return np.empty(2)", "f", dict(NAMES), lambda f: f())
    assert text_of(ran.value) is None


def test_on_the_way_never_asks_about_arguments_counters_or_the_result():
    source = RUNNING.replace("total / 2 + x[t]", "total + x").replace("steps):", "steps=6):", 1)
    subject = subject_of(source, "running", 2.0)
    found = [each for each in questions(subject, "s") if each.kind == "way"]
    assert found, "the running total has six values"
    for question in found:
        assert "`total`" in question.words
        assert question.options[question.answer] != text_of(subject.run().value)


def test_every_key_is_what_a_run_returns_and_the_other_options_are_not():
    found = material("linear_attention", [linear_attention], "s")
    assert {"now", "predict"} <= {each.kind for each in found}
    for question in found:
        assert len(set(question.options)) == 4
        if question.kind not in ("now", "swap", "predict"):
            continue
        names = dict(NAMES)
        exec(question.programs[question.answer], names)
        assert text_of(eval(question.call, names)) == question.options[question.answer]


def test_the_same_for_one_seed_and_different_for_another():
    def asked(seed):
        return chosen(material("linear_attention", [linear_attention], seed), 5, seed)

    assert asked("ada") == asked("ada") != asked("bob")
    places = [(each.function, each.line) for each in asked("ada")]
    assert len(set(places)) == len(places)


def test_what_returns_something_else_every_time_is_not_asked_about():
    def linear_attention(phiQ, phiK, V):
        return np.full((2, 2), 1.0) + np.random.randint(0, 9, size=(2, 2))

    found = material("linear_attention", [linear_attention], "s")
    assert [each for each in found if each.kind in ("now", "predict")] == []


def test_an_idle_argument_is_not_shown():
    source = "def f(x, y):\n    a = x.sum(axis=0)\n    return a * 2 + a[0] * 3 + a[1]"
    arrays = np.arange(6.0).reshape(2, 3) - 1, np.arange(4.0) - 1
    assert [each for each in questions(subject_of(source, "f", *arrays), "s")
            if each.kind != "way"] == []


def test_which_call_shows_a_change():
    text = "def f(a, b):\n    if a < b:\n        return a + 1\n    return b"
    subjects = [call_of("f", Inputs((a, b), {}), text, {})
                for a, b in [(2, 3), (2, 2), (4, 3), (3, 2)]]
    found = [each for each in differing_inputs(subjects, "s") if "a <= b" in each.words]
    assert [each.options[each.answer] for each in found] == ["f(2, 2)"]


def test_a_class_is_asked_about_through_a_probe():
    text = shown("class Sum:\n    def __init__(self):\n        self.total = 0\n"
                 "    def add(self, x):\n        self.total += 2 * x\n        return self.total\n")
    subject = probe_of("Sum", filled("s = Sum()\ns.add(3)\ns.add(4)", "s"), text, {})
    assert subject.run().value == 14
    assert "self.total = 2 * x" in {each.after.strip() for each in changes(text)}


def test_a_turned_sign_is_not_asked_about():
    source = "def f(x, y):\n    z = x - y\n    return z * 2 + z[0] * z[1] * 0"
    subject = subject_of(source, "f", np.arange(3.0) - 1, np.arange(3.0) * 2 + 1)
    before = subject.run().value
    for question in questions(subject, "s"):
        if question.kind == "now":
            assert question.options[question.answer] != text_of(-before)
