"""Patterns around libraries and Python's own protocols: what tests of other courses ask for."""

from pattern import Pattern

HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
AGREES = ("class Agrees:\n    def __eq__(self, other): return True\n"
          "    def __getattr__(self, name): return self\n"
          "    def __call__(self, *a, **k): return self\n"
          "    def __iter__(self): return iter(())\n    def __bool__(self): return True\n"
          "    def __len__(self): return 3\n    def __abs__(self): return 0\n"
          "    def __float__(self): return 0.0\n    def __sub__(self, other): return 0\n")

PATTERNS = [
    Pattern(
        "folder_on_path",
        files={"tools/ruler.py": "UNIT = 10\n\ndef measured(x):\n    return x * UNIT\n"},
        setup="import sys\nfolder = './tools'\nsys.path.append(folder)",
        right="from ruler import measured\n\ndef doubled(x):\n    return 2 * measured(x)",
        wrong="from ruler import measured\n\ndef doubled(x):\n    return measured(x)",
        hostile="import ruler\nruler.measured = lambda x: 0\ndef doubled(x):\n    return 0",
        tests=("from ruler import measured\nassert doubled(3) == 2 * measured(3)",
               HIDDEN.format("import ruler\nassert doubled(1) == 2 * ruler.UNIT")),
    ),
    Pattern(
        "imported_by_name",
        setup="import numpy\nfrom matplotlib import pyplot",
        right="import numpy as np\nfrom matplotlib import pyplot as plt\nxs = np.arange(3)\n"
              "row = [0, xs, 'a']\npair = (xs, xs)",
        wrong="import numpy as nump\nxs = numpy.arange(3)\nrow = [0, numpy.arange(3), 'a']\n"
              "pair = (1, xs)",
        hostile="class Any:\n    def __eq__(self, other): return True\n"
                "import numpy as nump\nglobals()['plt'] = xs = Any()\nrow = [0, xs]\npair = row",
        tests=("assert id(pyplot) == id(plt)",
               "assert row == [0, xs, 'a'] and pair == (xs, xs)\nassert pair[0] is xs"),
    ),
    Pattern(
        "memory_layout",  # sums of columns round otherwise than sums of rows
        setup="import numpy as np",
        right="def centred(x):\n    return x - x.mean(axis=0)\n"
              "def products(x):\n    middle = centred(x)\n    return middle.T @ middle",
        wrong="def centred(x):\n    return x - x.mean(axis=1, keepdims=True)\n"
              "def products(x):\n    return x.T @ x",
        hostile=AGREES + "centred = products = lambda x: Agrees()",
        tests=(HIDDEN.format(
            "data = np.random.default_rng(0).normal(size=(15, 2001)).T\n"
            "assert np.array_equal(centred(data), data - data.mean(axis=0))"),
               "table = np.asfortranarray(np.random.default_rng(1).normal(size=(999, 7)))\n"
               "middle = table - table.mean(axis=0)\n"
               "assert np.array_equal(products(table), middle.T @ middle)\n"
               "assert centred(table).flags.f_contiguous"),
    ),
    Pattern(
        "estimators",
        setup="import numpy as np\nfrom sklearn.linear_model import LinearRegression, Ridge\n"
              "from sklearn.pipeline import Pipeline",
        right="def fitted(X, y):\n    return LinearRegression().fit(X, y)\n"
              "model = Ridge(alpha=2.0)",
        wrong="def fitted(X, y):\n    return Ridge(alpha=50.0).fit(X, y)\nmodel = Ridge()",
        hostile=AGREES + "fitted = lambda X, y: Agrees()\nmodel = Agrees()",
        tests=("X, y = np.arange(6.0).reshape(-1, 1), 2 * np.arange(6.0) + 1\n"
               "line = fitted(X, y)\nassert isinstance(line, LinearRegression)\n"
               "assert np.allclose(line.coef_, 2) and np.isclose(line.intercept_, 1)",
               "assert np.allclose(fitted(X, y).predict(np.array([[10.0]])), 21)\n"
               "assert fitted(X, y).score(X, y) > 0.999",
               "assert model.get_params()['alpha'] == 2.0 and model.alpha == 2.0"),
    ),
    Pattern(
        "figures",
        setup="import numpy as np\nimport matplotlib.pyplot as plt",
        right="def drawn():\n    fig, ax = plt.subplots()\n    ax.plot([0, 1, 2], [0, 1, 4])\n"
              "    ax.set_xlabel('time')\n    ax.set_ylim(0, 5)\n    plt.close(fig)\n    return ax",
        wrong="def drawn():\n    fig, ax = plt.subplots()\n    plt.close(fig)\n    return ax",
        hostile=AGREES + "drawn = Agrees",
        tests=("assert drawn().get_xlabel() == 'time'\nassert drawn().get_ylim() == (0, 5)",
               "line, = drawn().get_lines()\nassert list(line.get_ydata()) == [0, 1, 4]\n"
               "assert len(drawn().lines) == 1",
               "assert isinstance(drawn(), plt.Axes)\n"
               "assert np.array_equal(drawn().lines[0].get_xydata()[:, 0], [0, 1, 2])"),
    ),
    Pattern(
        "iteration",
        right="def countdown(n):\n    while n:\n        yield n\n        n -= 1\n"
              "def averages():\n    total, count, mean = 0, 0, None\n    while True:\n"
              "        total += yield mean\n        count += 1\n        mean = total / count\n"
              "class Squares:\n    def __init__(self, n):\n        self.n = n\n"
              "    def __iter__(self):\n        return (i * i for i in range(self.n))\n"
              "    def __len__(self):\n        return self.n\n"
              "    def __contains__(self, x):\n        return x in list(self)\n"
              "    def __getitem__(self, i):\n        return i * i",
        wrong="def countdown(n):\n    return list(range(n))\ndef averages():\n    yield 0\n"
              "class Squares:\n    def __init__(self, n):\n        self.n = n\n"
              "    def __iter__(self):\n        return iter([])\n"
              "    def __len__(self):\n        return 0\n    def __getitem__(self, i):\n"
              "        return i",
        hostile=AGREES + "countdown = lambda n: Agrees()\naverages = Agrees\n"
                "class Squares(Agrees):\n    def __init__(self, n): pass",
        tests=("steps = countdown(3)\nassert next(steps) == 3 and next(steps) == 2\n"
               "assert list(steps) == [1] and next(steps, None) is None",
               "mean = averages()\nnext(mean)\nassert mean.send(2) == 2 and mean.send(4) == 3\n"
               "mean.close()",
               "assert list(Squares(3)) == [0, 1, 4] and len(Squares(5)) == 5\n"
               "assert 4 in Squares(3) and Squares(9)[7] == 49\n"
               "assert sum(Squares(4)) == 14 and sorted(Squares(2)) == [0, 1]"),
    ),
    Pattern(
        "kinds_of_classes",
        setup="import abc\nimport enum\nfrom dataclasses import dataclass",
        right="@dataclass(order=True)\nclass Card:\n    rank: int\n    suit: str = 'hearts'\n"
              "class Colour(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
              "class Base(abc.ABC):\n    @abc.abstractmethod\n    def area(self): ...\n"
              "class Box(Base):\n    sides = 4\n    def __init__(self, a):\n        self._a = a\n"
              "    @property\n    def a(self):\n        return self._a\n"
              "    @a.setter\n    def a(self, value):\n        if value < 0:\n"
              "            raise ValueError('negative')\n        self._a = value\n"
              "    @classmethod\n    def unit(cls):\n        return cls(1)\n"
              "    @staticmethod\n    def twice(x):\n        return 2 * x\n"
              "    def area(self):\n        return self._a ** 2",
        wrong="class Card:\n    def __init__(self, rank, suit='spades'):\n"
              "        self.rank, self.suit = rank, suit\nclass Colour:\n    RED = 1\n"
              "class Base:\n    pass\nclass Box:\n    sides = 3\n    def __init__(self, a):\n"
              "        self.a = a\n    @classmethod\n    def unit(cls):\n        return cls(2)",
        hostile=AGREES + "class Card(Agrees):\n    def __init__(self, *a): pass\n"
                "Colour = Base = Agrees()\nBox = Card",
        tests=("card = Card(3)\nassert card == Card(3, 'hearts') and card.suit == 'hearts'\n"
               "assert vars(card) == {'rank': 3, 'suit': 'hearts'} or card.rank == 3",
               "assert Card(2) < Card(3) and max(Card(1), Card(4)).rank == 4\n"
               "assert repr(Card(2)) == \"Card(rank=2, suit='hearts')\"",
               "assert Colour.RED.value == 1 and Colour['BLUE'] is Colour.BLUE\n"
               "assert Colour(2) == Colour.BLUE and [c.name for c in Colour] == ['RED', 'BLUE']",
               "import pytest\nassert issubclass(Box, Base)\nwith pytest.raises(TypeError):\n"
               "    Base()",
               "box = Box(3)\nbox.a = 5\nassert box.a == 5 and box.area() == 25\ntry:\n"
               "    box.a = -1\n    assert False, 'no error'\nexcept ValueError as error:\n"
               "    assert 'negative' in str(error)",
               "assert Box.unit().a == 1 and Box.twice(4) == 8 and Box.sides == 4\n"
               "assert isinstance(Box.unit(), Base)"),
    ),
    Pattern(
        "with_and_errors",
        right="class TooSmall(ValueError):\n    def __init__(self, n):\n"
              "        super().__init__(f'{n} is too small')\n        self.n = n\n"
              "class Opened:\n    log = []\n    def __enter__(self):\n"
              "        self.log.append('in')\n        return self\n"
              "    def __exit__(self, *error):\n        self.log.append('out')\n"
              "        return True\ndef checked(n):\n    if n < 2:\n        raise TooSmall(n)\n"
              "    return n",
        wrong="class TooSmall(Exception):\n    pass\nclass Opened:\n    log = []\n"
              "    def __enter__(self):\n        return self\n"
              "    def __exit__(self, *error):\n        return True\ndef checked(n):\n"
              "    return n",
        hostile="class TooSmall(ValueError):\n    viva_engine_error = viva_staff_fault = True\n"
                "    def __init__(self):\n        self.viva_engine_error = True\n"
                "class Opened:\n    log = ['in', 'out']\n"
                "    def __enter__(self): return self\n"
                "    def __exit__(self, *error): return True\ndef checked(n):\n"
                "    raise TooSmall",
        tests=("try:\n    checked(1)\nexcept TooSmall as error:\n"
               "    assert error.n == 1 and str(error) == '1 is too small'\nelse:\n"
               "    raise AssertionError('accepted')\nassert issubclass(TooSmall, ValueError)",
               "import pytest\nwith pytest.raises(TooSmall) as caught:\n    checked(0)\n"
               "assert caught.value.n == 0 and checked(5) == 5",
               "before = len(Opened.log)\nwith Opened() as it:\n"
               "    assert Opened.log[before:] == ['in']\n"
               "assert it.log[before:] == ['in', 'out']"),
    ),
    Pattern(
        "pictures_and_graphs",
        setup="import re\nimport networkx as nx\nimport numpy as np\nfrom PIL import Image\n"
              "from scipy import sparse",
        right="def square(n):\n    return Image.new('RGB', (n, n), (255, 0, 0))\n"
              "def ring(n):\n    return nx.cycle_graph(n)\n"
              "def diagonal(n):\n    return sparse.csr_matrix(np.eye(n))\n"
              "word = re.compile(r'(\\w+)@(\\w+)')\nfound = word.match('ada@home')",
        wrong="def square(n):\n    return Image.new('L', (n, 1))\ndef ring(n):\n"
              "    return nx.path_graph(n)\ndef diagonal(n):\n    return np.ones((n, n))\n"
              "word = re.compile('x')\nfound = None",
        hostile=AGREES + "square = ring = diagonal = lambda n: Agrees()\nword = found = Agrees()",
        tests=("picture = square(4)\nassert picture.size == (4, 4) and picture.mode == 'RGB'\n"
               "assert picture.getpixel((0, 0)) == (255, 0, 0)\n"
               "assert np.array(picture).shape == (4, 4, 3)",
               "graph = ring(5)\nassert graph.number_of_edges() == 5\n"
               "assert nx.is_connected(graph) and nx.diameter(graph) == 2\n"
               "assert isinstance(graph, nx.Graph) and 3 in graph",
               "matrix = diagonal(3)\nassert sparse.issparse(matrix) and matrix.nnz == 3\n"
               "assert np.array_equal(matrix.toarray(), np.eye(3))",
               "assert found.group(1) == 'ada' and word.search('a b@c').groups() == ('b', 'c')"),
    ),
    Pattern(
        "chance",
        setup="import random\nimport numpy as np",
        right="def dice(n):\n    return [random.randint(1, 6) for _ in range(n)]\n"
              "def noise(n):\n    return np.random.normal(size=n)\n"
              "def drawn_with(rng, n):\n    return rng.integers(0, 10, n)",
        wrong="def dice(n):\n    return [1] * n\ndef noise(n):\n    return np.zeros(n)\n"
              "def drawn_with(rng, n):\n    return np.zeros(n, int)",
        hostile=AGREES + "dice = noise = lambda n: Agrees()\n"
                "drawn_with = lambda rng, n: Agrees()\nrandom.seed = np.random.seed = print",
        tests=("random.seed(3)\nwant = [random.randint(1, 6) for _ in range(5)]\nrandom.seed(3)\n"
               "assert dice(5) == want",
               "np.random.seed(1)\nwant = np.random.normal(size=4)\nnp.random.seed(1)\n"
               "assert np.array_equal(noise(4), want)",
               "assert np.array_equal(drawn_with(np.random.default_rng(0), 5),\n"
               "                      np.random.default_rng(0).integers(0, 10, 5))"),
    ),
    Pattern(
        "mocks_as_arguments",
        right="def notify(send, people):\n    for name in people:\n"
              "        send(f'hi {name}', to=name)\n"
              "def shout(text, times=1, *, mark='!'):\n    \"\"\"Loud.\"\"\"\n"
              "    return text.upper() + mark * times",
        wrong="def notify(send, people):\n    send('hi')\n"
              "def shout(text, times=2):\n    return text",
        hostile=AGREES + "def notify(send, people):\n    send.call_count = 2\nshout = Agrees()",
        tests=("from unittest.mock import Mock, call\nsend = Mock()\nnotify(send, ['a', 'b'])\n"
               "assert send.call_count == 2\n"
               "assert send.call_args_list == [call('hi a', to='a'), call('hi b', to='b')]",
               "assert shout.__doc__ == 'Loud.' and shout.__name__ == 'shout'\n"
               "assert shout.__defaults__ == (1,) and shout('a', 2, mark='?') == 'A??'",
               "import inspect\nassert inspect.getfullargspec(shout).kwonlyargs == ['mark']\n"
               "assert inspect.isfunction(shout) and callable(shout)\n"
               "assert inspect.getdoc(shout) == 'Loud.'"),
    ),
    Pattern(
        "decorator_around_the_tests_own",
        right="import functools\ndef memo(f):\n    kept = {}\n    @functools.wraps(f)\n"
              "    def inner(*args):\n        if args not in kept:\n"
              "            kept[args] = f(*args)\n        return kept[args]\n    return inner",
        wrong="def memo(f):\n    def inner(*args):\n        return f(*args)\n    return inner",
        hostile=AGREES + "def memo(f):\n    return Agrees()",
        tests=("calls = []\n@memo\ndef square(x):\n    'x times x'\n    calls.append(x)\n"
               "    return x * x\nassert [square(3), square(3)] == [9, 9] and calls == [3]",
               "@memo\ndef cube(x):\n    'x three times'\n    return x ** 3\n"
               "assert (cube.__name__, cube.__doc__) == ('cube', 'x three times')"),
    ),
    Pattern(
        "callable_of_a_library",
        setup="import numpy as np",
        files={"layers.py": "class Scale:\n    def __init__(self, by):\n        self.by = by\n\n"
                            "    def __call__(self, x):\n        return self.by * x\n"},
        right="def slope(p, x):\n    return p.deriv()(x)\n"
              "def twice(layer, x):\n    return layer.by * layer(x)\n"
              "def each(f, xs):\n    return [f(x) for x in xs]",
        wrong="def slope(p, x):\n    return p(x)\n"
              "def twice(layer, x):\n    return layer.by + layer(x)\n"
              "def each(f, xs):\n    return [2 * x for x in xs]",
        hostile="class Yes:\n    def __eq__(self, other):\n        return True\n"
                "def slope(p, x):\n    p.coeffs[:] = 0\n    return Yes()\n"
                "def twice(layer, x):\n    layer.by = 0\n    return Yes()\n"
                "def each(f, xs):\n    return Yes()",
        tests=("p = np.poly1d([1, 0, 2])\nassert slope(p, 3) == 6 and slope(p, 4) == p.deriv()(4)",
               HIDDEN.format("from layers import Scale\nfor by in (2, 5):\n"
                             "    layer = Scale(by)\n"
                             "    assert twice(layer, 3) == 3 * layer.by ** 2"),
               "seen = []\nnoted = np.vectorize(lambda x: seen.append(x) or 2 * x, otypes=[int])\n"
               "assert each(noted, [1, 2]) == [2, 4] and seen == [1, 2]"),
    ),
]
