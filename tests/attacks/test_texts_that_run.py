"""Tests that would run what a student's code made: text, pickles, paths, processes.

A hostile answer gets no mark and runs nothing; a right answer to the same test gets its points, or
the mark is open with the reason; and what libraries compile for themselves disturbs nobody.
"""

import functools
import importlib.util
import pickle

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from viva_examiner.examination.grade import grade
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import Work
from viva_examiner.sandbox.interpreter import WarmInterpreter

LIMITS = Limits(cell_seconds=10, question_seconds=10, submission_seconds=60)
TEXT, PLACE = "runs text that the student's code made", "place that the student's code named"


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "torch", "IPython", "viva"), LIMITS) as warm:
        yield warm


def graded(warm, code: str, test: str, folder: str = "", whose: str = "examiner"):
    cells = (ReleasedCell("work", "code", "", "", locked=False, solution=True),
             ReleasedCell("test", "code", test, "", locked=True, grade=True, points=2))
    written = new_code_cell(code, id="work", metadata=nbgrader("work", solution=True))
    data = nbformat.writes(new_notebook(cells=[written])).encode()
    released = Released("hw", "hw", cells, folder=folder, second_opinion=whose)
    return grade(warm, released, Work(data, student="ada"), LIMITS)


# What a hostile text would do: end the judge, which nothing else here does.
BOOM = "__import__('os')._exit(7)"
BOMB = """
class Bomb:
    def __reduce__(self):
        import os
        return (os._exit, (7,))
"""
POINT = """
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)
    def __repr__(self):
        return {}
"""
SHOWS = "p = Point(1, 2)\nassert eval(repr(p)) == p"
HOSTILE = {
    "eval of repr": (POINT.format(f'"{BOOM}"'), SHOWS),
    "eval of repr, caught": (POINT.format(f'"{BOOM}"'),
                             "p = Point(1, 2)\ntry:\n    eval(repr(p))\nexcept Exception:\n"
                             "    pass"),
    "exec": (f"def code():\n    return \"{BOOM}\"", "exec(code())"),
    "exec of compiled": (f"def code():\n    return \"{BOOM}\"",
                         "exec(compile(code(), 'theirs', 'exec'))"),
    "a tree": (f"def code():\n    return \"{BOOM}\"",
               "import ast\nexec(compile(ast.parse(code()), 'theirs', 'exec'))"),
    "in a callback": (f"def ask(f):\n    return f(\"{BOOM}\")", "ask(lambda text: eval(text))"),
    "pickle.loads": (BOMB + "import pickle\ndef data():\n    return pickle.dumps(Bomb())",
                     "import pickle\npickle.loads(data())"),
    "pickle.load": (BOMB + "import pickle\npickle.dump(Bomb(), open('a.dat', 'wb'))",
                    "import pickle\npickle.load(open('a.dat', 'rb'))"),
    "np.load": (BOMB + "import numpy as np\n"
                "np.save('a.npy', np.array([Bomb()], dtype=object))\n"
                "import os\nos.rename('a.npy', 'a.dat')",
                "import numpy as np\nnp.load('a.dat', allow_pickle=True)"),
    "torch.load": (BOMB + "import torch\ntorch.save(Bomb(), 'a.dat')",
                   "import torch\ntorch.load('a.dat', weights_only=False)"),
    "a module by name": ("def name():\n    return 'antigravity'",
                         "__import__(name())"),
    "a process": ("def line():\n    return 'kill -9 1'",
                  "import subprocess\nsubprocess.run(line(), shell=True)"),
    "os.system": ("def line():\n    return 'kill -9 1'", "import os\nos.system(line())"),
    "timeit": (f"def code():\n    return \"{BOOM}\"",
               "import timeit\ntimeit.timeit(code(), number=1)"),
    "sympify": (f"def formula():\n    return \"{BOOM}\"",
                "import sympy\nsympy.sympify(formula())"),
    "a symbol's name": ("import sympy\ndef formula():\n"
                        f"    return sympy.Symbol(\"{BOOM}\") + sympy.Symbol('x')",
                        "import sympy\nx = sympy.Symbol('x')\n"
                        "assert sympy.lambdify(x, formula())(1) == 2"),
    "a template": ("def page():\n    return \"{{ cycler.__init__.__globals__.os._exit(7) }}\"",
                   "import jinja2\njinja2.Template(page()).render()"),
}
PLACES = {
    "open": ("def name():\n    return '/proc/self/environ'", "open(name()).read()"),
    "open, told": ("def name():\n    return '/etc/passwd'",
                   "raise AssertionError(open(name()).read())"),
    "of the library": ("def name():\n    import viva\n    return viva.__file__",
                       "open(name()).read()"),
    "remove": ("def name():\n    return '/etc/hosts'", "import os\nos.remove(name())"),
    "list": ("def name():\n    return '/etc'", "import os\nos.listdir(name())"),
    "joined": ("def name():\n    return 'passwd'",
               "import os\nopen(os.path.join('/etc', name())).read()"),
    "read_csv": ("def name():\n    return '/etc/passwd'",
                 "import pandas as pd\npd.read_csv(name())"),
    "np.loadtxt": ("def name():\n    return '/etc/passwd'",
                   "import numpy as np\nnp.loadtxt(name(), dtype=str)"),
    "of the library, by another": (
        "def name():\n    import viva\n    return viva.__file__",
        "import numpy as np\nnp.loadtxt(name(), dtype=str)"),
    "of the library, in part": (
        "def name():\n    return 'diagnosis'",
        "import numpy as np, viva\n"
        "np.loadtxt(viva.__file__.replace('__init__', name()), dtype=str)"),
    "connect": ("def place():\n    return '127.0.0.1'",
                "import socket\nsocket.create_connection((place(), 9), 1)"),
}


def needs(test: str) -> list:
    return [name for name in ("sympy", "jinja2", "pandas") if name in test
            and importlib.util.find_spec(name) is None]


@pytest.mark.parametrize("case", HOSTILE)
def test_a_students_text_is_not_run(warm, case):
    code, test = HOSTILE[case]
    if missing := needs(test):
        pytest.skip(f"no {missing[0]} here")
    mark = graded(warm, code, test).marks["test"]
    assert mark.score in (None, 0), mark
    if case == "a symbol's name":  # it does not come over; the test runs in the candidate
        assert "The notebook's process ended" in mark.reason, mark
    else:
        assert TEXT in mark.reason, mark


@pytest.mark.parametrize("case", PLACES)
def test_a_students_path_is_not_opened(warm, case):
    code, test = PLACES[case]
    if missing := needs(test):
        pytest.skip(f"no {missing[0]} here")
    mark = graded(warm, code, test).marks["test"]
    assert mark.score in (None, 0) and PLACE in mark.reason, mark
    assert "root:" not in mark.reason and "candidate:" not in mark.reason


def test_a_person_looks_at_it(warm):
    """Stock nbgrader gives full marks: nobody here gives full marks, and nobody a zero."""
    theirs = POINT.format('"Point(%d, 1 + 1)" % self.x')
    for whose in ("examiner", "open"):
        found = graded(warm, theirs, SHOWS, whose=whose)
        assert found.marks["test"].score is None and TEXT in found.marks["test"].reason
        assert found.needs_a_look


RIGHT = {
    "eval of what stands there": (POINT.format('f"Point({self.x}, {self.y})"'), SHOWS),
    "arithmetic": ("def sum_of():\n    return '3 * (4 + 5)'", "assert eval(sum_of()) == 27"),
    "a literal": ("def f():\n    return '[1, 2]'",
                  "import ast\nassert ast.literal_eval(f()) == [1, 2]"),
    "its own exec": ("def f(x):\n    return x",
                     "names = {}\nexec('y = 1 + 1', names)\nassert f(names['y']) == 2"),
    "classes of libraries": (
        "def f(x):\n    return x",
        "import collections, dataclasses, enum, typing\n"
        "Pair = collections.namedtuple('Pair', 'a b')\n"
        "@dataclasses.dataclass(order=True)\nclass Thing:\n    a: int = 1\n"
        "class Colour(enum.Enum):\n    RED = 1\n"
        "assert f(Pair(1, 2).a) == Thing().a == Colour.RED.value"),
    "a named tuple of theirs": (
        "import collections\ndef f():\n    return collections.namedtuple('P', 'x y')(1, 2)",
        "assert f().x == 1 and f() == (1, 2)"),
    "its own files": ("def f(text):\n    open('theirs.txt', 'w').write(text)",
                      "f('hello')\nassert open('theirs.txt').read() == 'hello'\n"
                      "import os\nassert 'theirs.txt' in os.listdir('.')\nos.remove('theirs.txt')"),
    "arrays in pickles": (
        "import pickle, numpy as np\ndef data():\n    return pickle.dumps({'a': np.ones(3)})",
        "import pickle\nassert pickle.loads(data())['a'].sum() == 3"),
    "tensors in files": ("import torch\ntorch.save({'w': torch.ones(2)}, 'a.dat')",
                         "import torch\n"
                         "assert torch.load('a.dat', weights_only=False)['w'].sum() == 2"),
    "a temporary file": ("def f(path):\n    return len(path)",
                         "import tempfile, os\n"
                         "with tempfile.NamedTemporaryFile('w') as file:\n"
                         "    assert f(file.name) == len(file.name) and os.path.exists(file.name)"),
    "a late import": ("def f():\n    return 3", "import wave, sched\nassert f() == 3"),
    "an import by a name that stands there": (
        "def f():\n    return 3", "import importlib\n"
        "assert importlib.import_module('colorsys').rgb_to_hsv(0, 0, 0)[2] == 0 and f() == 3"),
    "a process of its own": ("def f():\n    return 'hello'", "import subprocess\n"
                             "assert subprocess.check_output(['echo', 'hello']).split() == "
                             "[f().encode()]"),
    "its own timing": ("def f():\n    return 3",
                       "import timeit\nassert timeit.timeit(f, number=3) < 100"),
    "einsum": ("import numpy as np\ndef f(x):\n    return np.einsum('ij->j', x)",
               "import numpy as np\nx = np.ones((2, 3))\n"
               "assert np.allclose(np.einsum('ij->j', x, optimize=True), f(x))"),
    "torch": ("import torch\ndef f(x):\n    return torch.relu(x)",
              "import torch\nlayer = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())\n"
              "x = layer(torch.ones(1, 2))\nassert torch.equal(f(x.detach()), x.detach())"),
    "a formula of its own": ("def f():\n    return 4",
                             "import sympy\nx = sympy.Symbol('x')\n"
                             "assert sympy.sympify('x**2 + 3*x').subs(x, 1) == f()\n"
                             "assert sympy.lambdify(x, x**2)(2) == f()"),
    "a formula of theirs": ("def f():\n    return 'sin(x)**2 + cos(x)**2 + 3*alpha'",
                            "import sympy\nassert sympy.simplify(sympy.sympify(f())) == "
                            "1 + 3 * sympy.Symbol('alpha')"),
    "a table's own words": ("def f():\n    return 2",
                            "import pandas as pd\nframe = pd.DataFrame({'a': [1, 2, 3]})\n"
                            "assert len(frame.query('a > 1')) == f()\n"
                            "assert frame.eval('a + 1').max() == f() + 2"),
    "a library's own lines": (  # torch notes where a seed was set, and reads the files on the stack
        "def f():\n    return 'main work site-packages lib torch random cuda traceback viva'",
        "import torch\nf()\ntorch.manual_seed(3)\nassert 'main' in f()"),
    "a file of a library": (
        "def f():\n    return 'main site-packages lib matplotlib mpl-data fonts ttf data'",
        "import importlib.resources as of\nassert 'lib' in f()\n"
        "import matplotlib\nmatplotlib.font_manager.get_font(\n"
        "    matplotlib.font_manager.findfont('DejaVu Sans'))"),
    "drawing": ("def f():\n    return 1",
                "import matplotlib.pyplot as plt\nplt.plot([f(), 2])\nplt.savefig('a.png')"),
}


@pytest.mark.parametrize("case", RIGHT)
def test_what_is_not_theirs_runs(warm, case):
    code, test = RIGHT[case]
    if missing := needs(test):
        pytest.skip(f"no {missing[0]} here")
    mark = graded(warm, code, test).marks["test"]
    assert mark.score == 2, mark


def test_a_file_of_staffs_own_may_be_unpickled(warm, tmp_path):
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(functools.partial(max)))
    test = "import pickle\nassert pickle.load(open('model.pkl', 'rb'))(1, 2) == f()"
    assert graded(warm, "def f():\n    return 2", test, str(tmp_path)).marks["test"].score == 2
