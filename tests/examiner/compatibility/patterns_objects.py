"""Patterns around objects: types, classes, sources and patches as a test asks for them."""

from pattern import Pattern

PATTERNS = [
    Pattern(
        "exact_type",
        right="class Node:\n    def __init__(self, value):\n        self.value = value\n"
              "def make_node(v):\n    return Node(v)",
        wrong="class Node:\n    def __init__(self, value):\n        self.value = value\n"
              "def make_node(v):\n    return (v,)",
        hostile="class Meta(type):\n    def __eq__(cls, other): return True\n"
                "    def __hash__(cls): return 1\n"
                "class Node(metaclass=Meta):\n    def __init__(self, value): pass\n"
                "def make_node(v):\n    return Node",
        tests=("n = make_node(3)\nassert type(n) == Node and type(n) is Node\n"
               "assert n.value == 3 and type(n).__name__ == 'Node'",
               "assert isinstance(make_node(1), Node)\nassert type(make_node(1).value) is int\n"
               "assert isinstance(Node, type)"),
    ),
    Pattern(
        "library_types",
        setup="import types\nimport numpy as np\nimport matplotlib.pyplot as plt\n"
              "from matplotlib.figure import Figure",
        right="def evens(n):\n    for i in range(0, n, 2):\n        yield i\n"
              "def draw():\n    fig, ax = plt.subplots()\n    ax.set_title('t')\n"
              "    plt.close(fig)\n    return fig\npairs = zip('ab', [1, 2])",
        wrong="def evens(n):\n    return [0]\ndef draw():\n    return None\npairs = [('a', 1)]",
        hostile="class G:\n    __class__ = int\n    def __iter__(self): return iter([0, 2, 4, 6])\n"
                "evens = lambda n: G()\ndraw = lambda: G()\npairs = G()",
        tests=("assert isinstance(evens(4), types.GeneratorType)\n"
               "assert list(evens(5)) == [0, 2, 4]",
               "assert isinstance(draw(), Figure)\nassert draw().axes[0].get_title() == 't'",
               "assert isinstance(pairs, zip)\nassert isinstance(evens, types.FunctionType)"),
    ),
    Pattern(
        "source_of_a_function",
        setup="class Meal:\n    def __init__(self):\n        self.price = 'twelve'",
        right="def loop_sum(n):\n    total = 0\n    for i in range(n):\n        total += i\n"
              "    return total",
        wrong="def loop_sum(n):\n    return sum(range(n))",
        hostile="def loop_sum(n):\n    return sum(range(n))\n"
                "import inspect\ninspect.getsource = lambda f: 'for'",
        tests=("import inspect\nassert 'for ' in inspect.getsource(loop_sum)\n"
               "assert 'sum(' not in inspect.getsource(loop_sum).split(':', 1)[1]\n"
               "assert loop_sum(4) == 6",
               "import inspect\nassert list(inspect.signature(loop_sum).parameters) == ['n']\n"
               "assert loop_sum.__code__.co_argcount == 1\n"
               "assert 'total' in loop_sum.__code__.co_varnames",
               "import inspect\nassert 'twelve' in inspect.getsource(Meal().__init__)"),
    ),
    Pattern(
        "subclass_in_the_test",
        right="class Shape:\n    def describe(self):\n        return f'area {self.area()}'",
        wrong="class Shape:\n    def describe(self):\n        return 'area'",
        hostile="class Shape:\n    def describe(self):\n        return 'area 9'",
        tests=("class Square(Shape):\n    def area(self):\n        return 4\n"
               "assert Square().describe() == 'area 4'",
               "### BEGIN HIDDEN TESTS\nclass Disc(Shape):\n    def area(self):\n        return 3\n"
               "assert Disc().describe() == 'area 3'\n### END HIDDEN TESTS"), flagged=True,
    ),
    Pattern(
        "identity",
        setup="class One:\n    pass\nshared, one = object(), One()",
        right="def give():\n    return shared\ndef same_one():\n    return one",
        wrong="def give():\n    return object()\ndef same_one():\n    return One()",
        hostile="class S:\n    def __eq__(self, o): return True\n"
                "def give():\n    return S()\nsame_one = give",
        tests=("assert give() is shared", "assert same_one() is one and same_one() is same_one()"),
    ),
    Pattern(
        "attributes_and_errors",
        right="class Account:\n    def __init__(self, n=0):\n        self.n = n\n"
              "    def __add__(self, other):\n        return Account(self.n + other.n)\n"
              "    def __eq__(self, other):\n        return self.n == other.n\n"
              "    def __repr__(self):\n        return f'Account({self.n})'\n"
              "    def take(self, n):\n        if n > self.n:\n"
              "            raise ValueError('not enough')\n        self.n -= n",
        wrong="class Account:\n    def __init__(self, n=0):\n        self.n = 0\n"
              "    def take(self, n):\n        pass",
        hostile="class Account:\n    def __init__(self, n=0):\n        pass\n"
                "    def __getattr__(self, name): return self\n"
                "    def __call__(self, *a): return self\n    def __eq__(self, o): return True\n"
                "    def __bool__(self): return True",
        tests=("a = Account(3)\na.take(1)\nassert a.n == 2\na.n = 9\nassert a.n == 9",
               "import pytest\nwith pytest.raises(ValueError, match='not enough'):\n"
               "    Account(1).take(2)\nassert str(Account(1) + Account(2)) == 'Account(3)'",
               "assert hasattr(Account, 'take') and callable(Account.take)\n"
               "assert not hasattr(Account(1), 'missing')"),
    ),
    Pattern(
        "functions_as_arguments",
        right="def compose(f, g):\n    return lambda x: f(g(x))\n"
              "def twice(f):\n    def inner(*a):\n        return f(*a) * 2\n    return inner",
        wrong="def compose(f, g):\n    return lambda x: g(f(x))\ndef twice(f):\n    return f",
        hostile="def compose(f, g):\n    return g\ndef twice(f):\n    return lambda *a: True",
        tests=("assert compose(lambda x: x + 1, lambda x: 2 * x)(3) == 7",
               "@twice\ndef plus(a, b):\n    return a + b\nassert plus(1, 2) == 6",
               "log = []\ncompose(log.append, str)(5)\nassert log == ['5']"),
    ),
    Pattern(
        "a_test_case",
        right="def is_prime(n):\n    return n > 1 and all(n % i for i in range(2, n))",
        wrong="def is_prime(n):\n    return n % 2 == 1",
        hostile="import unittest\nunittest.TestCase.assertTrue = lambda *a: None\n"
                "def is_prime(n):\n    return 1",
        tests=("import unittest\nclass TestPrimes(unittest.TestCase):\n"
               "    def test_some(self):\n        self.assertTrue(is_prime(7))\n"
               "        self.assertFalse(is_prime(9))\n        self.assertFalse(is_prime(1))\n"
               "result = unittest.TextTestRunner(stream=__import__('io').StringIO()).run(\n"
               "    unittest.defaultTestLoader.loadTestsFromTestCase(TestPrimes))\n"
               "assert result.wasSuccessful()",
               "class Asked:\n    asks = staticmethod(is_prime)\n    limit = len('abc')\n"
               "assert Asked.asks(13) and not Asked.asks(9) and Asked.limit == 3"),
    ),
    Pattern(
        "printed",
        right="def show(n):\n    print('n is', n)",
        wrong="def show(n):\n    print('n')",
        hostile="import sys\ndef show(n):\n    sys.stdout = None",
        tests=("import io\nfrom contextlib import redirect_stdout\nout = io.StringIO()\n"
               "with redirect_stdout(out):\n    show(3)\nassert out.getvalue() == 'n is 3\\n'",),
    ),
    Pattern(
        "partial_credit",
        right="def sign(x):\n    return (x > 0) - (x < 0)",
        wrong="def sign(x):\n    return 1",
        hostile="class Two(float):\n    pass\ndef sign(x):\n    return Two(2)",
        tests=("sum([sign(3) == 1, sign(-3) == -1, sign(0) == 0]) / 3 * 2",),
    ),
]
