"""What tests do with what a student's code made: (code of the student, test), by name."""

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
    "sympify, spelled otherwise": (
        f"def formula():\n    return \"{BOOM}\".swapcase()",
        "import sympy\nsympy.sympify(formula().swapcase())"),
    "lambdify": (f"def formula():\n    return \"{BOOM}\"",
                 "import sympy\nsympy.lambdify(sympy.Symbol('x'), formula())(1)"),
    "lambdify, spelled otherwise": (
        f"def formula():\n    return \"{BOOM}\"[::-1]",
        "import sympy\nx = sympy.Symbol('x')\nsympy.lambdify(x, formula()[::-1])(1)"),
    "TorchScript": ("def text():\n    return 'def f() -> int:\\n    return 7\\n'",
                    "import torch\nassert torch.jit.CompilationUnit(text()).f() == 7"),
    "TorchScript, defined": (
        "def text():\n    return 'def f() -> int:\\n    return 7\\n'",
        "import torch\nunit = torch.jit.CompilationUnit()\nunit.define(text())\n"
        "assert unit.f() == 7"),
    "a template in another case": (
        "def page():\n    return \"{{ CYCLER.__INIT__.__GLOBALS__.OS._EXIT(7) }}\"",
        "import jinja2\njinja2.Template(page().lower()).render()"),
    "query": ("def rule():\n    return '@os._exit(7)'",
              "import os\nimport pandas as pd\npd.DataFrame({'a': [1]}).query(rule())"),
    "query, of the test's names": (
        "def rule():\n    return 'a == @wanted'",
        "import pandas as pd\nwanted = 3\n"
        "assert len(pd.DataFrame({'a': [1, 3]}).query(rule())) == 1"),
    "eval by a library": (f"def code():\n    return \"{BOOM}\"",
                          "import numpy as np\nnp.vectorize(eval)(np.array([code()]))"),
    "eval by argparse": (f"def code():\n    return \"{BOOM}\"",
                         "import argparse\nparser = argparse.ArgumentParser()\n"
                         "parser.add_argument('a', type=eval)\nparser.parse_args([code()])"),
    "a type in words": (f"def kind():\n    return \"{BOOM}\"",
                        "import typing\ndef g():\n    pass\n"
                        "g.__annotations__ = {'a': kind()}\ntyping.get_type_hints(g)"),
    "a file of settings": (
        f"def handler():\n    return \"{BOOM}\"",
        "import configparser, logging.config\nfound = configparser.RawConfigParser()\n"
        "found.read_string('[loggers]\\nkeys=root\\n[handlers]\\nkeys=h\\n[formatters]\\nkeys=\\n'\n"
        "    '[logger_root]\\nhandlers=h\\n[handler_h]\\nclass=StreamHandler\\nargs=('\n"
        "    + handler() + ',)')\nlogging.config.fileConfig(found)"),
    "in a thread": (f"def code():\n    return \"{BOOM}\"",
                    "import threading\ntext = code()\n"
                    "thread = threading.Thread(target=lambda: eval(text))\n"
                    "thread.start()\nthread.join()"),
    "marshal": (f"import marshal\ndef data():\n"
                f"    return marshal.dumps(compile(\"{BOOM}\", 'a', 'eval'))",
                "import marshal\neval(marshal.loads(data()))"),
    "a function of a pickle": (
        "def data():\n    return b'cnumpy\\nfromfile\\n(V/etc/passwd\\ntR.'",
        "import pickle\npickle.loads(data())"),
    "joblib": (BOMB + "import joblib\njoblib.dump(Bomb(), 'a.dat')",
               "import joblib\njoblib.load('a.dat')"),
    "yaml": ("def text():\n    return '!!python/object/apply:os._exit [7]'",
             "import yaml\nyaml.load(text(), Loader=yaml.UnsafeLoader)"),
    "import_module": ("def name():\n    return 'antigravity'",
                      "import importlib\nimportlib.import_module(name())"),
    "run_module": ("def name():\n    return 'antigravity'",
                   "import runpy\nrunpy.run_module(name())"),
    "run_path": (f"open('a.txt', 'w').write(\"{BOOM}\")",
                 "import os, runpy\nassert os.path.exists('a.txt')\nrunpy.run_path('a.txt')"),
    "torch.jit": (
        "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n"
        "        return x + 1\ntorch.jit.script(M()).save('a.dat')",
        "import torch\nassert torch.jit.load('a.dat')(torch.ones(1)) == 2"),
    "a library of C": ("def name():\n    return '/usr/lib/x86_64-linux-gnu/libc.so.6'",
                       "import torch\ntorch.ops.load_library(name())"),
    "a library of C of their own": (
        "import ctypes.util, glob, shutil\n"
        "shutil.copy(glob.glob('/usr/lib/*/libm.so.6')[0], 'a.dat')",
        "import ctypes, os\nassert os.path.exists('a.dat')\nctypes.CDLL('./a.dat')"),
    "a symbol of a library": ("def name():\n    return '_exit'",
                              "import ctypes\ngetattr(ctypes.CDLL(None), name())(7)"),
    "a template": ("def page():\n    return \"{{ cycler.__init__.__globals__.os._exit(7) }}\"",
                   "import jinja2\njinja2.Template(page()).render()"),
    "a function of torch that a pickle names": (
        "def data():\n    return b'ctorch.serialization\\n_import_dotted_name\\n"
        "(Vos._exit\\ntR(I7\\ntR.'", "import pickle, torch\npickle.loads(data())"),
    "a class that a pickle builds on": (
        "def data():\n    return (b'\\x80\\x02cfractions\\nFraction\\nN}'\n"
        "            b'X\\x06\\x00\\x00\\x00__eq__cbuiltins\\nslice\\ns\\x86b.')",
        "import pickle, fractions\npickle.loads(data())\nassert fractions.Fraction(1, 2) == 7"),
    "a module that a pickle builds on": (
        "def data():\n    return (b'\\x80\\x02ctorch.serialization\\ntorch\\n}'\n"
        "            b'X\\x08\\x00\\x00\\x00allclosecbuiltins\\nslice\\nsb.')",
        "import pickle, torch\npickle.loads(data())\n"
        "assert torch.allclose(torch.ones(2), torch.zeros(2))"),
    "a dictionary of settings": (
        "def settings():\n    return {'version': 1, 'root': {'handlers': ['h']},\n"
        "            'handlers': {'h': {'()': 'os._exit', 'status': 7}}}",
        "import logging.config\nlogging.config.dictConfig(settings())"),
    "sympify, as a tree": (
        f"def formula():\n    return \"{BOOM}\".swapcase()",
        "import sympy\nsympy.sympify(formula().swapcase(), evaluate=False)"),
    "a type in words, spelled otherwise": (
        f"def kind():\n    return \"{BOOM}\".swapcase()",
        "import typing\ndef g():\n    pass\n"
        "g.__annotations__ = {'a': kind().swapcase()}\ntyping.get_type_hints(g)"),
    "what a shell is told": (
        "def text():\n    return 'echo hello'",
        "import subprocess\nfound = subprocess.run(['sh'], input=text(), text=True,\n"
        "                       capture_output=True)\nassert found.stdout == 'hello\\n'"),
    "a file of theirs in a shell": (
        "open('a.txt', 'w').write('echo hello')",
        "import os, subprocess\nassert os.path.exists('a.txt')\n"
        "assert subprocess.check_output(['sh', 'a.txt']) == b'hello\\n'"),
    "a script that the test has written": (
        "def text():\n    return 'print(42)'",
        "import subprocess, sys\nopen('b.py', 'w').write(text())\n"
        "assert subprocess.check_output([sys.executable, 'b.py']) == b'42\\n'"),
    "code without its text": (
        "import marshal, importlib.util\nopen('a.dat', 'wb').write(importlib.util.MAGIC_NUMBER\n"
        "    + bytes(12) + marshal.dumps(compile('x = 42', 'a', 'exec')))",
        "import os, importlib.machinery\nassert os.path.exists('a.dat')\n"
        "assert importlib.machinery.SourcelessFileLoader('m', 'a.dat').load_module().x == 42"),
    "a name in what a library writes": (
        "def name():\n    return \"x=[__import__('os')._exit(7)][0]\"",
        "import attr\nattr.make_class('C', [name()], eq=False, repr=False)"),
    "a module in an archive": (
        "import zipfile\nwith zipfile.ZipFile('a.dat', 'w', zipfile.ZIP_DEFLATED) as z:\n"
        "    z.writestr('theirs.py', 'x = 42\\n' * 50)",
        "import os, sys\nassert os.path.exists('a.dat')\nsys.path.insert(0, 'a.dat')\n"
        "import theirs\nassert theirs.x == 42"),
    "run_path of an archive": (
        "import zipfile\nwith zipfile.ZipFile('a.dat', 'w', zipfile.ZIP_DEFLATED) as z:\n"
        "    z.writestr('__main__.py', 'x = 42\\n' * 50)",
        "import os, runpy\nassert os.path.exists('a.dat')\n"
        "assert runpy.run_path('a.dat')['x'] == 42"),
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
    "np.fromfile": ("def name():\n    return '/etc/passwd'",
                    "import numpy as np\nassert len(np.fromfile(name(), dtype=np.uint8))"),
    "torch.from_file": ("def name():\n    return '/etc/passwd'",
                        "import torch\n"
                        "assert len(torch.from_file(name(), size=9, dtype=torch.uint8))"),
    "read_text, spelled otherwise": (
        "def name():\n    return 'dwssap/cte/'",
        "from pathlib import Path\nraise AssertionError(Path(name()[::-1]).read_text())"),
    "rmtree": ("def name():\n    return '/etc'",
               "import shutil\nshutil.rmtree(name(), ignore_errors=True)"),
    "memory": ("def place():\n    return 12345", "import ctypes\nctypes.string_at(place())"),
    "a format": (
        "def text():\n    return '{0.__init__.__globals__}'",
        "class Known:\n    def __init__(self):\n        pass\n"
        "raise AssertionError(text().format(Known()))"),
    "in a thread": ("def name():\n    return '/etc/passwd'",
                    "from concurrent.futures import ThreadPoolExecutor\npath = name()\n"
                    "raise AssertionError(\n"
                    "    ThreadPoolExecutor(1).submit(lambda: open(path).read()).result())"),
    "connect": ("def place():\n    return '127.0.0.1'",
                "import socket\nsocket.create_connection((place(), 9), 1)"),
    "a format, by string's own class": (
        "def text():\n    return '{0.__init__.__globals__}'",
        "import string\nclass Known:\n    def __init__(self):\n        pass\n"
        "raise AssertionError(string.Formatter().format(text(), Known()))"),
    "a format that is handed on": (
        "def text():\n    return '{0.__init__.__globals__}'",
        "class Known:\n    def __init__(self):\n        pass\n"
        "raise AssertionError(next(map(str.format, [text()], [Known()])))"),
    "a format of records": (
        "def text():\n    return '{a.__init__.__globals__}'",
        "import logging\nclass Known:\n    def __init__(self):\n        pass\n"
        "record = logging.makeLogRecord({'a': Known()})\n"
        "raise AssertionError(logging.Formatter(text(), style='{', validate=False)"
        ".format(record))"),
    "what a process knows, spelled otherwise": (
        "def name():\n    return 'norivne/fles/corp/'",
        "import numpy as np\nraise AssertionError(np.fromfile(name()[::-1], np.uint8).tobytes())"),
}
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
    "a rule of theirs for a table": (
        "def rule():\n    return 'a > 1 and b == 2'",
        "import pandas as pd\nframe = pd.DataFrame({'a': [1, 2], 'b': [2, 2]})\nleast = 1\n"
        "assert len(frame.query(rule())) == 1 and len(frame.query('a > @least')) == 1"),
    "a function of a formula": (
        "def f():\n    return 'x**2 + sin(x)'",
        "import sympy\nx = sympy.Symbol('x')\nassert sympy.lambdify(x, f())(0) == 0"),
    "a text of theirs, filled in": (
        "def text():\n    return 'Hello {name}, {0:>4}, {1.real}'",
        "import string\nassert text().format(3, 2, name='Ada') == 'Hello Ada,    3, 2'\n"
        "assert string.Template('$a').substitute(a=text())[:5] == 'Hello'"),
    "settings of theirs": ("def text():\n    return 'a: [1, 2]'",
                           "import yaml\nassert yaml.safe_load(text()) == {'a': [1, 2]}\n"
                           "assert yaml.load(text(), Loader=yaml.FullLoader)['a'] == [1, 2]"),
    "a thread of its own": (
        "def f(x):\n    return x + 1",
        "from concurrent.futures import ThreadPoolExecutor\n"
        "assert list(ThreadPoolExecutor(1).map(lambda x: x + 1, [1, 2])) == [f(1), f(2)]"),
    "a library's own lines": (  # torch notes where a seed was set, and reads the files on the stack
        "def f():\n    return 'main work site-packages lib torch random cuda traceback viva'",
        "import torch\nf()\ntorch.manual_seed(3)\nassert 'main' in f()"),
    "a file of a library": (
        "def f():\n    return 'main site-packages lib matplotlib mpl-data fonts ttf data'",
        "import importlib.resources as of\nassert 'lib' in f()\n"
        "import matplotlib\nmatplotlib.font_manager.get_font(\n"
        "    matplotlib.font_manager.findfont('DejaVu Sans'))"),
    "numbers of libraries in pickles": (
        "import pickle, fractions, collections, datetime, torch\ndef data():\n"
        "    return pickle.dumps([fractions.Fraction(1, 2), collections.Counter('aab'),\n"
        "                         datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),\n"
        "                         torch.nn.Parameter(torch.ones(2)), torch.ones(2).long()])",
        "import pickle\na, b, c, d, e = pickle.loads(data())\n"
        "assert a * 2 == 1 and b['a'] == 2 and c.year == 2026 and d.sum() == 2 == e.sum()"),
    "settings of its own": (
        "def f():\n    return 'INFO'",
        "import logging.config\nlogging.config.dictConfig({'version': 1,\n"
        "    'handlers': {'h': {'class': 'logging.StreamHandler'}},\n"
        "    'root': {'handlers': ['h'], 'level': f()}})"),
    "a type in words": (
        "def f():\n    return 3",
        "import typing\ndef g(a: 'list[int]') -> 'dict[str, int]':\n    pass\n"
        "assert typing.get_type_hints(g)['a'] == list[int] and f() == 3"),
    "a name of theirs in what a library writes": (
        "def name():\n    return 'x'",
        "import attr, collections, dataclasses\nC = attr.make_class('C', [name()])\n"
        "assert C(3).x == 3 == dataclasses.make_dataclass('D', [name()])(3).x\n"
        "assert collections.namedtuple('P', name())(3).x == 3"),
    "a format of its own": (
        "def f():\n    return 3",
        "show = '{:>4}'.format\nwords = ['{}', '{0.real}']\n"
        "assert show(f()) == '   3' and [text.format(f()) for text in words] == ['3', '3']"),
    "drawing": ("def f():\n    return 1",
                "import matplotlib.pyplot as plt\nplt.plot([f(), 2])\nplt.savefig('a.png')"),
}
