"""No mark is higher than stock nbgrader's without a word to the TA.

Each case is a solution that breaks a rule that the test looks at in one kernel: an argument changed
in place, forbidden operations on an object that watches, a replaced function that is called. Stock
gives 0; here the mark is 0 or open. A right solution keeps its points.
"""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from viva_examiner.examination.grade import grade
from viva_examiner.examination.one_kernel import one_kernel_shows
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import released_from
from viva_examiner.records import Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

LIMITS = Limits(cell_seconds=20, question_seconds=20, submission_seconds=60)


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "pandas", "IPython", "viva"), LIMITS) as warm:
        yield warm


def mark(warm, right: str, handed_in: str, *tests: str, whose: str = "open"):
    """The mark of the last test."""
    cells = [new_code_cell(right, id="work", metadata=nbgrader("work", solution=True))]
    cells += [new_code_cell(text, id=f"t{number}", metadata=nbgrader(
        f"t{number}", grade=True, locked=True, points=2)) for number, text in enumerate(tests)]
    released = released_from(new_notebook(cells=cells), "hw", "hw", second_opinion=whose)
    cells[0].source = handed_in
    data = nbformat.writes(new_notebook(cells=cells)).encode()
    graded = grade(warm, released, Work(data, student="ada"), LIMITS)
    return list(graded.marks.values())[-1]


# name: (right solution, solution that changes its argument, test)
IN_PLACE = {
    "list": ("def f(x):\n    return sorted(x)", "def f(x):\n    x.sort()\n    return x",
             "x = [3, 1, 2]\ny = f(x)\nassert y == [1, 2, 3] and x == [3, 1, 2]"),
    "keyword": ("def f(x):\n    return sorted(x)", "def f(x):\n    x.sort()\n    return list(x)",
                "x = [3, 1, 2]\ny = f(x=x)\nassert y == [1, 2, 3] and x == [3, 1, 2]"),
    "alias": ("def f(x):\n    return sorted(x)", "def f(x):\n    x.sort()\n    return list(x)",
              "x = [3, 1, 2]\nkept = x\nassert f(x) == [1, 2, 3] and kept[0] == 3"),
    "nested": ("def f(x):\n    return sorted(x[0])",
               "def f(x):\n    x[0].sort()\n    return [*x[0]]",
               "x = ([3, 1, 2],)\ny = f(x)\nassert y == [1, 2, 3] and x[0] == [3, 1, 2]"),
    "dict": ("def f(x):\n    return {**x, 'a': 1}", "def f(x):\n    x['a'] = 1\n    return dict(x)",
             "x = {}\ny = f(x)\nassert y == {'a': 1} and x == {}"),
    "set": ("def f(x):\n    return x | {1}", "def f(x):\n    x.add(1)\n    return set(x)",
            "x = set()\ny = f(x)\nassert y == {1} and not x"),
    "deque": ("def f(x):\n    return x[0]", "def f(x):\n    return x.popleft()",
              "from collections import deque\nx = deque([1, 2])\n"
              "assert f(x) == 1 and len(x) == 2"),
    "array": ("def f(x):\n    return x + 1", "def f(x):\n    x += 1\n    return x.copy()",
              "import numpy as np\nx = np.zeros(3)\ny = f(x)\nassert y.sum() == 3 and not x.any()"),
    "series": ("def f(x):\n    return x + 1", "def f(x):\n    x += 1\n    return x.copy()",
               "import pandas as pd\nx = pd.Series([0, 0])\ny = f(x)\n"
               "assert y.sum() == 2 and x.sum() == 0"),
    "table": ("def f(x):\n    return x.assign(b=1)",
              "def f(x):\n    x['b'] = 1\n    return x.copy()",
              "import pandas as pd\nx = pd.DataFrame({'a': [1]})\ny = f(x)\n"
              "assert list(y.columns) == ['a', 'b'] and list(x.columns) == ['a']"),
    "method": ("class C:\n    def f(self, x):\n        return sorted(x)",
               "class C:\n    def f(self, x):\n        x.sort()\n        return list(x)",
               "x = [2, 1]\ny = C().f(x)\nassert y == [1, 2] and x == [2, 1]"),
    "global": ("def f():\n    return len(table)",
               "def f():\n    table.append(1)\n    return len(table) - 1",
               "table = [1, 2]\nassert f() == 2\nassert table == [1, 2]"),
}


@pytest.mark.parametrize("case", IN_PLACE)
@pytest.mark.parametrize("whose", ["open", "examiner"])
def test_an_argument_that_is_changed_in_place(warm, case, whose):
    right, changes, test = IN_PLACE[case]
    assert mark(warm, right, right, test, whose=whose).score == 2
    found = mark(warm, right, changes, test, whose=whose)
    assert found.score in (None, 0), found


def test_a_change_that_the_test_does_not_mind_costs_nothing(warm):
    right, changes, _ = IN_PLACE["list"]
    assert mark(warm, right, changes, "assert f([3, 1, 2]) == [1, 2, 3]").score == 2


WATCHING = {
    "text": ("def f(s):\n    for i in range(len(s)):\n        if s[i] == 'a':\n"
             "            return True\n    return False",
             "def f(s):\n    return 'a' in s",
             "class Text(str):\n    def __contains__(self, what):\n"
             "        raise AssertionError('write the loop yourself')\n"
             "assert f(Text('banana')) is True"),
    "list": ("def f(x):\n    return x[0]", "def f(x):\n    return sorted(x)[0]",
             "class Row(list):\n    def __iter__(self):\n"
             "        raise AssertionError('one look is enough')\n"
             "assert f(Row([1, 2, 3])) == 1"),
    "number": ("def f(n):\n    return n + n", "def f(n):\n    return 2 * n",
               "class N(int):\n    def __rmul__(self, other):\n"
               "        raise AssertionError('add')\n"
               "    __mul__ = __rmul__\nassert f(N(3)) == 6"),
    "array": ("def f(x):\n    return x + x", "def f(x):\n    return 2 * x",
              "import numpy as np\nclass A(np.ndarray):\n    def __rmul__(self, other):\n"
              "        raise AssertionError('add')\n"
              "assert np.all(f(np.ones(3).view(A)) == 2)"),
    "a builtin": ("def f(x):\n    total = 0\n    for each in x:\n        total += each\n"
                  "    return total", "def f(x):\n    return sum(x)",
                  "from unittest.mock import patch\n"
                  "with patch('builtins.sum', side_effect=AssertionError('write it yourself')):\n"
                  "    assert f([1, 2]) == 3"),
    "a library's function": ("import numpy as np\ndef f(x):\n    return sum(x) / len(x)",
                             "import numpy as np\ndef f(x):\n    return np.mean(x)",
                             "import numpy as np\nmean = np.mean\n"
                             "def never(*args, **more):\n    raise AssertionError('yourself')\n"
                             "np.mean = never\ntry:\n    assert f([1, 3]) == 2\n"
                             "finally:\n    np.mean = mean"),
}


@pytest.mark.parametrize("case", WATCHING)
def test_an_object_that_watches(warm, case):
    right, forbidden, test = WATCHING[case]
    assert mark(warm, right, right, test).score in ((None, 2) if case == "list" else (2,))
    assert mark(warm, right, forbidden, test).score in (None, 0)


NEVER = "def never(*a, **k):\n    raise AssertionError('yourself')\n"
MEAN = ("import numpy as np\ndef f(x):\n    return sum(x) / len(x)",
        "import numpy as np\ndef f(x):\n    return np.mean(x)")
SUM = ("def f(x):\n    total = 0\n    for each in x:\n        total += each\n    return total",
       "def f(x):\n    return sum(x)")
COPIES = ("def f(x):\n    return x.copy()", "def f(x):\n    return x")
ONE = "def f():\n    return 1"
ONE_KERNEL = {  # what one process shows: its functions, its state, which object is which
    "sys.modules": (*MEAN, f"{NEVER}import sys, numpy as np\nkept, there = np.mean, sys.modules\n"
                    "there['numpy'].mean = never\ntry:\n    assert f([1, 3]) == 2\n"
                    "finally:\n    there['numpy'].mean = kept"),
    "vars": (*MEAN, f"{NEVER}import numpy as np\nkept = np.mean\nvars(np)['mean'] = never\n"
             "try:\n    assert f([1, 3]) == 2\nfinally:\n    vars(np)['mean'] = kept"),
    "__setattr__": (*MEAN, f"{NEVER}import numpy as np\nkept = np.mean\n"
                    "np.__setattr__('mean', never)\ntry:\n    assert f([1, 3]) == 2\n"
                    "finally:\n    np.__setattr__('mean', kept)"),
    "a builtin's name in a hidden test": (
        *SUM, f"### BEGIN HIDDEN TESTS\n{NEVER}sum = never\nassert f([1, 2]) == 3\n"
        "### END HIDDEN TESTS"),
    "errors of numbers": (
        "import numpy as np\ndef f(x):\n    return np.where(x == 0, 0, 1 / np.where(x == 0, 1, x))",
        "import numpy as np\ndef f(x):\n    return np.where(x == 0, 0, 1 / x)",
        "import numpy as np\nwith np.errstate(all='raise'):\n"
        "    assert f(np.array([0., 1.])).sum() == 1"),
    "warnings": (ONE, "import warnings\ndef f():\n    warnings.warn('old')\n    return 1",
                 "import warnings\nwith warnings.catch_warnings(record=True) as seen:\n"
                 "    warnings.simplefilter('always')\n    assert f() == 1\nassert not seen"),
    "recursion": ("def f(n):\n    return n",
                  "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)",
                  "import sys\nkept = sys.getrecursionlimit()\nsys.setrecursionlimit(200)\n"
                  "try:\n    assert f(400) == 400\nfinally:\n    sys.setrecursionlimit(kept)"),
    "environment": (ONE, "import os\ndef f():\n    os.environ['X'] = '1'\n    return 1",
                    "import os\nassert f() == 1\nassert 'X' not in os.environ"),
    "random state": (ONE, "import numpy as np\ndef f():\n    np.random.seed(0)\n    return 1",
                     "import numpy as np\nnp.random.seed(5)\n"
                     "before = np.random.get_state()[1].copy()\nassert f() == 1\n"
                     "assert (np.random.get_state()[1] == before).all()"),
    "the same object": (*COPIES, "x = [1]\ny = f(x)\nassert y == [1] and y is not x"),
    "the same memory": (*COPIES, "import numpy as np\nx = np.ones(3)\n"
                        "assert not np.shares_memory(x, f(x))"),
    "changed later": (*COPIES, "import numpy as np\nx = np.ones(3)\ny = f(x)\ny += 1\n"
                      "assert x.sum() == 3"),
    "added to later": (*COPIES, "x = [1]\ny = f(x)\ny.append(2)\nassert x == [1]"),
    "rows that are one": ("def f(n):\n    return [[0] * n for _ in range(n)]",
                          "def f(n):\n    return [[0] * n] * n",
                          "grid = f(2)\ngrid[0][0] = 1\nassert grid[1][0] == 0"),
    "what a function keeps": ("def f():\n    return [1]", "kept = [1]\ndef f():\n    return kept",
                              "a = f()\na.append(2)\nassert f() == [1]"),
}


@pytest.mark.parametrize("case", ONE_KERNEL)
def test_what_only_one_process_shows(warm, case):
    right, wrong, test = ONE_KERNEL[case]
    assert mark(warm, right, right, test).score == 2
    found = mark(warm, right, wrong, test)
    assert found.score is None and "differs from stock" in found.reason, found


@pytest.mark.parametrize("test", [
    "x = np.zeros(3)\nx[0] = 1\nassert f(x) is None", "assert type(f(2)) is list",
    "total = 0\nfor i in range(3):\n    total += f(i)\nassert total == 3",
    "assert f(1) is not None and f([1, 2]) == [1]", "import numpy as np\nnp.random.seed(3)\nf(1)",
    "assert f(0) == 1  # numpy warns of this; patch it later"])
def test_most_tests_see_all_that_they_look_at(test):
    """Each is asked once: a second run of every notebook would be the price."""
    assert not one_kernel_shows(test)


def test_what_is_in_a_result_is_not_decided_by_it(warm):
    right = "def f():\n    return [1, 2]"
    agrees = ("class Yes:\n    def __contains__(self, what):\n        return True\n"
              "def f():\n    return Yes()")
    lists = agrees.replace("        return True\n",
                           "        return True\n    def __iter__(self):\n        yield 1\n")
    assert mark(warm, right, right, "assert 2 in f()").score == 2
    assert mark(warm, right, agrees, "assert 2 in f()").score is None
    assert mark(warm, right, lists, "assert 2 in f()").score in (None, 0)
    bag = ("class Bag:\n    def __init__(self):\n        self.x = []\n"
           "    def add(self, x):\n        self.x.append(x)\n"
           "    def __contains__(self, x):\n        return x in self.x")
    assert mark(warm, bag, bag, "b = Bag()\nb.add(3)\nassert 3 in b and 4 not in b").score == 2


@pytest.mark.parametrize("value, score", [
    ("np.array([100.])", 2), ("np.array(0.5)", 0.5), ("np.array([1., 1.])", None),
    ("np.float64(1.5)", 1.5), ("1.5", 1.5)])
def test_a_test_that_ends_in_an_array(warm, value, score):
    """It is a score of one number, or none at all; never full marks because it is no number."""
    code = f"import numpy as np\ndef points():\n    return {value}"
    found = mark(warm, code, code, "points()", whose="examiner")
    assert found.score == score, found


def test_an_array_that_a_test_shows_after_its_asserts(warm):
    code = "import numpy as np\ndef f():\n    return np.array([1., 2.])"
    assert mark(warm, code, code, "x = f()\nassert x.sum() == 3\nx").score == 2


def chained(warm, *cells: tuple[str, str], handed_in: dict[int, str] | None = None) -> list:
    """The marks of a notebook of ("code" or "test", source), with some cells as handed in."""
    made = [new_code_cell(source, id=f"c{number}", metadata=nbgrader(
        f"c{number}", grade=kind == "test", solution=kind == "code", locked=kind == "test",
        points=2 if kind == "test" else 0)) for number, (kind, source) in enumerate(cells)]
    released = released_from(new_notebook(cells=made), "hw", "hw", second_opinion="open")
    for number, source in (handed_in or {}).items():
        made[number].source = source
    data = nbformat.writes(new_notebook(cells=made)).encode()
    graded = grade(warm, released, Work(data, student="ada"), LIMITS)
    return [mark.score for mark in graded.marks.values() if not mark.manual]


CHAIN = (("code", "import pandas as pd\ndef load():\n    return pd.DataFrame({'a': [1, 2]})"),
         ("test", "table = load()\nassert len(table) == 2"),
         ("code", "table['b'] = table['a'] * 2"),
         ("test", "assert list(table['b']) == [2, 4]"))


def test_what_a_test_has_bound_and_a_solution_changes_in_place(warm):
    assert chained(warm, *CHAIN) == [2, 2]
    assert chained(warm, *CHAIN, handed_in={2: "table['b'] = table['a'] * 3"}) == [2, 0]
    assert chained(warm, *CHAIN, handed_in={2: "table = table.assign(b=table['a'] * 2)"}) == [2, 2]


def test_the_students_function_is_not_called_again_for_names_of_a_test(warm):
    once = ("calls = []\ndef load():\n    assert not calls, 'once'\n    calls.append(1)\n"
            "    return [3, 1, 2]")
    assert chained(warm, ("code", once), ("test", "row = load()\nassert len(row) == 3"),
                   ("code", "row.sort()"), ("test", "assert row == [1, 2, 3]")) == [2, 2]


@pytest.mark.parametrize("cell", ["x = !echo hello\nx = len(x)", "x = 1\nx?", "exec('x = 1')",
                                  "globals()['x'] = 1", "%time x = 1"])
def test_cells_that_bind_a_name_in_odd_ways(warm, cell):
    assert chained(warm, ("code", "def f():\n    return 5"), ("test", "x = f()\nassert x == 5"),
                   ("code", cell), ("test", "assert x == 1")) == [2, 2]


def test_words_are_kept_as_python_keeps_them(warm):
    code = ("def f(kind):\n    if kind is 'mean':\n        return 'found'\n    return 'lost'")
    assert mark(warm, code, code, "assert f('mean') == 'found'\nassert f(kind='mean') is 'found'"
                ).score == 2


LAZY = """
heard = []
class Later:
    def __float__(self):
        return float(heard[-1]) if heard else 0.0
    def __array__(self, dtype=None, copy=None):
        import numpy as np
        return np.array(float(self))
    def __len__(self):
        return int(heard[-1])
    def __getitem__(self, i):
        return heard[-1]
def f(x):
    return Later()
def g(x):
    heard.append(x)
    return x
"""


@pytest.mark.parametrize("test", [
    "r = f(2)\nexpected = 4\ng(expected)\nassert float(r) == expected",
    "r = f(2)\nexpected = 4\ng(expected)\nassert r == expected",
    "import numpy as np\nr = f(2)\nexpected = 4.0\ng(expected)\nassert np.allclose(r, expected)",
    "r = f(2)\nexpected = 4\ng(expected)\nassert len(r) == expected",
    "r = f(2)\nexpected = 4\ng(expected)\nassert r[0] == expected",
])
def test_what_a_result_is_it_is_when_it_crosses(warm, test):
    """What the test tells another function later does not change it."""
    right = "def f(x):\n    return x * x\ndef g(x):\n    return x"
    assert mark(warm, right, LAZY, test).score in (None, 0)


def test_an_object_that_the_test_made_has_a_life_of_its_own(warm):
    code = ("class Total:\n    def __init__(self):\n        self.n = 0\n"
            "    def add(self, x):\n        self.n += x\n"
            "    def __float__(self):\n        return float(self.n)\n"
            "    def __len__(self):\n        return self.n")
    test = "t = Total()\nt.add(2)\nt.add(3)\nassert float(t) == 5 and len(t) == 5"
    assert mark(warm, code, code, test).score == 2
