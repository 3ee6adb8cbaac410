"""Siblings of `test_not_higher`: what an adopter's test would see in one kernel, in other words.

Each case: a right solution, one that the test catches in one kernel, and the test. Stock gives the
second one 0; here it has 0 too, or its mark is open. The right one keeps its points.
"""

import pytest
from test_not_higher import mark, warm  # noqa: F401  (a fixture)

CASES = {
    # what is done to an argument
    "raises after change": (
        "def f(x):\n    raise ValueError",
        "def f(x):\n    x.pop()\n    raise ValueError",
        "x = [1, 2]\ntry:\n    f(x)\nexcept ValueError:\n    pass\nassert x == [1, 2]"),
    "raises method": (
        "class S:\n\n    def put(self, x):\n        raise ValueError",
        "class S:\n\n    def put(self, x):\n        x['k'] = 1\n        raise ValueError",
        "d = {}\ns = S()\ntry:\n    s.put(d)\nexcept ValueError:\n    pass\nassert d == {}"),
    "writeable flag": (
        "def f(x):\n    return x.sum()",
        "def f(x):\n    x[0] = x[0]\n    return x.sum()",
        "import numpy as np\nx = np.ones(3)\nx.flags.writeable = False\nassert f(x) == 3"),
    "tensor grad flag": (
        "def f(x):\n    return float(x.sum())",
        "def f(x):\n    x.requires_grad_(True)\n    return float(x.sum())",
        "import torch\nx = torch.ones(2)\nassert f(x) == 2\nassert not x.requires_grad"),
    "module mode": (
        "def f(m, x):\n    return m(x)",
        "def f(m, x):\n    m.train()\n    return m(x)",
        "import torch\nm = torch.nn.Linear(1, 1)\nm.eval()\nf(m, torch.ones(1, 1))\n"
        "assert not m.training"),
    "module weights": (
        "def f(m):\n    return sum((p.numel() for p in m.parameters()))",
        "import torch\n\ndef f(m):\n    with torch.no_grad():\n"
        "        for p in m.parameters():\n            p.zero_()\n"
        "    return sum((p.numel() for p in m.parameters()))",
        "import torch\nm = torch.nn.Linear(2, 1)\nw = m.weight.detach().clone()\n"
        "assert f(m) == 3\nassert torch.equal(m.weight, w)"),
    "torch param data": (
        "def f(p):\n    return p.sum().item()",
        "def f(p):\n    p.data.zero_()\n    return 2.0",
        "import torch\np = torch.nn.Parameter(torch.ones(2))\nassert f(p) == 2\n"
        "assert p.sum() == 2"),
    "torch grad set": (
        "def f(p):\n    return 1",
        "def f(p):\n    (p * p).sum().backward()\n    return 1",
        "import torch\np = torch.ones(2, requires_grad=True)\nf(p)\nassert p.grad is None"),
    "np object arr": (
        "def f(x):\n    return len(x)",
        "def f(x):\n    x[0].append(1)\n    return len(x)",
        "import numpy as np\nx = np.empty(1, dtype=object)\nx[0] = []\nassert f(x) == 1\n"
        "assert x[0] == []"),
    "pd index": (
        "def f(d):\n    return len(d)",
        "def f(d):\n    d.index.name = 'q'\n    return len(d)",
        "import pandas as pd\nd = pd.DataFrame({'a': [1]})\nassert f(d) == 1\n"
        "assert d.index.name is None"),
    "notes of a table": (
        "def f(d):\n    return len(d)",
        "def f(d):\n    d.attrs['x'] = 1\n    return len(d)",
        "import pandas as pd\nd = pd.DataFrame({'a': [1]})\nassert f(d) == 1\n"
        "assert d.attrs == {}"),
    "order of a dict": (
        "def f(d):\n    return sum(d.values())",
        "def f(d):\n    d['a'] = d.pop('a')\n    return sum(d.values())",
        "d = {'a': 1, 'b': 2}\nassert f(d) == 3\nassert list(d) == ['a', 'b']"),
    "list type": (
        "def f(x):\n    return sum(x)",
        "def f(x):\n    x[0] = float(x[0])\n    return sum(x)",
        "x = [1, 2]\nassert f(x) == 3\nassert type(x[0]) is int"),
    "the sign of zero": (
        "def f(x):\n    return x[0]",
        "def f(x):\n    x[0] = -x[0]\n    return 0.0",
        "import math\nx = [0.0]\nassert f(x) == 0\nassert math.copysign(1, x[0]) == 1"),
    "star args": (
        "def f(*a):\n    return len(a)",
        "def f(*a):\n    a[0].append(1)\n    return len(a)",
        "o = []\nassert f(*[o]) == 1\nassert o == []"),
    "partial": (
        "def f(a, b):\n    return a + b",
        "def f(a, b):\n    a += b\n    return a",
        "from functools import partial\na = [1]\ng = partial(f, a)\n"
        "assert g([2]) == [1, 2]\nassert a == [1]"),
    "map": (
        "def f(a):\n    return sum(a)",
        "def f(a):\n    a.append(0)\n    return sum(a)",
        "xs = [[1], [2]]\nassert list(map(f, xs)) == [1, 2]\nassert xs == [[1], [2]]"),
    "df.apply": (
        "def f(r):\n    return r.sum()",
        "def f(r):\n    r['a'] = r.sum()\n    return r['a']",
        "import pandas as pd\nd = pd.DataFrame({'a': [1, 2], 'b': [1, 1]})\n"
        "assert list(d.apply(f, axis=1)) == [2, 3]"),
    "unittest": (
        "def f(x):\n    return sorted(x)",
        "def f(x):\n    x.sort()\n    return x",
        "import unittest\n\nclass T(unittest.TestCase):\n\n    def test(self):\n"
        "        x = [2, 1]\n        self.assertEqual(f(x), [1, 2])\n"
        "        self.assertEqual(x, [2, 1])\n"
        "import io\nr = unittest.TextTestRunner(stream=io.StringIO()).run(\n"
        "    unittest.defaultTestLoader.loadTestsFromTestCase(T))\nassert r.wasSuccessful()"),
    "array transposed arg": (
        "def f(x):\n    return x * 2",
        "def f(x):\n    x *= 2\n    return x",
        "import numpy as np\nbig = np.ones((3, 2))\ny = f(big.T)\nassert y.sum() == 12\n"
        "assert big.sum() == 6"),
    "iterator consumed": (
        "def f(it):\n    return next(it)",
        "def f(it):\n    return list(it)[0]",
        "it = iter([1, 2, 3])\nassert f(it) == 1\nassert next(it) == 2"),
    "file position": (
        "def f(fh):\n    return fh.readline()",
        "def f(fh):\n    return fh.read().splitlines(True)[0]",
        "import io\nfh = io.StringIO('a\\nb\\n')\nassert f(fh) == 'a\\n'\n"
        "assert fh.readline() == 'b\\n'"),
    "object attr": (
        "def f(o):\n    return o.v + 1",
        "def f(o):\n    o.v += 1\n    return o.v",
        "class O:\n    pass\no = O()\no.v = 1\nassert f(o) == 2\nassert o.v == 1"),
    "linked list": (
        "def f(n):\n    c = 0\n    while n:\n        c += 1\n        n = n.next\n"
        "    return c",
        "def f(n):\n    c = 0\n    while n:\n        c += 1\n        m = n.next\n"
        "        n.next = None\n        n = m\n    return c",
        "class N:\n\n    def __init__(s, v, n=None):\n        s.v, s.next = (v, n)\n"
        "h = N(1, N(2))\nassert f(h) == 2\nassert h.next is not None"),
    # what both sides hold
    "np view by func": (
        "def f(x):\n    return x[1:].copy()",
        "def f(x):\n    return x[1:]",
        "import numpy as np\nx = np.zeros(3)\ny = f(x)\nnp.copyto(x, 1)\n"
        "assert y.sum() == 0"),
    "np put func": (
        "def f(x):\n    return x[1:].copy()",
        "def f(x):\n    return x[1:]",
        "import numpy as np\nx = np.zeros(3)\ny = f(x)\nnp.put(x, [0, 1, 2], 5)\n"
        "assert y.sum() == 0"),
    "out=": (
        "def f(x):\n    return x[1:].copy()",
        "def f(x):\n    return x[1:]",
        "import numpy as np\nx = np.zeros(3)\ny = f(x)\nnp.add(x, 1, out=x)\n"
        "assert y.sum() == 0"),
    "np shuffle": (
        "def f(x):\n    return x.copy()",
        "def f(x):\n    return x",
        "import numpy as np\nx = np.arange(9)\ny = f(x)\n"
        "np.random.default_rng(0).shuffle(x)\nassert list(y) == list(range(9))"),
    "random.shuffle": (
        "def f(x):\n    return list(x)",
        "def f(x):\n    return x",
        "import random\nx = list(range(9))\ny = f(x)\nrandom.Random(0).shuffle(x)\n"
        "assert y == list(range(9))"),
    "heapify": (
        "def f(x):\n    return list(x)",
        "def f(x):\n    return x",
        "import heapq\nx = [3, 2, 1]\ny = f(x)\nheapq.heapify(x)\nassert y == [3, 2, 1]"),
    "loop change": (
        "def f(n):\n    return [[0] * n for _ in range(n)]",
        "def f(n):\n    return [[0] * n] * n",
        "g = f(3)\nfor row in g:\n    row.append(1)\nassert len(g[0]) == 4"),
    "helper changes": (
        "def f(n):\n    return [[0] * n for _ in range(n)]",
        "def f(n):\n    return [[0] * n] * n",
        "def setit(g, i, j, v):\n    g[i][j] = v\ng = f(3)\nsetit(g, 0, 0, 1)\n"
        "assert g[1][0] == 0"),
    "helper append": (
        "def f(x):\n    return list(x)",
        "def f(x):\n    return x",
        "def grow(z):\n    z.append(9)\nx = [1]\ny = f(x)\ngrow(x)\nassert y == [1]"),
    "set diff_update": (
        "def f(s):\n    return set(s)",
        "def f(s):\n    return s",
        "s = {1, 2}\nt = f(s)\ns.difference_update({2})\nassert t == {1, 2}"),
    "dict __setitem__": (
        "def f(s):\n    return dict(s)",
        "def f(s):\n    return s",
        "s = {1: 2}\nt = f(s)\ns.__setitem__(1, 3)\nassert t == {1: 2}"),
    "operator.setitem": (
        "def f(s):\n    return dict(s)",
        "def f(s):\n    return s",
        "import operator\ns = {1: 2}\nt = f(s)\noperator.setitem(s, 1, 3)\n"
        "assert t == {1: 2}"),
    "result changed twice": (
        "def f():\n    return {'a': []}",
        "K = {'a': []}\n\ndef f():\n    return K",
        "x = f()\nx['a'].append(1)\nassert f() == {'a': []}"),
    "what an object keeps": (
        "class B:\n\n    def __init__(self):\n        self._x = []\n\n    def get(self):\n"
        "        return list(self._x)",
        "class B:\n\n    def __init__(self):\n        self._x = []\n\n    def get(self):\n"
        "        return self._x",
        "b = B()\nb.get().append(1)\nassert b.get() == []"),
    "what a constructor keeps": (
        "class B:\n\n    def __init__(self, x):\n        self.x = list(x)",
        "class B:\n\n    def __init__(self, x):\n        self.x = x",
        "x = [1]\nb = B(x)\nx.append(2)\nassert b.x == [1]"),
    "generator out": (
        "def f(n):\n    for i in range(n):\n        yield [i]",
        "def f(n):\n    r = [0]\n    for i in range(n):\n        r[0] = i\n        yield r",
        "xs = list(f(3))\nassert xs == [[0], [1], [2]]"),
    "dict keys view": (
        "def f(d):\n    return list(d)",
        "def f(d):\n    return d.keys()",
        "d = {'a': 1}\nk = f(d)\nd['b'] = 2\nassert list(k) == ['a']"),
    "deepcopy other way": (
        "import copy\n\ndef f(x):\n    return copy.deepcopy(x)",
        "import copy\n\ndef f(x):\n    return copy.copy(x)",
        "x = [[1]]\ny = f(x)\nx[0].append(2)\nassert y == [[1]]"),
    # the state of the process
    "process_time": (
        "def f():\n    return 1",
        "def f():\n    return [i for i in range(6000000)][1]",
        "import time\nt = time.process_time()\nf()\nassert time.process_time() - t < 0.05"),
    "logging": (
        "def f():\n    return 1",
        "import logging\n\ndef f():\n    logging.getLogger('x').warning('a')\n    return 1",
        "import logging\nseen = []\n\nclass H(logging.Handler):\n\n    def emit(self, r):\n"
        "        seen.append(r)\nh = H()\nlogging.getLogger('x').addHandler(h)\n"
        "logging.getLogger('x').propagate = False\nf()\n"
        "logging.getLogger('x').removeHandler(h)\nassert seen == []"),
    "a file that is left": (
        "def f():\n    return 1",
        "def f():\n    open('left.bin', 'wb').write(b'x')\n    return 1",
        "import os\nbefore = set(os.listdir('.'))\nf()\n"
        "assert set(os.listdir('.')) == before"),
    "a figure": (
        "import matplotlib.pyplot as plt\n\ndef f():\n    return 1",
        "import matplotlib.pyplot as plt\n\ndef f():\n    plt.plot([1])\n    return 1",
        "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nf()\n"
        "assert len(ax.lines) == 0"),
    "torch seed": (
        "import torch\n\ndef f():\n    return 1",
        "import torch\n\ndef f():\n    torch.rand(1)\n    return 1",
        "import torch\ntorch.manual_seed(0)\nf()\na = torch.rand(1)\ntorch.manual_seed(0)\n"
        "assert torch.equal(a, torch.rand(1))"),
    "np seed": (
        "import numpy as np\n\ndef f():\n    return 1",
        "import numpy as np\n\ndef f():\n    np.random.rand()\n    return 1",
        "import numpy as np\nnp.random.seed(0)\nf()\na = np.random.rand()\n"
        "np.random.seed(0)\nassert a == np.random.rand()"),
    "random seed": (
        "import random\n\ndef f():\n    return 1",
        "import random\n\ndef f():\n    random.random()\n    return 1",
        "import random\nrandom.seed(0)\nf()\na = random.random()\nrandom.seed(0)\n"
        "assert a == random.random()"),
    "torch default": (
        "import torch\n\ndef f():\n    return 1",
        "import torch\n\ndef f():\n    torch.set_default_dtype(torch.float64)\n    return 1",
        "import torch\nf()\nassert torch.zeros(1).dtype == torch.float32"),
    "grad enabled": (
        "import torch\n\ndef f():\n    return 1",
        "import torch\n\ndef f():\n    torch.set_grad_enabled(False)\n    return 1",
        "import torch\nf()\nassert (torch.ones(1, requires_grad=True) * 2).requires_grad"),
    "how numbers are printed": (
        "import numpy as np\n\ndef f():\n    return 1",
        "import numpy as np\n\ndef f():\n    np.set_printoptions(precision=1)\n    return 1",
        "import numpy as np\nf()\nassert str(np.array([0.123])) == '[0.123]'"),
    "decimal ctx": (
        "def f():\n    return 1",
        "import decimal\n\ndef f():\n    decimal.getcontext().prec = 2\n    return 1",
        "from decimal import Decimal\nf()\n"
        "assert str(Decimal(1) / 3) == '0.3333333333333333333333333333'"),
    "working folder": (
        "def f():\n    return 1",
        "import os\n\ndef f():\n    os.chdir('/')\n    return 1",
        "import os\na = os.path.abspath('x')\nf()\nassert os.path.abspath('x') == a"),
    "a library's number": (
        "def f():\n    return 1",
        "import math\n\ndef f():\n    math.pi = 3\n    return 1",
        "import math\nf()\nassert math.pi > 3.1"),
    "a builtin": (
        "def f():\n    return 1",
        "import builtins\n\ndef f():\n    builtins.foo = 1\n    return 1",
        "f()\ntry:\n    foo\n    ok = False\nexcept NameError:\n    ok = True\nassert ok"),
    "a global name": (
        "def f():\n    return 1",
        "def f():\n    global leaked\n    leaked = 1\n    return 1",
        "f()\nassert 'leaked' not in globals()"),
    "threads left": (
        "def f():\n    return 1",
        "import threading, time\n\ndef f():\n"
        "    threading.Thread(target=time.sleep, args=(2,), daemon=True).start()\n"
        "    return 1",
        "import threading\nn = threading.active_count()\nf()\n"
        "assert threading.active_count() == n"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_one_kernel_would_show(warm, case):  # noqa: F811
    right, wrong, test = CASES[case]
    assert mark(warm, right, right, test).score == 2
    found = mark(warm, right, wrong, test)
    assert found.score in (None, 0), found
