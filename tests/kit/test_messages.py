"""The words of every kind of message, in the notebook of a student and in a terminal."""

import linecache
from types import SimpleNamespace

import numpy as np
import pytest

import viva
from viva import card, case, checking, examples, tables
from viva.case import Answer, Case, outcome
from viva.checking import fault


def rows(rng, mix):
    """two rows of three"""
    return mix(np.arange(6.0).reshape(2, 3))


def twice(rng, mix):
    """three calls"""
    return [mix(np.full((1, 2), x)) for x in (1.0, 2.0, 3.0)]


def number(rng, total):
    """the total of 1, 2, 3"""
    return total(np.array([1.0, 2.0, 3.0]))


def claims(rng, mix):
    """what holds of any answer"""
    out = mix(np.ones((2, 2)))
    return {"rows sum to one": bool(np.allclose(out.sum(-1), 1)), "of shape": list(out.shape)}


def refusal(rng, total):
    """no numbers at all: ValueError"""
    return outcome(total, np.zeros(0))


def computed(rng, mix):
    """the product of all entries"""
    return float(np.prod(mix(np.ones((2, 2)))))


def mix(x):
    return x / x.sum(axis=-1, keepdims=True)


def total(x):
    if not x.size:
        raise ValueError("nothing to add")
    return float(x.sum())


RIGHT = {"mix": mix, "total": total}
SCENARIOS = (rows, twice, number, claims, refusal, computed)
CASES = [Case("mix", "messages", each.__name__, each.__doc__, each, 1e-9, 1e-10, True, True)
         for each in SCENARIOS]
EXPECTS = {"mix": "rows that sum to one", "total": "the sum of all numbers"}


MISTAKES = {
    "columns": {"hint": "The columns are divided by their sums.", "of": "mix",
                "wrong": lambda x: x / x.sum(axis=0, keepdims=True)},
    "mean": {"hint": "This is the mean.", "of": "total",
             "wrong": lambda x: total(x) / max(len(x), 1)},
}


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(case.CASES, "mix", CASES)
    entry = tables.ExerciseEntry("messages", "mix", ("mix", "total"))
    monkeypatch.setitem(tables.ENTRIES, "mix", entry)
    right = {each.name: each.run(RIGHT.values(), "public").record() for each in CASES}
    known = {}
    for slug, mistake in MISTAKES.items():
        given = RIGHT | {mistake["of"]: mistake["wrong"]}
        answers = {each: each.run(given.values(), "public") for each in CASES}
        known[slug] = {"hint": mistake["hint"], "of": mistake["of"], "modified": [], "cases": {
            each.name: answer.record() for each, answer in answers.items()
            if fault(each, answer, right[each.name])}}
    content = {"mix": {"expects": EXPECTS, "forbidden": ["np.average"], "cases": right,
                       "mistakes": known}}
    monkeypatch.setattr(checking, "expected_of", lambda homework: content)
    monkeypatch.setattr(examples, "_last", {})


def lines(mix=mix, total=total):
    return checking.judge("mix", mix, total).lines


def test_right():
    assert lines() == ["mix: passed (6 cases)"]


def test_wrong_values_with_a_known_cause():
    assert lines(mix=MISTAKES["columns"]["wrong"]) == [
        "mix: values differ",
        "  you returned: 0.2 at [0, 1], expected 0.3333 (array (2, 3) float64)",
        "  expected:     rows that sum to one",
        "  usual cause:  The columns are divided by their sums.",
        "  case:         two rows of three",
        "  try it:       mix(np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]))",
    ]


def test_wrong_values_of_another_function_than_the_first():
    assert lines(total=MISTAKES["mean"]["wrong"]) == [
        "mix: values differ in total",
        "  you returned: 2, expected 6",
        "  expected:     the sum of all numbers",
        "  usual cause:  This is the mean.",
        "  case:         the total of 1, 2, 3",
        "  try it:       total(np.array([1.0, 2.0, 3.0]))",
    ]


def test_two_causes_in_two_functions():
    said = lines(MISTAKES["columns"]["wrong"], MISTAKES["mean"]["wrong"])
    assert "  usual cause:  mix: The columns are divided by their sums." in said
    assert "  usual cause:  total: This is the mean." in said


def test_a_fact_where_no_cause_is_known():
    said = lines(mix=lambda x: 2 * mix(x))
    assert "  noticed:      every number is 2 times the expected one" in said
    assert said[-1] == "  see also:     the hints below this exercise"
    assert not any("usual cause" in line for line in said)


def test_the_call_that_went_wrong_is_the_one_to_try():
    said = lines(mix=lambda x: mix(x) if x.flat[0] != 2 else 0 * x)
    assert said[1:3] == ["  you returned: call 2 of 3: 0 at [0, 0], expected 0.5 (array (1, 2)",
                         "                float64)"]
    assert "  try it:       mix(np.array([[2.0, 2.0]]))" in said


def test_wrong_shape_and_wrong_type():
    assert lines(mix=lambda x: mix(x)[:1])[:2] == [
        "mix: wrong shape", "  you returned: array (1, 3) float64, expected shape (2, 3)"]
    assert lines(mix=lambda x: None)[:2] == [
        "mix: wrong type",
        "  you returned: None (is a return missing?), expected array (2, 3) float64"]
    assert lines(total=lambda x: "six")[:2] == [
        "mix: wrong type in total", "  you returned: a str, expected the number 6"]


def test_wrong_dtype():
    said = lines(mix=lambda x: mix(x).astype("f4"))
    assert said[:2] == ["mix: wrong dtype",
                        "  you returned: array (2, 3) float32, expected float64"]
    assert "  noticed:      the values are right; only their dtype is not" not in said  # rounded


def test_not_finite():
    said = lines(mix=lambda x: mix(x) * np.nan)
    assert said[0] == "mix: not finite"
    assert "nan at [0, 0], expected 0 (6 of 6 entries are NaN or" in said[1]


def test_a_property_is_told_in_its_own_words():
    broken = lambda x: mix(x) + (x.shape == (2, 2))  # noqa: E731
    assert lines(mix=broken)[:3] == [
        "mix: a property does not hold", "  not true:     rows sum to one",
        "  expected:     rows that sum to one"]


def test_what_is_computed_from_an_answer_is_not_called_returned():
    shuffled = lambda x: mix(x) if x.shape != (2, 2) else np.array([[0.25, 0.75]] * 2)  # noqa: E731
    assert lines(mix=shuffled)[1] == "  this gives:   0.03516, expected 0.0625"


def test_an_exception_that_is_missing():
    assert lines(total=lambda x: float(x.sum()))[:3] == [
        "mix: should raise ValueError in total", "  you returned: a value, and raised nothing",
        "  expected:     the sum of all numbers"]


def test_another_exception_than_asked_for():
    def strict(x):
        if not x.size:
            raise KeyError
        return total(x)

    assert lines(total=strict)[:2] == [
        "mix: not the exception that is asked for in total",
        "  you raised:   KeyError, expected ValueError"]


@pytest.mark.parametrize("name", [  # of IPython 7, ipykernel 6 and 7, Google Colab, Windows
    "<ipython-input-7-0f2c9d>", "/tmp/ipykernel_4711/2371.py", "/tmp/ipython-input-7-4711.py",
    r"C:\Users\Jörg Müller\AppData\Local\Temp\ipykernel_4711\2371.py"])
def test_an_exception_shows_the_line_of_the_cell_and_its_text(name):
    source = "def mix(x):\n    y = x.sum(axis=5)\n    return x / y\n"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    cell = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), cell)
    said = lines(mix=cell["mix"])
    assert said[0] == "mix: raised AxisError"
    assert said[1] == "  message:      axis 5 is out of bounds for array of dimension 2"
    assert said[2] == "  in your cell: line 2: y = x.sum(axis=5)"
    assert said[3] == "  expected:     rows that sum to one"


def test_not_written_yet():
    def stub(*args):
        raise NotImplementedError

    assert lines(stub, stub) == ["mix: not written yet"]
    assert lines(total=stub) == ["mix: not written yet: total"]


def test_a_forbidden_routine_is_named_as_it_is_written():
    source = "def mix(x):\n    return torch.average(x)"
    mix.__viva_source__ = source
    try:
        assert lines() == ["mix: uses torch.average",
                           "  expected:     your own code: writing it is the exercise"]
    finally:
        del mix.__viva_source__


def test_a_rule_against_a_routine_may_say_what_to_do_instead():
    from viva.sources import reason_against

    assert reason_against("np.linalg.inv", {"np.linalg.inv": "solve instead"}) == "solve instead"


def test_changed_arguments():
    def in_place(x):
        x /= x.sum(axis=-1, keepdims=True)
        return x

    assert lines(mix=in_place) == [
        "mix: mix changes its arguments",
        "  expected:     the caller's arrays left as they were; work on a copy"]


def test_too_few_functions():
    assert checking.judge("mix", mix).lines == [
        "mix: 1 functions given", "  expected:     check('mix', mix, total)"]


def test_an_answer_that_is_no_data():
    error = type("NotPlain", (TypeError,), {"__module__": "viva.plain"})("a module is not data")
    found = fault(CASES[0], Answer(error=error), {"value": 1.0})
    assert str(found) == "wrong type; you returned a module is not data"


def test_long_arguments_are_fetched_by_a_line_to_paste():
    calls = [examples.Call("mix", (np.ones((4, 4)),), {"axis": 1})]
    assert examples.line_to_paste(CASES[0], calls, ()) == 'mix(*example("mix", "rows"), axis=1)'
    calls.append(examples.Call("mix", (np.ones((4, 4)),), {}))
    assert examples.line_to_paste(CASES[0], calls, ((1, 2),)) == 'mix(*example("mix", "rows", 2))'
    calls = [examples.Call("mix", (), {"x": np.ones((4, 4))})]
    assert examples.line_to_paste(CASES[0], calls, ()) == ""


def test_an_example_gives_the_arguments_of_a_case():
    (x,) = viva.example("mix", "rows")
    assert (x == np.arange(6.0).reshape(2, 3)).all()
    lines(mix=lambda x: 0 * x)
    assert (viva.example("mix", "rows")[0] == x).all()
    with pytest.raises(LookupError, match="run its check first"):
        viva.example("mix", "rows", 2)
    with pytest.raises(KeyError, match="no exercise named 'mixx'; did you mean 'mix'"):
        viva.example("mixx", "rows")


def test_the_line_can_be_pasted_without_an_import(monkeypatch):
    import IPython

    shell = SimpleNamespace(user_ns={})
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    examples.keep(CASES[0], [])
    assert shell.user_ns["example"] is viva.example


def test_no_line_is_wider_than_a_terminal():
    for wrong in (lambda x: None, lambda x: x, lambda x: x[:1], lambda x: 1 / 0):
        assert all(len(line) < 80 for line in lines(mix=wrong))


def test_what_stands_between_backticks_is_shown_as_code_and_nothing_else_of_it():
    assert card.with_code("`X -= mean` changes X.") == "<code>X -= mean</code> changes X."
    assert card.with_code("a `<script>` b") == "a <code>&lt;script&gt;</code> b"
    assert card.with_code("one ` only, <b>") == "one ` only, &lt;b&gt;"
