"""A student's hour on hand_design_transformer: a wrong answer, its hint, a right one, the log."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from lab import WRONG, Notebook
from repository import ROOT

HOMEWORK = "hand_design_transformer"
STDERR = ".jp-OutputArea-output[data-mime-type*=stderr]"


def source(cell_id: str) -> str:
    """A cell of the staff's notebook."""
    notebook = nbformat.read(ROOT / "source" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    return next(cell.source for cell in notebook.cells if cell.id == cell_id)


@pytest.fixture()
def desk(tmp_path):
    """The homework as a student has unpacked it."""
    return Path(shutil.copytree(ROOT / "release" / HOMEWORK, tmp_path / "viva" / HOMEWORK))


@pytest.mark.browser
def test_a_students_hour(page, picture, serve, desk):
    address = serve(desk)
    notebook = Notebook(page, address, f"{HOMEWORK}.ipynb")
    notebook.write("setup", source("setup").replace('student=""', 'student="ada"'))
    assert "0 of 12 exercises pass; student ada" in notebook.run("setup").inner_text()

    notebook.run("stable_softmax-solution")
    card = notebook.run("stable_softmax-check").locator(".viva-card")
    assert "not written yet" in card.inner_text()

    answer(notebook, "stable_softmax", WRONG)
    card = notebook.run("stable_softmax-check").locator(".viva-card[data-status=failed]")
    card.wait_for()
    assert "usual cause" in card.inner_text()
    assert "difference" in card.locator("img").last.get_attribute("alt")
    picture(card, "card")
    notebook.theme("JupyterLab Dark")
    picture(card, "card-dark")
    notebook.theme("JupyterLab Light")
    card.get_by_text("Hints for").click()
    page.locator("summary:visible", has_text="Hint 1").first.click()

    answer(notebook, "stable_softmax", source("stable_softmax-solution"))
    card = notebook.run("stable_softmax-check").locator(".viva-card[data-status=passed]")
    card.wait_for()
    assert "1 of 12 exercises pass" in card.inner_text()

    notebook.restart()
    assert "1 of 12 exercises pass" in notebook.run("setup").inner_text()
    notebook.run("min_score_gap-solution")
    assert "write min_score_gap first" in notebook.run("min_score_gap-look").inner_text()
    answer(notebook, "min_score_gap", source("min_score_gap-solution"))
    figure = notebook.run("min_score_gap-look").locator("img")
    assert "score gap" in figure.get_attribute("alt")

    card = notebook.run("submit").locator(".viva-card")
    assert "~/viva" in card.inner_text() and "submission_log.json" in card.inner_text()
    assert "○ to do" in card.inner_text()
    picture(card, "submit")
    assert page.locator(STDERR).count() == 0
    notebook.save()

    # The same notebook in Notebook 7: what was shown is there, and checks go on.
    notebook = Notebook(page, address, f"{HOMEWORK}.ipynb", view="notebooks")
    notebook.choose("submit")
    page.locator(".viva-card").get_by_text(f"{HOMEWORK}: 1 of 12 exercises pass").wait_for()
    notebook.run("min_score_gap-solution")
    card = notebook.run("min_score_gap-check").locator(".viva-card[data-status=passed]")
    card.wait_for()
    assert page.locator(STDERR).count() == 0
    notebook.save()
    log = json.loads((desk / "submission_log.json").read_text())
    assert log["student"] == "ada"
    assert log["exercises"]["stable_softmax"]["status"] == "passed"


def answer(notebook: Notebook, exercise: str, code: str) -> None:
    """Type an answer and run its cell."""
    notebook.write(f"{exercise}-solution", code)
    notebook.run(f"{exercise}-solution")
