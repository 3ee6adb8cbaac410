"""The class report: its facts, its page, and what it points a human to."""

import json
import re
import shutil

import pytest

import doubling
from viva_examiner.cli import main
from viva_examiner.records import Graded, Kind, Mark, Remark, Rubric, RubricItem
from viva_examiner.report import facts, signs
from viva_examiner.report.charts import binned, histogram, round_step
from viva_examiner.report.report_page import render
from viva_examiner.report.sheets import Sheet, SheetCell, read_class
from viva_examiner.report.similar import fingerprints, similar

RIGHT = "def double(x):\n    return 2 * x"
WRONG = 'def double(x):\n    """By Ada Lovelace."""\n    # Ada\n    return x ** 2'


def rubric(earned, mistake="", message="The values must be right. (values differ)", kind="values"):
    return Rubric("double", "doubling", earned, 4, mistake,
                  "It is twice, not squared." if mistake else "",
                  items=(RubricItem("values", 4, earned, "" if earned == 4 else message,
                                    "" if earned == 4 else kind),))


def sheet(student, earned, other, mistake="", source=RIGHT, **more):
    marks = {"test_double": Mark(earned, 4, rubric=(rubric(earned, mistake, **more),)),
             "test_other": Mark(other, 10)}
    cells = [SheetCell("double", "double", source, True, "")]
    return Sheet(student, marks=marks, cells=cells, seconds={"double": 0.1})


@pytest.fixture
def sheets():
    right = [sheet(f"right{i}", 4, 8 + i % 3) for i in range(5)]
    wrong = [sheet(f"wrong{i}", 0, 2 + i % 2, "squared", WRONG) for i in range(3)]
    odd = sheet("odd", 1, 5, message="The values must be right. (raised <b>KeyError</b>: 'x')")
    return [*right, *wrong, odd]


def test_points_lost_and_misunderstandings(sheets):
    (loss,) = facts.losses(sheets)
    assert (loss.exercise, loss.item, loss.lost, len(loss.students)) == ("double", "values", 15, 4)
    (each,) = facts.misunderstandings(sheets)
    assert (each.slug, len(each.students), each.lost) == ("squared", 3, 12)
    (left,) = facts.unexplained(sheets)
    assert left.students == ["odd"] and left.lost == 3


def test_an_example_is_anonymous(sheets):
    (each,) = facts.misunderstandings(sheets)
    assert each.example == "def double(x):\n    return x ** 2"


def test_discrimination_says_which_tests_tell_apart(sheets):
    by_name = {d.exercise: d for d in facts.discrimination(sheets)}
    assert by_name["double"].correlation > 0.8 and by_name["double"].verdict == "tells apart"
    everybody = [sheet(f"s{i}", 4, i) for i in range(8)]
    by_name = {d.exercise: d for d in facts.discrimination(everybody)}
    assert "everybody" in by_name["double"].verdict
    assert facts.discrimination(everybody[:3])[0].correlation is None


def test_exercises_left_empty_are_counted(sheets):
    sheets += [sheet(f"empty{i}", 0, 0, message="Right. (nothing there)",
                     kind="unwritten") for i in range(6)]
    (loss,) = facts.untouched(sheets).values()
    assert (loss.exercise, len(loss.students), loss.lost) == ("double", 6, 24)
    assert "6 of 15 students left it empty" in render("doubling", sheets, [], [])


def test_slow_and_failing_cells(sheets):
    sheets[0].seconds["double"] = 9.0
    sheets[1].cells.append(SheetCell("plot", "", "1/0", False, "ZeroDivisionError"))
    assert facts.slow_cells(sheets) == [("double", 0.1, 9.0, ["right0"])]
    assert facts.failing_cells(sheets) == [("plot", "ZeroDivisionError", ["right1"])]


def test_the_page_is_one_file_and_what_students_wrote_stays_text(sheets):
    sheets[0].remarks = [Remark(Kind.CRASHED, "crashed with SIGSEGV")]
    sheets[5].cells[0] = SheetCell("d", "double", "def double(x):\n    return '<script>'", True, "")
    page = render("doubling", sheets, [RIGHT], ["late"])
    body = page[page.index("<body"):]
    assert body.index("What to teach tomorrow") < 2500 and "It is twice, not squared." in page
    assert "<script" not in page and "<b>KeyError" not in page
    links = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert all(link.startswith(("#", "http://localhost:8888/formgrader/")) for link in links)
    assert "not autograded yet" in page and "SIGSEGV" in page
    first = page[page.index("teach tomorrow"):page.index("<h2>Marks")]
    assert first.index("It is twice") < first.index("The values must be right.")


def test_an_empty_class_and_a_perfect_one_have_a_page():
    assert "Nothing in particular" in render("doubling", [], [], [])
    assert "Nothing in particular" in render("doubling", [sheet("ada", 4, 10)], [], [])


def test_points_lost_and_students_count_together():
    """Two points lost by five come before nine lost by one, and before one lost by five."""
    sheets = [sheet(f"s{i}", 4 - (2 if i < 5 else 0), 0) for i in range(6)]
    items = (RubricItem("dear", 9, 0, "x"), RubricItem("many", 1, 0, "x"))
    sheets[0].marks["test_other"] = Mark(0, 10, rubric=(Rubric("other", items=items),))
    assert [loss.item for loss in facts.losses(sheets)] == ["values", "dear", "many"]


def test_every_number_leads_to_its_students_and_they_to_formgrader(sheets):
    for number, each in enumerate(sheets):
        each.page = f"id{number}"
    page = render("doubling", sheets, [], [], "http://127.0.0.1:9999/base")
    panels = dict(re.findall(r'id="(who-\d+)">(.*?)</aside>', page, re.S))
    linked = dict(re.findall(r'<a href="#(who-\d+)">([^<]*)</a>', page))
    assert set(linked) <= set(panels) and len(linked) >= 6
    wrong = next(text for anchor, text in panels.items() if linked.get(anchor) == "3 students")
    names = re.findall(r'href="([^"]*)">(\w+)</a>', wrong)
    assert names == [("#closed", "close")] + [
        (f"http://127.0.0.1:9999/base/formgrader/submissions/id{5 + i}", f"wrong{i}")
        for i in range(3)]
    for anchor, text in panels.items():  # a number of students is that of its list
        if (said := linked.get(anchor, "")).isdigit():
            assert int(said) == text.count("/formgrader/")


def test_a_students_name_cannot_leave_its_link(sheets):
    sheets[0].student = 'x" onclick="alert(1)<b>'
    page = render("doubling", sheets, [], [])
    assert "<b>x" not in page and 'onclick="' not in page


@pytest.mark.parametrize("top, step", [(90, 10), (100, 10), (87, 10), (10, 1), (14, 2), (3, 0.5),
                                       (55, 5), (1000, 100), (0, 1)])
def test_bins_are_round_numbers(top, step):
    assert round_step(top) == pytest.approx(step)
    bins = binned({"zero": 0, "top": top, "half": top / 2}, top)
    assert len(bins) <= 12 and sum(len(names) for *_, names in bins) == 3
    assert bins[0][0] == 0 and bins[-1][1] >= top and "top" in bins[-1][2]
    assert all(high - low == pytest.approx(step) for low, high, _ in bins)


def test_the_histogram_labels_and_links_every_bar():
    picture = histogram({"a": 0, "b": 5, "c": 99, "d": 100}, 100,
                        lambda students, title: f"#{'-'.join(students)}")
    assert picture.count("<rect") == 10 and picture.count(">2<") == 2
    assert 'href="#a-b"' in picture and 'href="#c-d"' in picture


LONG = """def smooth(signal, width):
    total = np.cumsum(np.concatenate([np.zeros(1), signal]))
    left = np.maximum(np.arange(len(signal)) - width, 0)
    right = np.minimum(np.arange(len(signal)) + width + 1, len(signal))
    mean = (total[right] - total[left]) / (right - left)
    if width < 0:
        raise ValueError("negative width")
    return mean
"""
OTHER = """def smooth(signal, width):
    if width < 0:
        raise ValueError("width")
    out = []
    for i in range(len(signal)):
        piece = signal[max(0, i - width): i + width + 1]
        out.append(sum(piece) / len(piece))
    return np.array(out)
"""


def test_renamed_code_is_alike_and_other_code_is_not():
    renamed = LONG.replace("total", "t").replace("mean", "m").replace("signal", "x")
    pairs = similar({"a": {"smooth": LONG}, "b": {"smooth": "# mine\n" + renamed},
                     "c": {"smooth": OTHER}}, [])
    assert [(p.one, p.other, p.share) for p in pairs] == [("a", "b", 1.0)]


def test_what_the_staff_gave_is_no_sign_of_copying():
    assert similar({"a": {"s": LONG}, "b": {"s": LONG}}, [LONG]) == []
    assert similar({f"s{i}": {"s": LONG} for i in range(9)}, []) == []  # the whole class
    assert fingerprints("x = (") == set()


def test_what_code_does_beyond_its_exercise_is_named():
    cheat = ("import ctypes, sys\nimport numpy as np\nnp.allclose = lambda *a: True\n"
             "get_ipython().ast_transformers.append(1)\nsys.modules['numpy'] = None\n"
             "class Yes:\n    def __eq__(self, other):\n        return True")
    assert signs.signs(cheat) == [
        "imports ctypes: calls into C", "replaces np.allclose", "class Yes agrees with every "
        "comparison", "uses sys.modules: changes or reads loaded modules",
        "uses get_ipython.ast_transformers: changes cells before they run"]


@pytest.mark.parametrize("honest", [
    "import sys\nsys.exit(0)", "import sys; print(sys.version, file=sys.stderr)",
    "import gc\ngc.collect()", "import inspect\nprint(inspect.getsource(f))",
    "import numpy as np\nx = np.ones(3)\nx[0] = 2\nself.a = 1",
    "import torch\ntorch.backends.cudnn.deterministic = True",
    "get_ipython().run_line_magic('matplotlib', 'inline')",
    "import importlib\nimportlib.reload(helpers)",
    "class Point:\n    def __eq__(self, other):\n        return self.x == other.x",
])
def test_honest_code_is_no_sign(honest):
    assert signs.signs(honest) == []


def test_a_sign_that_the_staff_gave_is_none():
    cheat = "import numpy as np\nnp.allclose = lambda *a: True"
    one = Sheet("eve", cells=[SheetCell("x", "", cheat, False, "")],
                remarks=[Remark(Kind.LOG, "double: other outputs")])
    assert ("eve", "replaces np.allclose") in signs.beyond([one], [])
    assert signs.beyond([one], [cheat]) == []
    assert len(signs.log_mismatches([one])) == 1 and signs.noted([one]) == []


def test_the_command_reads_autograded_notebooks(tmp_path, monkeypatch, empty_gradebook, capsys):
    course = doubling.write_course(tmp_path, doubling.doubling_cells())
    shutil.copy(empty_gradebook, tmp_path / "gradebook.db")
    monkeypatch.chdir(tmp_path)
    assert main(["report", "doubling"]) == 2
    source = json.loads((tmp_path / "source/doubling/doubling.ipynb").read_text())
    for student, earned in (("ada", 4), ("bob", 0)):
        record = Graded(student, "doubling", "doubling", "graded", sheet(student, earned, 10).marks,
                        seconds={"double": 0.1}).summary()
        folder = tmp_path / "autograded" / student / "doubling"
        folder.mkdir(parents=True)
        notebook = source | {"metadata": {**source["metadata"], "viva": record}}
        (folder / "doubling.ipynb").write_text(json.dumps(notebook))
    assert [s.score for s in read_class(course, "doubling")] == [14, 10]
    assert main(["report", "doubling"]) == 0
    assert "2 submissions" in capsys.readouterr().out
    assert "double: values" in (tmp_path / "reports/doubling.html").read_text()


@pytest.mark.parametrize("code", [
    "    return " + " + ".join(["x"] * 1200), "    np" + ".a" * 1200 + " = 1",
    "    return 0x" + "f" * 5000, "    " + "-" * 3000 + "x",
    "    return " + "(" * 150 + "x" + ")" * 150,
    "".join(f"    np.a{i} = 1\n" for i in range(3000)),
], ids=["sum", "attributes", "number", "signs", "brackets", "replaces"])
def test_strange_code_is_reported_on(code):
    """Deeper than a recursion goes, or more than a page should hold."""
    strange = sheet("mallory", 0, 0, "squared", f"import numpy as np\ndef double(x):\n{code}\n")
    page = render("doubling", [strange, sheet("ada", 4, 10)], [], [])
    assert "1 student" in page and len(page) < 100_000


@pytest.mark.parametrize("correlation, says", [
    (-0.7, "better students do worse here"), (-0.01, "says little"), (0.1, "says little"),
    (0.3, "weakly"), (0.9, "tells apart")])
def test_chance_is_not_taken_for_a_bad_test(correlation, says):
    assert says in facts._verdict([0.0, 0.5, 1.0], correlation)
