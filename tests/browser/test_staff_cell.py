"""Staff add an exercise's cells with nbgrader's toolbar, save, format and release."""


import nbformat
import pytest

from lab import Notebook
from repository import ROOT
from viva_examiner import cli
from viva_examiner.course import Course
from viva_examiner.demo import play

HOMEWORK = "purification"
ANSWER = '''def halve(x):
    """x / 2"""
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION
'''
TEST = '''# Hidden tests run here.
### BEGIN HIDDEN TESTS
assert halve(3) == 1.5
### END HIDDEN TESTS
'''


@pytest.fixture()
def course(tmp_path):
    return play.prepare(Course(ROOT), tmp_path / "course")


def insert_below(page, code: str, kind: str, name: str, points: str = "") -> None:
    """A new cell below the active one, made a graded one with nbgrader's toolbar."""
    index = page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
    page.evaluate("window.jupyterapp.commands.execute('notebook:insert-cell-below')")
    page.evaluate("(code) => window.jupyterapp.shell.currentWidget.content.activeCell.model"
                  ".sharedModel.setSource(code)", code)
    settings = page.locator(".nbgrader-CellWidget").nth(index + 1)
    settings.locator("select").select_option(label=kind)
    settings.locator(".nbgrader-CellId input").fill(name)
    settings.locator(".nbgrader-CellId input").press("Tab")
    if points:
        settings.locator(".nbgrader-CellPoints input").fill(points)
        settings.locator(".nbgrader-CellPoints input").press("Tab")


@pytest.mark.browser
def test_an_exercise_by_the_toolbar(page, serve, course, monkeypatch):
    path = course.root / "source" / HOMEWORK / f"{HOMEWORK}.ipynb"
    notebook = Notebook(page, serve(course.root), str(path.relative_to(course.root)))
    page.get_by_role("tab", name="Create Assignment").click()
    notebook.choose("purification_losses-hints")
    insert_below(page, ANSWER, "Autograded answer", "halve")
    insert_below(page, TEST, "Autograded tests", "test_halve", "2")
    notebook.save()

    monkeypatch.chdir(course.root)
    assert cli.main(["format", "--check"]) == 1  # an editor's traces are in it
    assert cli.main(["format"]) == 0
    assert cli.main(["release", HOMEWORK]) == 0
    released = nbformat.read(course.root / "release" / HOMEWORK / path.name, as_version=4)
    made = {cell.metadata.nbgrader.grade_id: cell for cell in released.cells
            if "halve" in cell.metadata.get("nbgrader", {}).get("grade_id", "")}
    assert "YOUR CODE HERE" in made["halve"].source and "x / 2" in made["halve"].source
    assert made["test_halve"].metadata.nbgrader.points == 2
    assert "assert" not in made["test_halve"].source
