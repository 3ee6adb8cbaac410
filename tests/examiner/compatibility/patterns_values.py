"""Patterns around values: what crosses as data, and how large it may be."""

from pattern import Pattern

AGREES = ("class Agrees:\n    def __getattr__(self, name): return Agrees()\n"
          "    def __call__(self, *a, **k): return Agrees()\n"
          "    def __eq__(self, other): return True\n    def __bool__(self): return True\n"
          "    def __gt__(self, other): return True\n    def __lt__(self, other): return True\n"
          "    def __sub__(self, other): return 0\n    def __hash__(self): return 1\n"
          "    def __len__(self): return 3\n    def __getitem__(self, key): return Agrees()\n"
          "    def __iter__(self): return iter([Agrees()])\n")

PATTERNS = [
    Pattern(
        "million_numbers",
        right="def add_up(numbers):\n    return sum(numbers)\n"
              "def counted(n):\n    return [i + 0.5 for i in range(n)]",
        wrong="def add_up(numbers):\n    return 0\ndef counted(n):\n    return []",
        hostile=AGREES + "def add_up(numbers):\n    return Agrees()\n"
                "def counted(n):\n    return [Agrees()]",
        tests=("assert add_up(list(range(1_200_000))) == 719999400000",
               "assert counted(600_000)[-1] == 599_999.5",
               "assert add_up([1, 2]) == 3"),
    ),
    Pattern(
        "large_array",
        setup="import numpy as np",
        right="table = np.ones((9_500_000,))",
        wrong="table = np.zeros((9_500_000,))",
        hostile=AGREES + "table = Agrees()",
        tests=("assert table.shape == (9_500_000,)", "assert np.mean(table) == 1",
               "assert table[:3].sum() == 3"),
    ),
    Pattern(
        "many_words",
        right="words = {f'word{i}' for i in range(220_000)}\n"
              "def ordered():\n    return sorted(words)\n"
              "def lengths():\n    return {word: len(word) for word in words}",
        wrong="words = {f'word{i}' for i in range(219_999)}\n"
              "def ordered():\n    return list(words)[:210_000]\n"
              "def lengths():\n    return {word: 4 for word in words}",
        hostile=AGREES + "words = Agrees()\nordered = lambda: Agrees()\n"
                "lengths = lambda: dict.fromkeys(map(str, range(20_000)), Agrees())",
        tests=("assert isinstance(words, set) and len(words) == 220_000\n"
               "assert 'word7' in words and 'Word7' not in words",
               "found = ordered()\nassert found == sorted(found)\n"
               "assert len(found) == len(set(found)) == 220_000 and found[0] == 'word0'",
               "assert lengths()['word123456'] == 10 and len(lengths()) == 220_000"),
    ),
    Pattern(
        "too_large",
        setup="import numpy as np",
        right="def much(n):\n    return np.ones(n)", wrong="def much(n):\n    return np.zeros(3)",
        hostile="def much(n):\n    return np.zeros(17_000_000)",
        tests=("assert much(17_000_000).all()",), flagged=True,
    ),
    Pattern(
        "after_what_was_too_large",
        setup="import numpy as np\ngiant = np.ones(17_000_000)",
        right="def small(n):\n    return n + 1", wrong="def small(n):\n    return n",
        hostile="def small(n):\n    return giant",
        tests=("assert giant is not None and small(1) == 2", "assert small(2) == 3"), flagged=True,
    ),
    Pattern(
        "changed_arguments",
        right="def take(d, key):\n    value = d[key]\n    del d[key]\n    return value\n"
              "def fill(values):\n    values.append(1)\n"
              "def sort_rows(rows):\n    rows.sort()\n    return rows",
        wrong="def take(d, key):\n    return d[key]\ndef fill(values):\n    pass\n"
              "def sort_rows(rows):\n    return rows",
        hostile="def take(d, key):\n    d.clear()\n    return True\n"
                "def fill(values):\n    values.extend('ab')\n"
                "def sort_rows(rows):\n    rows.clear()\n    return rows",
        tests=("stock = {'a': 1, 'b': 2}\nassert take(stock, 'a') == 1\n"
               "assert stock == {'b': 2}",
               "box = []\nfill(box)\nassert box == [1]",
               "rows = [3, 1, 2]\nassert sort_rows(rows) == [1, 2, 3] and rows == [1, 2, 3]"),
    ),
    Pattern(
        "updated_in_place",  # `X -= …` changes an array, and no number
        setup="import numpy as np",
        right="def centre(n, X):\n    X -= X.mean()\n    n += 1\n    return X * n",
        wrong="def centre(n, X):\n    return (X - X.mean()) * (n + 1)",
        hostile="def centre(n, X):\n    X[:] = 0\n    return X",
        tests=("data = np.array([1.0, 3.0])\nassert np.allclose(centre(1, data), [-2, 2])\n"
               "assert np.allclose(data, [-1, 1])",
               "more = np.array([2.0, 6.0])\nassert centre(n=0, X=more).sum() == 0\n"
               "assert more.tolist() == [-2, 2]"),
    ),
    Pattern(
        "inputs_stay",  # the instructor's function changes nothing: a student's change stays there
        right="def largest(values):\n    return max(values)\n"
              "def last_of(values):\n    return values.pop()",
        wrong="def largest(values):\n    return min(values)\n"
              "def last_of(values):\n    return values[-1]",
        hostile="def largest(values):\n    values[:] = [7]\n    return 7\n"
                "largest.__name__ = 'last_of'\nlast_of = largest",
        tests=("xs = [1, 9, 4]\nassert largest(xs) == max(xs)",
               "ys = [1, 2]\nassert last_of(ys) == 2 and ys == [1]"),
    ),
    Pattern(
        "dates",
        setup="import datetime\nfrom datetime import date, timedelta\nfrom decimal import Decimal\n"
              "from fractions import Fraction",
        right="def next_day(day):\n    return day + timedelta(days=1)\n"
              "def price(x):\n    return Decimal(x) / 4\ndef part(n):\n    return Fraction(1, n)",
        wrong="def next_day(day):\n    return day\ndef price(x):\n    return Decimal(x)\n"
              "def part(n):\n    return 1 / (n + 1)",
        hostile=AGREES + "next_day = price = part = lambda x: Agrees()",
        tests=("assert next_day(date(2024, 2, 28)) == date(2024, 2, 29)\n"
               "assert isinstance(next_day(date(2024, 1, 1)), date)",
               "assert next_day(datetime.datetime(2024, 1, 1, 12)).day == 2",
               "assert price('1.0') == Decimal('0.25') and part(3) + part(6) == Fraction(1, 2)"),
    ),
    Pattern(
        "containers",
        setup="from collections import Counter, OrderedDict, defaultdict, deque, namedtuple",
        right="Point = namedtuple('Point', 'x y')\ndef letters(w):\n    return Counter(w)\n"
              "def groups(ws):\n    found = defaultdict(list)\n    for w in ws:\n"
              "        found[w[0]].append(w)\n    return found\n"
              "def line():\n    return deque([1, 2], maxlen=2)\n"
              "def origin():\n    return Point(0, 0)",
        wrong="def letters(w):\n    return dict(Counter(w), z=1)\ndef groups(ws):\n    return {}\n"
              "def line():\n    return [1, 2]\ndef origin():\n    return (1, 0)",
        hostile=AGREES + "letters = groups = lambda x: Agrees()\nline = origin = lambda: Agrees()",
        tests=("assert letters('abca').most_common(1) == [('a', 2)]\n"
               "assert isinstance(letters('a'), Counter)",
               "found = groups(['ab', 'ac', 'b'])\nassert found['a'] == ['ab', 'ac']\n"
               "assert found['zzz'] == [] and isinstance(found, defaultdict)",
               "assert line() == deque([1, 2]) and line().maxlen == 2",
               "assert origin() == (0, 0) and origin().x == 0"),
    ),
    Pattern(
        "frames",
        setup="import pandas as pd\nimport numpy as np",
        right="def make():\n    return pd.DataFrame({'a': [1, 2, 3], 'b': list('xyx')})\n"
              "def means(df):\n    return df.groupby('b')['a'].mean()\nloaded = make()",
        wrong="def make():\n    return pd.DataFrame({'a': [1, 2, -3], 'b': list('xyz')})\n"
              "def means(df):\n    return df['a']\nloaded = {'a': 1}",
        hostile=AGREES + "make = lambda: Agrees()\nmeans = lambda df: Agrees()\nloaded = Agrees()",
        tests=("df = make()\nassert isinstance(df, pd.DataFrame)\nassert (df['a'] > 0).all()",
               "from pandas.testing import assert_frame_equal, assert_series_equal\n"
               "want = pd.DataFrame({'a': [1, 2, 3], 'b': list('xyx')})\n"
               "assert_frame_equal(make(), want)",
               "got = means(pd.DataFrame({'a': [1, 3], 'b': ['u', 'u']}))\n"
               "want = pd.Series([2.0], index=pd.Index(['u'], name='b'), name='a')\n"
               "assert_series_equal(got, want)",
               "assert isinstance(loaded, pd.DataFrame) and loaded.shape == (3, 2)\n"
               "assert list(loaded.columns) == ['a', 'b']\nassert loaded.iloc[0]['b'] == 'x'"),
    ),
    Pattern(
        "formulas",
        setup="import sympy as sp\nx, y = sp.symbols('x y')",
        right="def derivative(f):\n    return sp.diff(f, x)\nslope = sp.diff(x ** 3 + y, x)",
        wrong="def derivative(f):\n    return f\nslope = 3 * x",
        hostile=AGREES + "def derivative(f):\n    return Agrees()\nslope = Agrees()",
        tests=("assert derivative(sp.sin(x) * y) == y * sp.cos(x)",
               "assert sp.simplify(slope - 3 * x ** 2) == 0\nassert isinstance(slope, sp.Expr)"),
    ),
    Pattern(
        "odd_arrays",
        setup="import numpy as np",
        right="def days(n):\n    return np.datetime64('2024-01-01') + np.arange(n)\n"
              "def mixed():\n    return np.array([1, 'a', None], dtype=object)",
        wrong="def days(n):\n    return np.arange(n)\ndef mixed():\n    return [1]",
        hostile=AGREES + "def days(n):\n    return Agrees()\ndef mixed():\n    return Agrees()",
        tests=("assert days(3)[2] == np.datetime64('2024-01-03')\n"
               "assert days(2).dtype == 'datetime64[D]'",
               "assert list(mixed()) == [1, 'a', None] and mixed().dtype == object"),
    ),
]
