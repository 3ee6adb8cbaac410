"""Siblings of `test_not_higher`, around objects: what Python's own syntax asks of them, and what
their methods do to the data of a test. One kernel gives the second solution 0; here it has 0 too,
or its mark is open.
"""

import pytest
from test_not_higher import mark, warm  # noqa: F401  (a fixture)

ASKED = {  # with `in`, `len`, `+=`, as a key of a dict: a stand-in has what its class has
    "hash key without hash": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n"
        "    def __hash__(self):\n        return hash(self.x)\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n",
        "p = P(1)\nd = {p: 3}\nassert d[p] == 3"),
    "set of equals": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n"
        "    def __hash__(self):\n        return hash(self.x)\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n",
        "assert len({P(1), P(1)}) == 1"),
    "set without eq": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n"
        "    def __hash__(self):\n        return hash(self.x)\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __hash__(self):\n        return hash(self.x)\n",
        "assert len({P(1), P(2), P(1)}) == 2"),
    "unhashable wanted": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n"
        "    def __hash__(self):\n        return hash(self.x)\n",
        "import pytest\nwith pytest.raises(TypeError):\n    hash(P(1))"),
    "isinstance Iterable": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __iter__(self):\n        return iter([self.x])\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "from collections.abc import Iterable\nassert isinstance(P(1), Iterable)"),
    "isinstance Sized": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __len__(self):\n        return 1\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "from collections.abc import Sized\nassert isinstance(P(1), Sized)"),
    "isinstance Hashable": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n"
        "    def __hash__(self):\n        return hash(self.x)\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n",
        "from collections.abc import Hashable\nassert isinstance(P(1), Hashable)"),
    "hasattr len": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __len__(self):\n        return 1\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "assert hasattr(P(1), '__len__')"),
    "hasattr add on class": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __add__(self, o):\n        return P(self.x + o.x)\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "assert hasattr(P, '__add__')"),
    "hasattr enter": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n"
        "        pass\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "p = P(1)\nassert hasattr(p, '__enter__') and hasattr(p, '__exit__')"),
    "hasattr getitem": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __getitem__(self, i):\n        return 1\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "assert hasattr(P(1), '__getitem__')"),
    "not hasattr": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __len__(self):\n        return 1\n",
        "assert not hasattr(P(1), '__len__')"),
    "own repr": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __repr__(self):\n        return 'P'\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "assert P.__repr__ != object.__repr__"),
    "own eq by type": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return isinstance(o, P) and self.x == o.x\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
        "assert type(P(1)).__eq__ != object.__eq__"),
    "iadd": (
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __add__(self, o):\n        return P(self.x + o.x)\n",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __add__(self, o):\n        return P(self.x + o.x)\n"
        "    def __iadd__(self, o):\n        self.x += o.x\n        return self\n",
        "a = P(1)\nb = a\na += P(2)\nassert a.x == 3 and b.x == 1"),
    "exit sees exception": (
        "class M:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, kind, e, t):\n        return kind is ValueError\n",
        "class M:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, kind, e, t):\n        return False\n",
        "with M():\n    raise ValueError\nassert True"),
    "exit must not swallow": (
        "class M:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, kind, e, t):\n        return False\n",
        "class M:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, kind, e, t):\n        return kind is not None\n",
        "import pytest\nwith pytest.raises(ValueError):\n    with M():\n"
        "        raise ValueError"),
    "contextmanager finally": (
        "from contextlib import contextmanager\nlog = []\n@contextmanager\ndef m():\n"
        "    try:\n        yield\n    finally:\n        log.append(1)\n",
        "from contextlib import contextmanager\nlog = []\n@contextmanager\ndef m():\n"
        "    yield\n    log.append(1)\n",
        "try:\n    with m():\n        raise ValueError\nexcept ValueError:\n    pass\n"
        "assert log == [1]"),
    "byte order": (
        "import numpy as np\ndef f():\n    return np.ones(3)",
        "import numpy as np\ndef f():\n    return np.ones(3, '>f8')",
        "assert f().dtype.isnative"),
    "contiguous": (
        "import torch\ndef f():\n    return torch.ones(2, 3)",
        "import torch\ndef f():\n    return torch.ones(3, 2).T",
        "assert f().is_contiguous()"),
    "view fails": (
        "import torch\ndef f():\n    return torch.ones(2, 3)",
        "import torch\ndef f():\n    return torch.ones(3, 2).T",
        "assert f().view(6).sum() == 6"),
}
DONE = {  # to data of the test, by a property, an operator, a step of a generator, or much later
    "property sorts argument": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    @property\n    def median(self):\n"
        "        return sorted(self.data)[len(self.data) // 2]\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    @property\n    def median(self):\n        self.data.sort()\n"
        "        return self.data[len(self.data) // 2]\n",
        "data = [3, 1, 2]\ns = S(data)\nassert s.median == 2 and data == [3, 1, 2]"),
    "len pops": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __len__(self):\n        return len(self.data)\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __len__(self):\n        n = 0\n        while self.data:\n"
        "            self.data.pop()\n            n += 1\n        return n\n",
        "data = [3, 1, 2]\ns = S(data)\nassert len(s) == 3 and data == [3, 1, 2]"),
    "iter pops": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __iter__(self):\n        return iter(self.data)\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __iter__(self):\n        while self.data:\n"
        "            yield self.data.pop(0)\n",
        "data = [3, 1, 2]\nassert list(S(data)) == [3, 1, 2] and data == [3, 1, 2]"),
    "str sorts": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __str__(self):\n        return str(sorted(self.data))\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __str__(self):\n        self.data.sort()\n"
        "        return str(self.data)\n",
        "data = [3, 1, 2]\nassert str(S(data)) == '[1, 2, 3]' and data == [3, 1, 2]"),
    "getitem sorts": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __getitem__(self, i):\n        return sorted(self.data)[i]\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __getitem__(self, i):\n        self.data.sort()\n"
        "        return self.data[i]\n",
        "data = [3, 1, 2]\ns = S(data)\nassert s[0] == 1 and data == [3, 1, 2]"),
    "generator pops": (
        "def f(x):\n    for i in range(len(x)):\n        yield x[i]",
        "def f(x):\n    while x:\n        yield x.pop(0)",
        "x = [1, 2]\nassert list(f(x)) == [1, 2] and x == [1, 2]"),
    "attribute given out": (
        "class S:\n    def __init__(self, data):\n        self.data = list(data)\n"
        "    @property\n    def items(self):\n        return list(self.data)\n",
        "class S:\n    def __init__(self, data):\n        self.data = list(data)\n"
        "    @property\n    def items(self):\n        return self.data\n",
        "s = S([1])\ns.items.append(2)\nassert s.items == [1]"),
    "attribute of child": (
        "class N:\n    def __init__(self):\n        self.c = []\nclass T:\n"
        "    def __init__(self):\n        self.a, self.b = N(), N()",
        "class N:\n    c = []\nclass T:\n    def __init__(self):\n"
        "        self.a, self.b = N(), N()",
        "t = T()\nt.a.c.append(1)\nassert t.b.c == []"),
    "item given out": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __getitem__(self, k):\n        return list(self.data[k])\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __getitem__(self, k):\n        return self.data[k]\n",
        "s = S({'a': [1]})\ns['a'].append(2)\nassert s['a'] == [1]"),
    "setitem keeps": (
        "class D:\n    def __init__(self):\n        self.d = {}\n"
        "    def __setitem__(self, k, v):\n        self.d[k] = list(v)\n"
        "    def __getitem__(self, k):\n        return self.d[k]",
        "class D:\n    def __init__(self):\n        self.d = {}\n"
        "    def __setitem__(self, k, v):\n        self.d[k] = v\n"
        "    def __getitem__(self, k):\n        return self.d[k]",
        "d, x = D(), [1]\nd['a'] = x\nx.append(2)\nassert d['a'] == [1]"),
    "setattr keeps": (
        "class D:\n    @property\n    def v(self):\n        return self._v\n"
        "    @v.setter\n    def v(self, v):\n        self._v = list(v)",
        "class D:\n    v = None",
        "d, x = D(), [1]\nd.v = x\nx.append(2)\nassert d.v == [1]"),
    "setattr then clear": (
        "class D:\n    def clear(self):\n        self.v = []",
        "class D:\n    def clear(self):\n        self.v.clear()",
        "d, x = D(), [1]\nd.v = x\nd.clear()\nassert x == [1]"),
    "add changes": (
        "class V:\n    def __init__(self, x=()):\n        self.x = list(x)\n"
        "    def __add__(self, o):\n        return V(self.x + list(o))\n",
        "class V:\n    def __init__(self, x=()):\n        self.x = list(x)\n"
        "    def __add__(self, o):\n        o.extend(self.x)\n        return V(o)\n",
        "y = [1]\nv = V([2]) + y\nassert len(v.x) == 2 and y == [1]"),
    "iadd list": (
        "class V:\n    def __init__(self, x=()):\n        self.x = list(x)\n"
        "    def __iadd__(self, o):\n        self.x += o\n        return self\n",
        "class V:\n    def __init__(self, x=()):\n        self.x = list(x)\n"
        "    def __iadd__(self, o):\n        while o:\n"
        "            self.x.append(o.pop(0))\n        return self\n",
        "y = [1]\nv = V([2])\nv += y\nassert v.x == [2, 1] and y == [1]"),
    "contains changes": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __contains__(self, k):\n        return k in self.data\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __contains__(self, k):\n        while self.data:\n"
        "            if self.data.pop() == k:\n                return True\n"
        "        return False\n",
        "x = [1, 2, 3]\ns = S(x)\nassert 1 in s and x == [1, 2, 3]"),
    "with changes": (
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n"
        "        self.data = None\n",
        "class S:\n    def __init__(self, data):\n        self.data = data\n"
        "    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n"
        "        self.data.clear()\n",
        "x = [1]\nwith S(x) as s:\n    pass\nassert x == [1]"),
    "closure changes": (
        "def f(x):\n    return lambda: sorted(x)",
        "def f(x):\n    return lambda: x.sort() or x",
        "x = [2, 1]\ng = f(x)\nassert g() == [1, 2] and x == [2, 1]"),
    "callback result changed": (
        "def f(get):\n    return sorted(get())",
        "def f(get):\n    x = get()\n    x.sort()\n    return x",
        "data = [2, 1]\ndef get():\n    return data\n"
        "assert f(get) == [1, 2] and data == [2, 1]"),
    "callback argument changed": (
        "def f(visit):\n    x = [1]\n    visit(list(x))\n    return x",
        "def f(visit):\n    x = [1]\n    visit(x)\n    return x",
        "def visit(x):\n    x.append(2)\nassert f(visit) == [1]"),
    "environ value": (
        "def f():\n    return 1",
        "import os\ndef f():\n    os.environ['HOME'] = '/x'\n    return 1",
        "import os.path\nbefore = os.path.expanduser('~')\nf()\n"
        "assert os.path.expanduser('~') == before"),
    "sys.path": (
        "def f():\n    return 1",
        "import sys\ndef f():\n    sys.path.append('/x')\n    return 1",
        "import sys\nn = len(sys.path)\nf()\nassert len(sys.path) == n"),
    "pd options": (
        "def f():\n    return 1",
        "import pandas as pd\ndef f():\n    pd.set_option('display.max_rows', 3)\n"
        "    return 1",
        "import pandas as pd\nf()\nassert pd.options.display.max_rows != 3"),
}

@pytest.mark.parametrize("case", ASKED | DONE)
def test_an_object_gains_nothing_by_standing_elsewhere(warm, case):  # noqa: F811
    right, wrong, test = (ASKED | DONE)[case]
    assert mark(warm, right, right, test).score == 2
    found = mark(warm, right, wrong, test)
    assert found.score in (None, 0), found


def test_a_context_of_the_students_swallows_no_finding_of_the_test(warm):  # noqa: F811
    right = ("class T:\n    x = 3\n    def __enter__(self):\n        return self\n"
             "    def __exit__(self, *a):\n        return False\n")
    swallows = right.replace("False", "True").replace("x = 3", "x = 4")
    test = "with T() as t:\n    assert t.x == 3"
    assert mark(warm, right, right, test).score == 2
    for whose in ("examiner", "open"):
        assert mark(warm, right, swallows, test, whose=whose).score in (None, 0)


def test_a_context_hears_no_words_of_the_test(warm):  # noqa: F811
    code = ("heard = []\nclass T:\n    def __enter__(self):\n        return self\n"
            "    def __exit__(self, kind, error, trace):\n"
            "        heard.append((kind.__name__, str(error)))\n"
            "def said():\n    return heard[-1]")
    test = ("try:\n    with T():\n        raise ValueError('the answer is 42')\n"
            "except ValueError:\n    pass\nname, words = said()\n"
            "assert name == 'ValueError' and '42' not in words")
    assert mark(warm, code, code, test, whose="examiner").score == 2


RIGHT = {  # right tests that used to stay open for a person
    "a format of its own": ("class P:\n    def __format__(self, how):\n        return 'P' + how",
                            "assert f'{P():x}' == 'Px'"),
    "objects counted": (
        "class V:\n    def __init__(self, x):\n        self.x = x\n"
        "    def __eq__(self, o):\n        return self.x == o.x\n"
        "    def __hash__(self):\n        return hash(self.x)",
        "from collections import Counter\nassert Counter([V(1), V(1), V(2)])[V(1)] == 2"),
    "threads of the test": (
        "def f(x):\n    return x + 1",
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as e:\n"
        "    assert list(e.map(f, range(20))) == list(range(1, 21))"),
    "a data class": ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int",
                     "import dataclasses\nassert dataclasses.is_dataclass(P) and P(1) == P(1)"),
    "an abstract class": (
        "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n"
        "    def f(self): ...", "import inspect\nassert inspect.isabstract(A)"),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_right_test_needs_no_person(warm, case):  # noqa: F811
    code, test = RIGHT[case]
    assert mark(warm, code, code, test).score == 2
