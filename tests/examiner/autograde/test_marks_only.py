"""`viva autograde --marks`: the same marks without the cells that decide none."""

import json
from pathlib import Path

import nbformat
import pytest

import one_homework
from viva_examiner.autograde.run import autograde
from viva_examiner.demo.cohort import CHEAT, with_first_cell
from viva_examiner.examination.as_handed_in import MARK

HOMEWORK = one_homework.HOMEWORK


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = one_homework.make(tmp_path_factory.mktemp("course"), names=("stable_softmax",))
    released = nbformat.read(
        Path(course.path("release", ".", HOMEWORK)) / f"{HOMEWORK}.ipynb", as_version=4)
    right = one_homework.answered(released)
    moved = nbformat.from_dict(right)
    moved.cells.insert(1, moved.cells.pop(next(
        i for i, cell in enumerate(moved.cells) if cell.id == "figure")))
    edited = nbformat.from_dict(right)  # a changed look cell that breaks what was right
    next(cell for cell in edited.cells if cell.id == "figure").source = (
        "def stable_softmax(x, axis=-1): return x")
    edited.cells.insert(2, edited.cells.pop(next(
        i for i, cell in enumerate(edited.cells) if cell.id == "figure")))
    shown = nbformat.from_dict(right)
    next(cell for cell in shown.cells if cell.id == "figure").outputs = [nbformat.v4.new_output(
        "stream", text="my own output\n")]
    students = {"right": right, "untouched": released, "moved": moved, "edited": edited,
                "wrong": one_homework.answered(released, stable_softmax=one_homework.WRONG_AXIS),
                "cheat": with_first_cell(released, CHEAT), "shown": shown}
    for student, notebook in students.items():
        folder = Path(course.path("submitted", student, HOMEWORK))
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{HOMEWORK}.ipynb")
    return course


def marks(course) -> dict:
    return {path.parts[-3]: {name: mark["score"] for name, mark in
                             json.loads(path.read_text())["metadata"]["viva"]["marks"].items()}
            for path in Path(course.root).glob("autograded/*/*/*.ipynb")}


def figure_of(course, student: str) -> dict:
    path = Path(course.path("autograded", student, HOMEWORK)) / f"{HOMEWORK}.ipynb"
    return next(cell for cell in json.loads(path.read_text())["cells"] if cell["id"] == "figure")


def test_marks_are_the_same_and_the_rest_is_shown_as_handed_in(course):
    autograde(course, HOMEWORK, marks_only=True)
    quick = marks(course)
    assert len(quick) == 7 and quick["right"]["test_stable_softmax"] == 5
    texts = [output.get("text", "") for output in figure_of(course, "shown")["outputs"]]
    assert texts == [MARK, "my own output\n"]
    assert quick["edited"]["test_stable_softmax"] < 5  # what a student changed always runs

    again = autograde(course, HOMEWORK, marks_only=True)
    assert (len(again.results), again.skipped) == (0, 7)
    whole = autograde(course, HOMEWORK)  # asked for everything, it runs everything
    assert len(whole.results) == 7
    assert marks(course) == quick
    assert any("image/png" in output.get("data", {})
               for output in figure_of(course, "shown")["outputs"])
    assert autograde(course, HOMEWORK, marks_only=True).skipped == 7  # all of it is there already
