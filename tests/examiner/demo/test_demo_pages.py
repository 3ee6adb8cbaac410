"""What the demo says at its end."""

import ast
import sys
from argparse import Namespace

import nbformat
import pytest

from repository import ROOT
from viva_examiner.cli import demo
from viva_examiner.course import Course
from viva_examiner.demo import cohort, pages, play
from viva_examiner.demo.cohort import solutions
from viva_examiner.demo.play import reason
from viva_examiner.harmless import harmless_markdown
from viva_examiner.notebook.metadata import has_role
from viva_examiner.records import Graded, Kind, Mark, Remark

COURSE = Course(ROOT)


def graded(score: float, *remarks: str) -> Graded:
    marks = {"test_f": Mark(score, 90.0, "wrong"), "written": Mark(None, 10.0, manual=True)}
    return Graded("ada", "hw", "hw", "graded", marks,
                  remarks=tuple(Remark(Kind.CRASHED, text) for text in remarks))


def test_a_crash_that_cost_nothing_is_said_so():
    assert reason(graded(90.0, "crashed with SIGSEGV")) == "crashed once, went on: 90 / 90"
    assert reason(graded(80.0, "crashed with SIGSEGV")) == "crashed with SIGSEGV"
    assert reason(graded(90.0)) == "full marks on all hidden tests"


def test_an_exercise_is_called_by_its_own_name_and_a_mark_not_rounded():
    lost = {f"test_f{number}": Mark(0.0, 5.0) for number in range(4)}
    assert reason(Graded("ada", "hw", "hw", "graded", lost)) == (
        "4 exercises with no points, f0 the first")
    lost = {"test_f": Mark(2.0, 5.0, "values differ")}
    assert reason(Graded("ada", "hw", "hw", "graded", lost)) == "f: values differ"
    assert "88.25 / 90" in pages.table([row(score=88.25, points=90.0)])


def row(**changes) -> dict:
    return {"homework": "hw", "student": "ada", "did": "", "score": 1.0, "points": 2.0,
            "reason": "short"} | changes


def test_no_line_is_cut_in_the_middle_of_a_word():
    words = [f"word{number}" for number in range(60)]
    told = pages.table([row(reason=" ".join(words)), row(student="a-longer-name")], 80)
    assert all(len(line) <= 80 for line in told.splitlines())
    assert set(words) <= set(told.split())


def test_one_page_leads_to_all_others(tmp_path):
    report = tmp_path / "reports" / "hw.html"
    report.parent.mkdir()
    report.write_text("")
    page = pages.write_index(tmp_path, [row(reason="<b>bold</b>"), row(homework="other")])
    text = page.read_text()
    assert 'href="reports/hw.html"' in text and "reports/other" not in text
    assert "&lt;b&gt;" in text and "<b>bold" not in text


@pytest.mark.parametrize("terminal", [True, False])
def test_the_demo_ends_with_the_address_of_its_desk(tmp_path, monkeypatch, capsys, terminal):
    """Served where somebody sits at the terminal; a script is told how, and ends."""
    served = []
    monkeypatch.setattr(play, "play", lambda course, folder, homeworks: [row()])
    monkeypatch.setattr(demo, "write_report", lambda course, homework: None)
    monkeypatch.setattr(demo, "serve", lambda course, **options: served.append(course.root))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    for folder in (tmp_path, tmp_path / "demo"):
        folder.mkdir(exist_ok=True)
        (folder / "nbgrader_config.py").write_text(
            "c = get_config()\nc.Examiner.course = 'viva_course'\n")
    assert demo.run(Namespace(homework=["hw"], no_browser=True), Course(tmp_path)) == 0
    said = capsys.readouterr().out.splitlines()
    assert served == ([tmp_path / "demo"] if terminal else [])
    assert "desk of the demo course" in said[-1] and "index.html" in " ".join(said)
    assert (tmp_path / "demo" / "index.html").is_file()


@pytest.mark.parametrize("homework", COURSE.homeworks())
def test_the_model_answers_are_shown_as_a_student_would_have_written_them(homework):
    source = nbformat.read(COURSE.root / "source" / homework / f"{homework}.ipynb", as_version=4)
    answers = solutions(source)
    for cell in source.cells:
        if cell.cell_type == "markdown" and has_role(cell, "solution"):
            answer = answers[cell.metadata.nbgrader.grade_id]
            assert harmless_markdown(answer) == answer, cell.metadata.nbgrader.grade_id


def test_a_mistake_that_takes_a_value_of_the_exam_along_is_no_students_cell():
    definition = ast.parse("def mean(x, least=least, *, most=1, axis=np.pi):\n    return x").body[0]
    assert cohort._names_in_defaults(definition) == {"least", "np"}
