"""A student's hour on hand_design_transformer: a wrong answer, its hint, a right one, the log."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from lab import WRONG, Notebook, jupyter_lab

HOMEWORK = "hand_design_transformer"
ROOT = Path(__file__).parents[2]

def solution(exercise: str) -> str:
    source = nbformat.read(ROOT / "source" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    return next(cell.source for cell in source.cells
                if cell.metadata.get("nbgrader", {}).get("grade_id") == exercise)


@pytest.mark.browser
def test_a_students_hour(page, picture, tmp_path):
    desk = tmp_path / "desk"
    shutil.copytree(ROOT / "release" / HOMEWORK, desk)
    with jupyter_lab(desk, tmp_path) as address:
        notebook = Notebook(page, address, f"{HOMEWORK}.ipynb")
        shown = notebook.run("setup")
        assert "0 of 12 exercises pass" in shown.inner_text()

        notebook.run("stable_softmax-solution")
        card = notebook.run("stable_softmax-check").locator(".viva-card")
        assert "not written yet" in card.inner_text()

        notebook.write("stable_softmax-solution", WRONG)
        notebook.run("stable_softmax-solution")
        card = notebook.run("stable_softmax-check").locator(".viva-card[data-status=failed]")
        card.wait_for()
        assert "usual cause" in card.inner_text()
        picture(card, "card")

        notebook.write("stable_softmax-solution", solution("stable_softmax"))
        notebook.run("stable_softmax-solution")
        card = notebook.run("stable_softmax-check").locator(".viva-card[data-status=passed]")
        card.wait_for()
        assert "1 of 12 exercises pass" in card.inner_text()

        card = notebook.run("submit").locator(".viva-card")
        assert "submission_log.json" in card.inner_text()
        assert "○ to do" in card.inner_text()
        picture(card, "submit")
        assert page.locator(".jp-OutputArea-output[data-mime-type*=stderr]").count() == 0
    log = json.loads((desk / "submission_log.json").read_text())
    assert log["exercises"]["stable_softmax"]["status"] == "passed"
