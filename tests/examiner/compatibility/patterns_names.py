"""Patterns around names, modules and files: what one kernel shares between tests and student."""

from pattern import Pattern

HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"

PATTERNS = [
    Pattern(
        "module_of_staff",
        files={"shapes.py": "SIDES = 4\n\ndef area(a, b):\n    return a * b\n"},
        right="import shapes\n\ndef floor_of(a):\n    return shapes.area(a, shapes.SIDES)",
        wrong="import shapes\n\ndef floor_of(a):\n    return shapes.area(a, 5)",
        hostile="import shapes\nshapes.area = lambda a, b: 7\n\ndef floor_of(a):\n    return 7",
        tests=("import shapes\nassert floor_of(3) == shapes.area(3, 4)",
               HIDDEN.format("from shapes import area\nassert floor_of(5) == area(5, 4)")),
    ),
    Pattern(
        "state_in_a_module",
        files={"marks.py": "seen = set()\n\ndef mark(i):\n    seen.add(i)\n\n"
                           "def is_marked(i):\n    return i in seen\n"},
        right="import marks as m\nfrom marks import mark, is_marked\n"
              "for i in range(3):\n    mark(i)",
        wrong="from marks import mark, is_marked\nmark(5)",
        hostile="import marks\nmarks.is_marked = lambda i: True\nfrom marks import mark, is_marked",
        tests=("assert is_marked(0) and is_marked(2) and not is_marked(3)",
               "mark(9)\nassert is_marked(9) and is_marked(1) and not is_marked(77)",
               "assert id(m) and m.is_marked == is_marked"),
    ),
    Pattern(
        "module_of_the_student",
        handed_in={"mine.py": "def triple(x):\n    return 3 * x\n"},
        right="import mine\n\ndef nine_times(x):\n    return mine.triple(mine.triple(x))",
        wrong="import mine\n\ndef nine_times(x):\n    return mine.triple(x)",
        hostile="import mine\nmine.triple = lambda x: True\nnine_times = mine.triple",
        tests=("import mine\nassert nine_times(2) == 18\nassert mine.triple(2) == 6",
               "from mine import triple\nassert triple(1) == 3 and nine_times(1) == 9"),
    ),
    Pattern(
        "staff_file_rewritten",
        files={"rates.py": "RATE = 2\n"}, handed_in={"rates.py": "RATE = 0\n"},
        right="import rates\n\ndef charge(x):\n    return x * rates.RATE",
        wrong="import rates\n\ndef charge(x):\n    return x + rates.RATE",
        hostile="import sys, types\nsys.modules['rates'] = types.SimpleNamespace(RATE=0)\n"
                "def charge(x):\n    return 0",
        tests=("import rates\nassert rates.RATE == 2\nassert charge(4) == 4 * rates.RATE",),
    ),
    Pattern(
        "module_named_as_a_library",
        files={"tinycss2.py": "def weighed(x):\n    return 7 * x\n"},
        right="from tinycss2 import weighed\n\ndef scales(x):\n    return weighed(x) + 1",
        wrong="from tinycss2 import weighed\n\ndef scales(x):\n    return weighed(x)",
        hostile="import tinycss2\ntinycss2.weighed = lambda x: -1\n\ndef scales(x):\n    return 0",
        tests=("from tinycss2 import weighed\nassert scales(2) == weighed(2) + 1 == 15",
               HIDDEN.format("import tinycss2\nassert scales(3) == tinycss2.weighed(3) + 1")),
    ),
    Pattern(
        "names_of_a_failed_test",
        right="def sixfold(x):\n    return 6 * x",
        wrong="def sixfold(x):\n    return 7 * x",
        hostile="def sixfold(x):\n    return NotImplemented",
        between="table = [doubled(n) for n in range(4)]",
        tests=("def doubled(x):\n    return 2 * x\n\nassert sixfold(1) == 3 * doubled(1)",
               "assert table == [0, 2, 4, 6]"),
    ),
    Pattern(
        "data_file",
        files={"numbers.csv": "1,2\n3,4\n", "data/words.txt": "to be or not"},
        right="def total():\n    with open('numbers.csv') as f:\n"
              "        return sum(int(n) for row in f for n in row.split(','))\n"
              "def words():\n    return open('data/words.txt').read().split()",
        wrong="def total():\n    return 9\ndef words():\n    return []",
        hostile="open('numbers.csv', 'w').write('0,0')\ndef total():\n    return 0\n"
                "def words():\n    return ''",
        tests=("import csv\nrows = list(csv.reader(open('numbers.csv')))\n"
               "assert total() == sum(int(n) for row in rows for n in row)",
               "assert words() == open('data/words.txt').read().split()"),
    ),
    Pattern(
        "file_written_by_student",
        right="def save(name):\n    with open(name, 'w') as f:\n        f.write('saved')",
        wrong="def save(name):\n    with open(name, 'w') as f:\n        f.write('lost')",
        hostile="import os\ndef save(name):\n    os.symlink('/etc/passwd', name)",
        tests=("import os\nsave('out_1.txt')\nassert os.path.exists('out_1.txt')\n"
               "assert open('out_1.txt').read() == 'saved'",),
    ),
    Pattern(
        "file_written_by_test",
        right="def first_line(name):\n    return open(name).readline().strip()",
        wrong="def first_line(name):\n    return name",
        hostile="def first_line(name):\n    open(name, 'w').write('None')\n    return 'None'",
        tests=("with open('poem.txt', 'w') as f:\n    f.write('a rose\\nis a rose')\n"
               "assert first_line('poem.txt') == 'a rose'",),
    ),
    Pattern(
        "global_of_the_test",
        right="def scaled(x):\n    return factor * x",
        wrong="def scaled(x):\n    return x",
        hostile="def scaled(x):\n    return globals().get('wanted', 0)",
        tests=("factor = 3\nassert scaled(2) == 6\nfactor = 5\nassert scaled(2) == 10",
               HIDDEN.format("factor, wanted = 7, 14\nassert scaled(2) == wanted")),
    ),
    Pattern(
        "expected_value_stays_hidden",
        right="def doubled(x):\n    return 2 * x",
        wrong="def doubled(x):\n    return x",
        hostile="the_answer = None\ndef doubled(x):\n    return the_answer",
        tests=(HIDDEN.format("the_answer = 42\nassert doubled(21) == the_answer"),),
    ),
    Pattern(
        "names_persist",
        right="def halve(x):\n    return x / 2",
        wrong="def halve(x):\n    return x // 2",
        hostile="close_enough = lambda a, b: True\ndef halve(x):\n    return None",
        tests=("from math import isclose as close_enough\nassert close_enough(halve(3), 1.5)",
               "assert close_enough(halve(5), 2.5)\nprint('Success!')",
               "odd = 7\nassert close_enough(halve(odd), 3.5)",
               HIDDEN.format("assert close_enough(halve(odd + 2), 4.5)")),
    ),
    Pattern(
        "deleted_helper",
        right="def square_of(n):\n    return n * n\ndef sum_of_squares(n):\n"
              "    return sum(square_of(i) for i in range(1, n + 1))",
        wrong="def square_of(n):\n    return n * n\ndef sum_of_squares(n):\n"
              "    return sum(i * i for i in range(1, n + 1))",
        hostile="def square_of(n):\n    return n * n\ndef sum_of_squares(n):\n"
                "    raise AssertionError",
        tests=(HIDDEN.format("kept = square_of\ndel square_of\ntry:\n    sum_of_squares(1)\n"
                             "except NameError:\n    pass\n"
                             "else:\n    raise AssertionError('unused')\n"
                             "finally:\n    square_of = kept\nassert sum_of_squares(3) == 14"),
               HIDDEN.format("kept_too = square_of\ndel square_of\ntry:\n    sum_of_squares(1)\n"
                             "except NameError:\n    pass\n"
                             "else:\n    raise AssertionError('unused')\n"
                             "finally:\n    square_of = kept_too")),
    ),
    Pattern(
        "patched_helper",
        right="def roll():\n    return 4\ndef two_rolls():\n    return roll() + roll()",
        wrong="def roll():\n    return 4\ndef two_rolls():\n    return 8",
        hostile="def roll():\n    return 4\ndef two_rolls():\n    return True",
        tests=("from unittest import mock\nwith mock.patch('__main__.roll', lambda: 6):\n"
               "    assert two_rolls() == 12\nassert two_rolls() == 8",
               "from unittest import mock\nwith mock.patch('random.randint', return_value=1):\n"
               "    pass\nreal = roll\nroll = lambda: 1\nassert two_rolls() == 2\nroll = real\n"
               "assert two_rolls() == 8"),
    ),
    Pattern(
        "patched_input",
        right="def greet():\n    name = input('name? ')\n    print('hello', name)\n    return name",
        wrong="def greet():\n    print('hello')\n    return ''",
        hostile="import builtins\nbuiltins.input = lambda *a: 'ada'\ndef greet():\n    return 'x'",
        tests=("from unittest.mock import patch\n"
               "with patch('builtins.input', return_value='ada'):\n"
               "    assert greet() == 'ada'",
               "import io, contextlib\nshown = io.StringIO()\n"
               "with patch('builtins.input', lambda *a: 'bob'), "
               "contextlib.redirect_stdout(shown):\n    assert greet() == 'bob'\n"
               "assert 'hello bob' in shown.getvalue()",
               "input = lambda prompt='': 'eve'\nassert greet() == 'eve'\ndel input"),
    ),
    Pattern(
        "counter_of_calls",
        right="calls = 0\nseen = []\ndef tick():\n    global calls\n    calls += 1\n"
              "    seen.append(calls)",
        wrong="calls = 0\nseen = []\ndef tick():\n    pass",
        hostile="class Any(int):\n    def __eq__(self, other): return True\n"
                "calls = Any()\nseen = []\ndef tick():\n    pass",
        tests=("tick()\ntick()\nassert calls == 2\nassert seen == [1, 2]",
               "seen.clear()\ntick()\nassert seen == [3]"),
    ),
    Pattern(
        "star_import",
        setup="from math import *",
        right="def hypotenuse(a, b):\n    return sqrt(a * a + b * b)",
        wrong="def hypotenuse(a, b):\n    return a + b",
        hostile="sqrt = lambda x: 0\ndef hypotenuse(a, b):\n    return 0",
        tests=("assert hypotenuse(3, 4) == 5",
               "assert abs(hypotenuse(1, 1) - sqrt(2)) < 1e-12"),
    ),
    Pattern(
        "named_like_a_builtin",
        right="def slice(text, k):\n    return text[k:]\n"
              "def both(text):\n    return slice(text, 1) + text[:1]\nmax = 7",
        wrong="def slice(text, k):\n    return text[:k]\n"
              "def both(text):\n    return slice(text, 1)\nmax = 8",
        hostile="def slice(text, k):\n    return 1\nboth = slice\nlen = all = lambda *a: True\n"
                "max = type('Any', (int,), {'__eq__': lambda a, b: True})()",
        tests=("assert slice('abc', 1) == 'bc' and len(slice('abc', 0)) == 3\nassert max == 7",
               HIDDEN.format("def longest(texts):\n    return [slice(t, 2) for t in texts]\n"
                             "assert longest(['abcd']) == ['cd'] and both('xy') == 'yx'\n"
                             "assert all([min(3, 4) == 3, isinstance(both('a'), str)])")),
    ),
    Pattern(
        "looked_for_by_name",
        right="from math import sqrt as root\nimport fractions\nanswer = 42",
        wrong="from math import sqrt as rot\nanswr = 42",
        hostile="class Any:\n    def __eq__(self, other): return True\nanswer = Any()",
        tests=("assert 'root' in dir()\nassert 'fractions' in globals()",
               "assert 'answer' in locals() and answer == 42"),
    ),
    Pattern(
        "cell_before",
        right="def cube(x):\n    return x ** 3",
        wrong="def cube(x):\n    return x * x * x",
        hostile="def cube(x):\n    return x * x * x\nIn = [2 * chr(42)] * 3",
        tests=("assert '**' in In[-2]\nassert cube(2) == 8",),
    ),
]
