"""Messages in the words of the exercise: its parts, its functions, its rules; no machinery."""

import linecache
import time
import warnings

import numpy as np
import pytest

from viva import case, checking, tables
from viva.case import Case
from viva.checking import fault
from viva.patience import Patience
from viva.places import result_names


def split(x):
    """Returns (mean (d,), spread (d,)); x (n, d) is not modified."""
    return x.mean(axis=0), x.std(axis=0)


def scale(x):
    """Returns x / 2."""
    return x / 2


class Memory:
    """Remembers a sum."""

    def __init__(self):
        self.total = 0.0
        self.bias = np.zeros(2)

    def add(self, x):
        self.total = self.total + x.sum()
        return self.total


def both(rng, split):
    """a table of five rows"""
    return split(rng.normal(size=(5, 3)))


def rule(rng, split):
    """a shift moves the mean and not the spread"""
    x = rng.normal(size=(5, 3))
    return [bool(np.allclose(split(x + 1)[k], split(x)[k] + (k == 0))) for k in range(2)]


def numbers(rng, scale):
    """eight numbers"""
    return scale(rng.normal(size=8))


def shapes(rng, scale):
    """two shapes"""
    out = scale(np.ones((2, 3)))
    return {"values": out} if out.shape == (2, 3) else {"shape": list(out.shape)}


def inner(rng, Memory):
    """with a bias"""
    Memory().bias.copy_(np.ones(2)) if Memory().bias is None else None
    return Memory().add(np.arange(3.0))


def warns(rng, scale):
    """a number that is divided by zero"""
    return bool(np.isinf(np.float64(scale(1.0)) / np.float64(0.0)))


inner.__globals__["__name__"] = __name__
RIGHT = {"split": split, "scale": scale, "Memory": Memory}
HALF = "This divides by one more."
WRONG = {
    "split_more": ("split", lambda x: tuple(part * len(x) / (len(x) + 1) for part in split(x))),
    "scale_more": ("scale", lambda x: x / 3),
}
CASES = [Case("split", "plain_words", each.__name__, each.__doc__, each, 1e-9, 1e-10, True, True)
         for each in (both, rule, numbers, shapes, inner, warns)]


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(case.CASES, "split", CASES)
    monkeypatch.setitem(tables.ENTRIES, "split",
                        tables.ExerciseEntry("plain_words", "split", tuple(RIGHT)))
    with np.errstate(divide="ignore"):
        right = {each.name: each.run(RIGHT.values(), "public").record() for each in CASES}
        known = {}
        for slug, (of, wrong) in WRONG.items():
            answers = {each: each.run((RIGHT | {of: wrong}).values(), "public") for each in CASES}
            known[slug] = {"hint": HALF, "of": of, "modified": [], "cases": {
                each.name: answer.record() for each, answer in answers.items()
                if fault(each, answer, right[each.name])}}
    content = {"split": {"expects": "what the text says", "forbidden": ["numpy.linalg.inv"],
                         "cases": right, "mistakes": known}}
    monkeypatch.setattr(checking, "expected_of", lambda homework: content)


def verdict(**given):
    with np.errstate(divide="ignore"):
        return checking.judge("split", *(RIGHT | given).values())


def lines(**given):
    return verdict(**given).lines


def test_parts_of_a_result_have_the_names_of_the_contract():
    def no_root(x):
        """Returns (mean (d,), spread (d,)); x (n, d) is not modified."""
        return x.mean(axis=0), x.var(axis=0)

    assert lines(split=no_root)[1].startswith("  you returned: spread: ")
    no_root.__doc__ = "Both of them."
    assert lines(split=no_root)[1].startswith("  you returned: the second of 2 results: ")


@pytest.mark.parametrize("contract, count, names", [
    ("Returns (dW (n, n), dU (n, d), db (n,), G (T, n)), G[t - 1] = dL/dh_t;", 4,
     ["dW", "dU", "db", "G"]),
    ("x (n,)\n    returns context (B, T), weights (B, T, T)", 2, ["context", "weights"]),
    ("Returns (theta, v).", 2, ["theta", "v"]),
    ("Returns a float.", 2, []),
    ("", 2, []),
])
def test_names_of_results(contract, count, names):
    assert result_names(contract, count) == names


def test_a_property_without_words_of_its_own_is_the_rule_of_its_case():
    wrong = lambda x: tuple(part if len(x) == 5 and abs(x.mean()) < 0.5 else 0 * part  # noqa: E731
                            for part in split(x))
    assert lines(split=wrong)[:2] == [
        "split: a property does not hold",
        "  not true:     a shift moves the mean and not the spread"]


def test_a_case_that_answers_otherwise_shows_what_it_saw():
    said = lines(scale=lambda x: (x / 2).T if np.ndim(x) == 2 else x / 2)
    assert said[:2] == ["split: not the result that is asked for in scale",
                        "  this gives:   shape: [3, 2]"]


def test_where_two_functions_are_wrong_both_are_named():
    """One hint for two functions was told of the second alone; one found cause of two, unnamed."""
    of_both = lines(split=WRONG["split_more"][1], scale=WRONG["scale_more"][1])
    assert f"  usual cause:  split, scale: {HALF}" in of_both
    unknown = lines(split=lambda x: split(x)[::-1], scale=WRONG["scale_more"][1])
    assert f"  usual cause:  scale: {HALF}" in unknown and "also wrong" not in "".join(unknown)
    other = lines(split=WRONG["split_more"][1], scale=lambda x: x + 7)
    assert f"  usual cause:  split: {HALF}" in other and "  also wrong:   scale" in other


def test_a_case_that_stumbles_over_an_answer_does_not_speak_of_itself():
    class NoBias(Memory):
        def __init__(self):
            self.total, self.bias = 0.0, None

    old, inner.__globals__["__name__"] = inner.__globals__["__name__"], "viva.cases.plain_words"
    try:
        said = lines(Memory=NoBias)
    finally:
        inner.__globals__["__name__"] = old
    assert said[0] == "split: cannot be used as the case asks in Memory"
    assert "NoneType" not in "".join(said) and "  case:         with a bias" in said


def test_warnings_about_our_own_lines_are_not_shown():
    old, warns.__globals__["__name__"] = warns.__globals__["__name__"], "viva.cases.plain_words"
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert checking.judge("split", *RIGHT.values()).passed
    finally:
        warns.__globals__["__name__"] = old
    assert [str(each.message) for each in caught] == []


CELL = """
import numpy as np
turned = np.linalg.inv


class Memory:
    def __init__(self):
        self.total, self.bias = 0.0, np.zeros(2)

    def add(self, x):
        self.total = self.total + x.sum() * {how}(np.eye(1))[0, 0]
        return self.total
"""


@pytest.mark.parametrize("how", ["np.linalg.inv", "turned"])
def test_a_forbidden_routine_in_a_method_is_seen(how):
    """Of a class in a notebook, inspect knows no source; under another name, no text says it."""
    name, source = f"/tmp/ipykernel_1/{how}.py", CELL.format(how=how)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    cell = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), cell)
    assert lines(Memory=cell["Memory"])[0] == "split: uses np.linalg.inv"
    assert verdict().passed


def test_patience_counts_work_and_not_waiting():
    with Patience(0.2) as patience:
        time.sleep(0.6)  # as long as others have the processor
    assert not patience.lost
    with Patience(0.2) as patience:
        while True:
            pass
    assert patience.lost
    began = time.monotonic()
    with Patience(0.05) as patience:  # but not for ever
        time.sleep(120)
    assert patience.lost and time.monotonic() - began < 60  # nor to the end of a sleep


def test_a_method_that_changes_its_argument_is_noticed():
    class Careless(Memory):
        def add(self, x):
            found = super().add(x)
            x -= x
            return found

    assert lines(Memory=Careless) == [
        "split: Memory.add changes its arguments",
        "  expected:     the caller's arrays left as they were; work on a copy"]
    assert Careless.add.__name__ == "add" and not hasattr(Careless.add, "__wrapped__")
