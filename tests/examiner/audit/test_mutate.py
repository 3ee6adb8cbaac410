"""Generated mistakes: which changes are made, which are proven equal, which the exam lets pass."""

import copy

import pytest

import doubling
import toy
from viva_course import rubric
from viva_examiner.audit import generated_mistakes
from viva_examiner.audit.generated_mistakes import kill, lines, verdict
from viva_examiner.audit.mutants import mutants
from viva_examiner.notebook.staff import Notebook

CENTRE = '''
def centre(x):
    """Each row without its mean."""
    if x.ndim == 0:
        raise ValueError("a scalar has no rows")
    return x - x.mean(axis=-1, keepdims=True)


def spread(x):
    return float(np.sqrt(np.mean(centre(x) ** 2)))
'''


def changes(body: str) -> set[str]:
    """The bodies of the mutants of a function of one line."""
    source = f"def f(x, y, n):\n    return {body}"
    found = {m.source.splitlines()[-1].strip().removeprefix("return ") for m in mutants(source)}
    return found - {"pass"}  # the line dropped


@pytest.mark.parametrize("body, some", [
    ("x + y", {"x - y", "x", "y"}),
    ("x / y", {"x * y", "y / x", "x"}),
    ("x @ y.T", {"y.T @ x", "x @ y"}),
    ("x < y", {"x <= y", "x >= y"}),
    ("x.sum(axis=-1, keepdims=True)", {"x.sum(axis=-2, keepdims=True)", "x.sum(axis=-1)",
                                       "x.sum(keepdims=True)", "x.sum(axis=-1, keepdims=False)",
                                       "x.mean(axis=-1, keepdims=True)"}),
    ("x / np.sqrt(y)", {"x / y"}),
    ("x / y ** 0.5", {"x / y"}),
    ("np.swapaxes(x, -1, -2) @ y", {"x @ y"}),
    ("x[1:]", {"x[2:]", "x[0:]", "x[:]"}),
    ("list(range(n))", {"list(range(n + 1))", "list(range(n - 1))", "list(range(1, n))"}),
    ("f(x, y)", {"f(y, x)"}),
    ("-x", {"x"}),
    ("x.copy()", {"x"}),
    ("x if n else y", {"x", "y"}),
])
def test_the_mistakes_of_array_code_are_made(body, some):
    assert some <= changes(body)


def test_what_is_not_the_students_is_left_alone():
    source = 'def f(x, eps=1e-5):\n    """Divide by 2."""\n    if x < 0:\n' \
             '        raise ValueError("x is below 0: " + str(x - 1))\n    return x'
    assert all("eps=1e-05" in m.source and "Divide by 2" in m.source for m in mutants(source))
    assert not any("x + 1" in m.source for m in mutants(source))


def test_mutants_that_compile_to_the_same_code_are_removed():
    assert changes("max(x, y)") == {"min(x, y)"}  # arguments of max may be swapped
    assert "(y - x) ** 2" not in changes("(x - y) ** 2") and "y - x" in changes("x - y")
    assert "x.swapaxes(2, 1)" not in changes("x.swapaxes(1, 2)")
    sources = [m.source for m in mutants("def f(x):\n    return x * 2 * 1\n    x = 3")]
    assert len(sources) == len(set(sources))
    assert not any("x = 4" in source for source in sources)  # never reached, never compiled


def test_changes_have_names_that_do_not_depend_on_other_lines():
    one = {m.change for m in mutants("def f(x):\n    return x + 1")}
    two = {m.change for m in mutants("def f(x):\n    y = 2\n    return x + 1")}
    assert one <= two and "f: return x + 1 -> return x - 1" in one
    assert len(mutants("def f(x):\n    x = x + 1\n    x = x + 1\n    return x")) == len(
        {m.change for m in mutants("def f(x):\n    x = x + 1\n    x = x + 1\n    return x")})


@pytest.fixture
def exercise(monkeypatch):
    rubric.exercises()
    one = copy.copy(toy.toy)
    one.items, one.mistakes, one.survivors = [*one.items], [*one.mistakes], {}
    monkeypatch.setitem(rubric.EXERCISES, "centre", one)
    rubric.reference_record.cache_clear()
    rubric.mistake_records.cache_clear()
    return one


def killing(exercise, source):
    order = (("", "import numpy as np\nx = 1 / 0"), ("centre", source))
    notebook = Notebook({"centre": source}, {"centre": source}, order)
    (found,) = kill([exercise], {"toy": notebook}, jobs=2)
    return found


def test_a_good_exam_kills_them_all(exercise):
    found = killing(exercise, CENTRE)
    assert found.trouble == "" and found.survived == [] and found.total > 15
    assert verdict([found])[1]


def test_a_survivor_needs_a_reason(exercise):
    source = CENTRE.replace("    return x - x", "    x = x * 1.0 + 0\n    return x - x")
    found = killing(exercise, source)
    assert "centre: x = x * 1.0 + 0 -> x = x * 1.0 - 0" in found.survived
    assert not verdict([found])[1] and any("NO REASON" in line for line in lines(found))
    exercise.survivors = {change: "Adding zero changes nothing." for change in found.survived}
    assert found.unexplained == [] and found.stale == []
    exercise.survivors["centre: gone"] = "It was there once."
    assert found.stale == ["centre: gone"] and "centre: gone" in lines(found)[-1]


def test_a_mutant_that_never_ends_is_killed(exercise, monkeypatch):
    monkeypatch.setattr(generated_mistakes, "SPARE", 0.5)  # seconds for each of them
    source = CENTRE.replace("    return x - x", "    n = 3\n    while n > 0:\n        n = n - 1\n"
                            "    return x - x")
    found = killing(exercise, source)
    assert any("CPU" in why for why in found.killed.values())
    assert found.survived


def test_a_solution_that_is_wrong_is_trouble_not_a_kill(exercise):
    found = killing(exercise, CENTRE.replace("axis=-1", "axis=0"))
    assert "own solution" in found.trouble and not verdict([found])[1]
    (missing,) = kill([exercise], {}, jobs=1)
    assert "no solution cell" in missing.trouble


def test_the_doubling_notebook_has_mutants(tmp_path):
    assert any("x * 3.0" in m.source or "x / 2.0" in m.source for m in mutants(doubling.SOLUTION))
