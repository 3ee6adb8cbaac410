"""The feedback page: marks per item, hints and figures, and no line of a hidden test."""

import base64
import json
from pathlib import Path

import nbformat
import pytest

import courses
import one_homework
import plain_course
from one_homework import HOMEWORK
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.nbgrader_steps.preprocessors import MAX_OUTPUT, HideTests

GIANT = 3_000_000


@pytest.fixture(scope="module")
def page(tmp_path_factory, examiner_here):
    """The page of a student with a mistake, after an autograded notebook of the worst kind."""
    course = one_homework.make(tmp_path_factory.mktemp("course"))
    released = nbformat.read(f"{course.path('release', '.', HOMEWORK)}/{HOMEWORK}.ipynb", 4)
    notebook = one_homework.answered(released, stable_softmax=one_homework.WRONG_AXIS)
    for student in ("ada", "a\nb"):  # which once ended the feedback of all after it
        courses.hand_in(course, HOMEWORK, student, nbformat.writes(notebook).encode())
    autograde(course, HOMEWORK, run=examiner_here.run)
    path = Path(course.path("autograded", "ada", HOMEWORK)) / f"{HOMEWORK}.ipynb"
    graded = json.loads(path.read_text())
    graded["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {}}
    setup = next(cell for cell in graded["cells"] if cell["id"] == "setup")
    setup["outputs"] += [
        {"output_type": "stream", "name": "stdout", "text": "x" * GIANT},
        {"output_type": "display_data", "metadata": {}, "data": {
            "application/vnd.jupyter.widget-view+json": {"model_id": "1", "version_major": 2},
            "text/plain": "a slider"}},
        {"output_type": "display_data", "metadata": {}, "data": {
            "image/png": base64.b64encode(b"p" * 2 * GIANT).decode(), "text/plain": "a poster"}},
    ]
    path.write_text(json.dumps(graded))
    courses.nbgrader_here(course.root, "generate_feedback", HOMEWORK)
    return (course.root / "feedback" / "ada" / HOMEWORK / f"{HOMEWORK}.html").read_text()


def test_no_line_of_a_hidden_test_is_on_the_page(page):
    for line in ("from viva_course", "examine(", "BEGIN HIDDEN", "END HIDDEN"):
        assert line not in page
    assert page.count("# Hidden tests ran here.") == 2


def test_marks_per_item_and_the_hint_are_on_the_page(page):
    from viva_course import exercises

    softmax = exercises()["stable_softmax"]
    for item in softmax.items:
        assert item.name in page
    wrong = next(m for m in softmax.mistakes if m.slug == "global_max_flat_sum")
    assert "Usual cause:" in page and wrong.hint in page
    assert "of 5 points" in page


def test_a_check_without_points_is_not_listed_as_a_test(page):
    assert 'href="#test_stable_softmax"' in page and 'href="#check_' not in page


def test_the_students_figure_is_on_the_page(page):
    assert "data:image/png;base64,iVBOR" in page


def test_giant_outputs_and_widgets_are_survived(page):
    assert len(page) < GIANT
    assert "x" * 1000 in page and "(output shortened)" in page
    assert "a slider" in page and "a poster" in page
    assert "widget-view" not in page


def test_remarks_for_staff_stay_with_staff():
    notebook = plain_course.source_notebook()
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("cheated?", id="viva-remarks"))
    notebook.metadata["viva"] = {"remarks": ["cheated?"]}
    shown, _ = HideTests().preprocess(notebook, {})
    assert "cheated?" not in nbformat.writes(shown)


def test_a_failed_hidden_test_shows_its_message_not_its_code():
    notebook = plain_course.source_notebook()
    cell = next(cell for cell in notebook.cells if cell.get("id") == "test_squares")
    secret = "assert squares(17) == 289"
    cell.outputs = [nbformat.v4.new_output(
        "error", ename="AssertionError", evalue="squares of large numbers",
        traceback=[f"----> 1 {secret}", "AssertionError: squares of large numbers"])]
    cell.outputs += [nbformat.v4.new_output("stream", text="y" * 2 * MAX_OUTPUT)]
    shown, _ = HideTests().preprocess(notebook, {})
    text = nbformat.writes(shown)
    assert secret not in text and "squares of large numbers" in text
    assert len(text) < 2 * MAX_OUTPUT
