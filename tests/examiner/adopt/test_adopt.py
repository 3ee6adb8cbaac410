"""`viva adopt`: what differs is said with its reason and a remedy, and nothing is changed."""

import nbformat
import pytest
from nbformat.v4 import new_notebook

from plain_course import nbgrader, new_code_cell, solution
from viva_examiner import cli
from viva_examiner.adopt.adopted_course import TriedNotebook
from viva_examiner.adopt.both_ways import EQUAL, LOST, MORE, OPEN, ComparedTest, WayMarks, compare
from viva_examiner.adopt.comparison_text import comparison, own_steps, summary
from viva_examiner.adopt.loops import asks_often, defined
from viva_examiner.adopt.risky import runs_theirs

POINT = "class Point:\n    def __init__(self):\n        self.x = 1\ndef one():\n    return 1"
TESTS = {"test_one": "assert one() == 1",
         "test_vars": "assert vars(Point()) == {'x': 1}",  # of a stand-in, not the object's
         "test_warns": "import warnings\nwarnings.warn('old')\nassert one()",
         "test_beside": "from beside import two\nassert two == one() + 1",
         "test_wrong": "assert one() == 2"}


def notebook(code: str):
    graded = {"grade": True, "locked": True, "points": 2}
    tests = [new_code_cell(text, id=name, metadata=nbgrader(name, **graded))
             for name, text in TESTS.items()]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=[solution("point", code), *tests], metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with two notebooks in one assignment and one submission."""
    root = tmp_path_factory.mktemp("theirs")
    (root / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'theirs'\n"
        "c.ExportApp.plugin_class = 'mine.Exporter'\n")
    for folder in ("source/ps1", "submitted/ada/ps1"):
        (root / folder).mkdir(parents=True)
    (root / "source/ps1/beside.py").write_text("two = 2\nprint('said by a helper')\n")
    nbformat.write(notebook(POINT), root / "source/ps1/problem1.ipynb")
    other = notebook("x <- 1")
    other.metadata.kernelspec.language = "R"
    nbformat.write(other, root / "source/ps1/problem2.ipynb")
    handed_in = POINT.replace("return 1", "return 3")
    nbformat.write(notebook(handed_in), root / "submitted/ada/ps1/problem1.ipynb")
    return root


def files_of(root) -> dict:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_course_is_told_what_would_differ_and_is_not_changed(course, capfd):
    before = files_of(course)
    assert cli.main(["adopt", str(course)]) == 1, "a higher mark is something to look at"
    assert files_of(course) == before
    said = capfd.readouterr()
    assert "said by a helper" not in said.out + said.err and said.err == ""
    said = said.out
    solved, handed_in = said.split("ps1/problem1, handed in by ada: ")
    assert "ps1/problem1, solution: 3 of 5 tests as in stock nbgrader" in solved
    assert "  test_vars: open for a TA: no mark here, 2 of 2 in stock nbgrader\n    why: " in solved
    assert "    where: in the test, line 1: assert vars(Point()) == {'x': 1}\n" in solved
    assert "    what to do: this line holds in one kernel and not here" in solved
    assert ("  test_warns: higher, look at it: 2 here, 0 of 2 in stock nbgrader\n"
            "    why: stock nbgrader: a warning or other text on stderr: " in solved)
    assert "    what to do: nothing, if the answer is right: stock nbgrader gives 0" in solved
    assert "  test_wrong: the solution itself gets 0 of 2, both ways: AssertionError" in solved
    assert handed_in.startswith("3 of 5 tests"), "wrong in stock, wrong here"
    assert "ps1/problem2, solution: it is written in R; the examiner runs Python only" in said
    assert "10 automatic tests: 6 equal, 2 open for a TA, 0 lower, 2 higher" in said
    assert "c.ExportApp.plugin_class is set in this course" in said
    assert "c.Autograde.autograde_preprocessors = [Examine]" in said


def test_where_there_is_no_course(tmp_path, capsys):
    assert cli.main(["adopt", str(tmp_path)]) == 2
    assert "name the folder of an nbgrader course" in capsys.readouterr().err


@pytest.mark.parametrize("stock, ours, kind", [
    (2, 2, EQUAL), (2, None, OPEN), (2, 0, LOST), (0, 1, MORE), (0.667, 0.67, EQUAL)])
def test_a_lower_mark_is_never_called_equal(stock, ours, kind):
    assert ComparedTest("test", 2, stock, ours).kind == kind


@pytest.mark.parametrize("reason, remedy", [
    ("a test ran longer than 20 seconds with its answers", "c.Examiner.question_seconds"),
    ("the candidate used more memory than it may", "c.Examiner.memory_mb"),
    ("URLError: Temporary failure in name resolution", "student code has no network"),
    ("ModuleNotFoundError: No module named 'networkx'", "install the module"),
    ("took more than 300 s in all", "submission_seconds"),
    ("a mappingproxy cannot cross: no", "let the test send plain data"),
    ("not graded: the test uses `in` on a Bag of the candidate", "turn it into plain data first"),
    ("not graded: differs from stock nbgrader: 0 here, 2 of 2 there (AssertionError: None != 147)",
     "holds in one kernel and not here"),
    ("not graded: differs from stock nbgrader: 2 here, 0 of 2 there (the student's code changes an "
     "argument in place)", "copies of the same object"),
    ("TypeError: no", "tell the authors of the examiner")])
def test_a_lost_mark_has_a_remedy(reason, remedy):
    test = ComparedTest("test_x", 2, 2, 0, reason)
    lines = comparison(TriedNotebook("ps1", "problem1", tests=[test]))
    assert "lower, and nobody is told: 0 here, 2 of 2 in stock nbgrader" in lines[1]
    assert reason in lines[2] and remedy in lines[3]
    assert "1 lower" in summary([test])


@pytest.mark.parametrize("test, reason, remedy", [
    ("with patch('urllib.request.urlopen') as opened:", "URLError: no", "take the other as an arg"),
    ("import requests\nassert f()", "URLError: no", "student code has no network"),
    ("with mock.patch('os.getcwd'):", "AssertionError", "take the other as an argument"),
    ("with warnings.catch_warnings(record=True) as seen:", "AssertionError", "a TA give this mark"),
    ("began = time.perf_counter()", "AssertionError", "count steps instead"),
    ("with tempfile.TemporaryDirectory() as d:", "FileNotFoundError: x", "notebook's own folder"),
    ("class Wide(Buffer): pass", "not graded: the test derives a class from the candidate's Buffer",
     "an ordinary cell above the test"),
    ("assert f() == 1", "AssertionError", "look for what it shares with a cell above")])
def test_the_remedy_fits_what_the_test_does(test, reason, remedy):
    why = f"not graded: differs from stock nbgrader: 0 here, 2 of 2 there ({reason})"
    found = ComparedTest("test_x", 2, 2, None, why, source=test)
    assert remedy in comparison(TriedNotebook("ps1", "problem1", tests=[found]))[-1]


def test_a_test_that_only_stock_marks_is_listed():
    [test] = compare(WayMarks({"test_x": (2.0, 2.0, "")}), WayMarks())
    assert (test.kind, test.stock) == (OPEN, 2.0)
    lines = comparison(TriedNotebook("ps1", "problem1", tests=[test]))
    assert "only stock nbgrader marks this test" in lines[2] and "give the cell an id" in lines[3]


@pytest.mark.parametrize("theirs, remedy", [
    ("AssertionError", "look at the test"), ("the test ends in 0.5", "look at the test"),
    ("ModuleNotFoundError: No module named 'pandas'", "in the kernel of the course")])
def test_a_higher_mark_says_what_stock_says(theirs, remedy):
    tests = [ComparedTest("t", 2, 0, 2, theirs=theirs)]
    lines = comparison(TriedNotebook("ps1", "problem1", tests=tests))
    assert "higher, look at it: 2 here, 0 of 2" in lines[1]
    assert f"stock nbgrader: {theirs}" in lines[2] and remedy in lines[3]


@pytest.mark.parametrize("source, calls", [
    ("p = f()\nassert eval(repr(p)) == p", ["eval"]), ("import os\nos.remove(path())", ["remove"]),
    ("np.load(name(), allow_pickle=True)", ["np.load"]), ("pickle.loads(f())", ["pickle.loads"]),
    ("subprocess.check_output(['ls', f()])", ["check_output"]),
    ("runpy.run_path(name())\ntorch.jit.load(name())", ["jit.load", "run_path"]),
    ("yaml.load(f(), Loader=yaml.Loader)\nyaml.load(f(), Loader=yaml.SafeLoader)", ["yaml.load"]),
    ("frame.query(rule())\nframe.query('a > 1')", ["query"]),
    ("eval('1 + 1')\nre.compile(f())\nnp.load('a.npy')\nsubprocess.check_output(['ls'])", []),
])
def test_tests_that_run_what_a_students_code_made_are_named(source, calls):
    assert runs_theirs(source) == calls
    lines = comparison(TriedNotebook("ps1", "problem1", risky={"test_it": calls} if calls else {}))
    assert any("test_it runs what a student's code made" in line for line in lines) == bool(calls)


@pytest.mark.parametrize("source, times", [
    ("for i in range(5000):\n    assert f(i) == i", 5000),
    ("assert [f(i) for i in range(10, 4010, 2)] == expected", 2000),
    ("assert all(f(i, j) for i in range(40) for j in range(50))", 2000),
    ("n = 10**4\nxs = [g(i) for i in range(n)]\nfor i, x in enumerate(xs):\n    f(x)", 10_000),
    ("def close(x):\n    return abs(f(x)) < f(1)\nfor i in range(600):\n    close(i)", 1200),
    ("for i in range(10**6 * 10**6 * 10**6 * 10**6):\n    f(i)", 0),
    ("n = 10**6\nfor i in range(n**9):\n    f(i)", 10**54),  # more than len() can say
    ("for i in range(1000):\n    pass\nf(1)", 0),
    ("n = 1000\nn = n * n\nwhile f(n):\n    n = f(n)", 0),  # as often as its answers say
    ("for x in f(3):\n    f(x)", 0), ("for i in range(999):\n    f(i)", 0),
    ("for i in range(0, 9, 0):\n    f(i)", 0), ("for i in range(10**9 ** 9):\n    f(i)", 0),
    ("for i in range(5000):\n    helper.f(i)\n    abs(i)", 0), ("for (", 0),
])
def test_tests_that_ask_thousands_of_times_are_named(source, times):
    often = asks_often(source, defined(["def f(x): ...", "%time\nclass C: ...", "def ("]))
    assert often == ({"f": times} if times else {})
    lines = comparison(TriedNotebook("ps1", "problem1", often={"test_it": often} if often else {}))
    assert any(f"test_it calls f {times:,} times" in line for line in lines) == bool(times)


def test_the_reason_names_a_cell_that_fails_here_alone():
    stock = WayMarks({"test_x": (2.0, 2.0, "")}, faults={"old": "KeyError: 1"})
    ours = WayMarks({"test_x": (0.0, 2.0, "NameError: data")},
                  faults={"old": "KeyError: 1", "download()": "URLError: no network"})
    [test] = compare(stock, ours)
    assert test.reason == ("a cell above fails here and not there: URLError: no network; "
                           "NameError: data")


def test_marks_around_hidden_tests_that_the_examiner_does_not_know():
    [line] = own_steps({"ClearHiddenTests": {"begin_test_delimeter": "SECRET"}})
    assert "run as visible ones" in line
