"""Parts of the desk by themselves: what two cells share, a record read alone, a notebook shown."""

import json

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import marked_course
from viva_examiner.desk import notebook_view
from viva_examiner.desk.remembered import DeskState
from viva_examiner.desk.rooms.similar_room import side_by_side
from viva_examiner.gradebook import autograded, ledger, published
from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.nbgrader_steps.feedback_files import make_feedback
from viva_examiner.records import Graded, Mark
from viva_examiner.report.similar import shared_lines, stretches

LOOP = """def f(xs, limit):
    total = 0
    for position, x in enumerate(xs):
        if x > limit and position % 2 == 0:
            total = total + x * x - position
    return total"""
RENAMED = LOOP.replace("xs", "values").replace("total", "summe").replace("position", "i")
OTHER = "def f(xs, limit):\n    return sum(x for x in xs if x > limit)"
PIXEL = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
         "rkJggg==")


def test_renamed_code_is_shared_and_what_is_known_is_not():
    one, other = shared_lines(LOOP, RENAMED, set())
    assert one == other and {3, 4, 5} <= one
    assert shared_lines(LOOP, OTHER, set()) == (set(), set())
    assert shared_lines(LOOP, RENAMED, set(stretches(LOOP))) == (set(), set())
    assert shared_lines("x = (", LOOP, set()) == (set(), set())  # does not parse


def test_cells_that_share_most_come_first():
    both = side_by_side({"a": OTHER, "b": LOOP}, {"b": RENAMED, "a": "pass", "c": LOOP}, set())
    assert [each.name for each in both] == ["b", "a"]
    assert both[0].one.shared >= 3 and both[1].one.shared == both[1].other.shared == 0


def test_a_record_alone_is_the_record_whatever_a_student_wrote(tmp_path):
    graded = Graded("ada", "one", "one", "graded", {"test_f": Mark(2.0, 4.0)})
    forged = '], "metadata": {"viva": {"student": "eve"}}, "nbformat": 4, "nbformat_minor": 5}'
    cells = [{"cell_type": "markdown", "id": "x", "metadata": {RECORD: {"student": "eve"}},
              "source": forged}]
    for indent in (None, 1):  # as we write it, and as another program would
        path = tmp_path / f"{indent}.ipynb"
        path.write_text(json.dumps({"cells": cells, "metadata": {RECORD: graded.summary()},
                                    "nbformat": 4, "nbformat_minor": 5}, indent=indent))
        assert autograded.record(path) == graded
    path.write_text("{")
    assert autograded.record(path) is None and autograded.record(tmp_path / "none") is None


def test_a_notebook_is_shown_and_not_obeyed(tmp_path):
    hostile = "<script>alert(1)</script>"
    notebook = new_notebook(cells=[
        new_markdown_cell(f"Words {hostile} and $x^2$"),
        new_code_cell("print(1)", outputs=[
            new_output("stream", text=hostile), new_output("error", ename="E", evalue=hostile),
            new_output("display_data", {"text/html": f"<b style='color:red'>bold</b>{hostile}"}),
            new_output("display_data", {"image/png": PIXEL}),
            new_output("display_data", {"application/javascript": "alert(1)"})])])
    nbformat.write(notebook, tmp_path / "x.ipynb")
    words, code = notebook_view.cells(tmp_path / "x.ipynb")
    assert "<script" not in words.page and "Words" in words.page
    kinds = [output.kind for output in code.outputs]
    assert kinds == ["text", "error", "html", "picture"]
    assert code.outputs[2].page == "<b>bold</b>"
    assert code.outputs[3].text.startswith("data:image/png;base64,")
    (tmp_path / "broken.ipynb").write_text("{")
    assert notebook_view.cells(tmp_path / "broken.ipynb") == []


def test_feedback_is_noted_as_what_students_were_told(tmp_path, empty_gradebook):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook, ["dan"])
    marked_course.hand_in(course, "one", "ada", 6, 3)
    make_feedback(course, "one")
    with ledger.opened(course) as book:
        shown = published.last_published(book, "one")
    assert {student: each.words for (_, student), each in shown.items()} == {"ada": "9 of 10"}


def test_what_is_kept_is_read_again_when_the_gradebook_changes(tmp_path, empty_gradebook):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    kept, made = DeskState(course, "tina"), []
    make = lambda: made.append(1) or len(made)
    assert kept.once("x", kept.stamp("one"), make) == 1
    assert kept.once("x", kept.stamp("one"), make) == 1
    marked_course.hand_in(course, "one", "ada", 6, 3)
    assert kept.once("x", kept.stamp("one"), make) == 2
    (course.root / "submitted" / "bob" / "one").mkdir(parents=True)
    assert kept.once("x", kept.stamp("one"), make) == 3
    assert kept.once("x", None, make) == 4  # a database that tells nothing
