"""What `viva` says to a TA: true about everybody, no word cut, and what to do next."""

import argparse
import io
import json
import os
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter

from marked_course import hand_in, notebook, write_course
from viva_examiner.autograde.changes import MarkChange
from viva_examiner.autograde.grading_run import Summary
from viva_examiner.autograde.progress import Progress
from viva_examiner.autograde.regraded import lines
from viva_examiner.cli import main
from viva_examiner.cli.regrade import _headline
from viva_examiner.gradebook.standing import NOT_EXAMINED, NOT_HANDED_IN
from viva_examiner.harmless import one_line
from viva_examiner.nbgrader_steps.feedback_page import FeedbackPage
from viva_examiner.records import Graded

PICTURE = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBORw0KGgo="}}


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    course = write_course(tmp_path / "course", empty_gradebook, ["ada", "bob"])
    monkeypatch.chdir(course.root)
    return course


def put(course, student: str, homework: str) -> None:
    """A submission that nobody has autograded."""
    folder = Path(course.path("submitted", student, homework))
    folder.mkdir(parents=True)
    (folder / f"{homework}.ipynb").write_text(notebook())


@pytest.mark.parametrize("form", ["csv", "canvas", "moodle", "exercises", "items"])
def test_what_lies_in_submitted_is_never_called_not_handed_in(course, form, capsys):
    put(course, "ada", "two")
    put(course, "zoe", "two")  # of whom nbgrader's table of students does not know
    (course.root / "roster.csv").write_text("student,homework,group\nzoe,two,red\ncyd,two,red\n")
    assert main(["export", "two", "--for", form, "--to", "out.csv"]) == 0
    said = capsys.readouterr().out
    assert f"{NOT_EXAMINED} (`viva autograde two`): ada, zoe" in said
    assert f"{NOT_HANDED_IN}: bob" in said
    text = (course.root / ("out_notes.csv" if form == "canvas" else "out.csv")).read_text()
    rows = {name: row for row in text.splitlines() for name in ("ada", "bob", "zoe") if name in row}
    assert NOT_EXAMINED in rows["ada"] and NOT_EXAMINED in rows["zoe"]
    assert NOT_HANDED_IN in rows["bob"]


def test_the_group_of_an_unexamined_submission_has_handed_in(course, capsys):
    put(course, "ada", "two")
    for name in ("ada", "bob"):
        assert main(["roster", name, "two", "--group", "red"]) == 0
    assert main(["export", "two"]) == 0
    assert f"{NOT_EXAMINED} (`viva autograde two`): ada, bob" in capsys.readouterr().out


def test_an_export_names_every_file_it_wrote(course, capsys):
    assert main(["export", "one", "--for", "canvas"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-2:] == ["exports/one-canvas.csv", "exports/one-canvas_notes.csv"]


def test_a_class_of_nobody_is_said_so(tmp_path, empty_gradebook, monkeypatch, capsys):
    monkeypatch.chdir(write_course(tmp_path / "course", empty_gradebook).root)
    assert main(["export", "one"]) == 2
    assert "there are no students yet" in capsys.readouterr().err
    assert not Path("exports").exists()


@pytest.mark.parametrize("words, says", [
    (["bobb"], "viva roster: there is no student bobb; did you mean bob?"),
    (["bobb", "--late-days", "1"], "viva roster: there is no student bobb; did you mean bob?"),
    (["bob", "--extension", "two"], "viva roster: extension_days is a number of days, 0 to 3650, "
     "not two"),
    (["--extension", "2"], "viva roster: which student? Name one before the options, or '*' for "
     "everybody"),
    (["--in", "nowhere.csv"], "viva roster: nowhere.csv: No such file or directory"),
])
def test_a_slip_with_the_roster_is_told_in_plain_words(course, words, says, capsys):
    assert main(["roster", *words]) == 2
    assert capsys.readouterr().err.strip() == says


def test_one_day_is_no_days(course, capsys):
    assert main(["roster", "bob", "two", "--extension", "1"]) == 0
    assert main(["roster", "bob", "--late-days", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "bob, all homeworks: 1 late day", "bob, two: due 1 day later", "bob: 1 of 1 late day left"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [60, 100, 200])
def test_the_line_at_the_bottom_fits_and_cuts_no_word(columns, monkeypatch):
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_: os.terminal_size((columns, 24)))
    stream = Terminal()
    progress = Progress(stream=stream)
    progress.on_event("start", total=200, skipped=0)
    names = [f"student-with-a-long-name-{number:03}" for number in range(9)]
    for name in names:
        progress.on_event("grading", job=Graded(name, "one", "one", "graded", {}))
    line = stream.getvalue().split("\x1b[K")[-1]
    assert len(line) < columns
    words = [word.strip(",") for word in line.split() if word.startswith("student-")]
    assert set(words) <= set(names)


def test_a_long_remark_ends_with_a_whole_word():
    said = one_line("remarkable " * 100, 50)
    assert set(said.removesuffix(" …").split()) == {"remarkable"} and len(said) < 53


def pages(course) -> dict[str, str]:
    assert main(["feedback", "one"]) == 0
    return {name: (Path(course.path("feedback", name, "one")) / "one.html").read_text()
            for name in ("ada", "bob")}


def test_a_feedback_page_is_that_of_nbconvert_without_its_second_reading(course, monkeypatch):
    """The same page, tag by tag, as if nbconvert had taken it apart once more."""
    hand_in(course, "one", "ada", 6.0, answer=r"Because $a<b$.\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    hand_in(course, "one", "bob", 2.0, answer="A <b>bold</b> claim, and `code` with &lt;tags&gt;")
    path = Path(course.path("autograded", "bob", "one")) / "one.ipynb"
    graded = json.loads(path.read_text())
    graded["cells"][1]["outputs"] = [PICTURE]
    path.write_text(json.dumps(graded))
    quick = pages(course)
    monkeypatch.setattr(FeedbackPage, "_page", lambda self, notebook, resources, options:
                        HTMLExporter.from_notebook_node(self, notebook, resources, **options))
    for name, slow in pages(course).items():
        slow = slow.replace("No description has been provided for this image",
                            "A picture without a description")
        assert str(BeautifulSoup(quick[name], "html.parser")) == str(
            BeautifulSoup(slow, "html.parser"))
    assert 'alt="A picture without a description"' in quick["bob"]


def test_a_tag_that_a_student_leaves_open_ends_with_its_cell(course):
    hand_in(course, "one", "ada", 6.0, answer="Because of <b>this")
    hand_in(course, "one", "bob", 6.0)
    page = pages(course)["ada"]
    assert "Because of <b>this</b>" in page


@pytest.mark.parametrize("dry_run, look", [(True, "would be marked"), (False, "is marked")])
def test_a_regrading_says_what_it_did_or_would_do(dry_run, look):
    change = MarkChange("ada", "test_sum", "values", 0.0, 1.5, "the exam has changed")
    told = lines([change], {("ada", "test_sum"): 8.0}, dry_run)
    assert told[-1].strip() == (
        f"a TA gave 8 points here; they stand, and the cell {look} for another look")
    summary = Summary(results=[Graded("ada", "one", "one", "graded", {})], skipped=1,
                      changes=[change])
    said = _headline(argparse.Namespace(homework="one", dry_run=dry_run), summary)
    assert said.startswith("one: 1 submission examined again, 1 rests on nothing that has changed; "
                           f"1 mark {'would change' if dry_run else 'changed'}")
