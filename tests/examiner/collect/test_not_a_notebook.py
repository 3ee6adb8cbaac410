"""A PDF that was collected: handed in, in every export, until somebody has given marks."""

from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from collecting import PEOPLE
from marked_course import hand_in, write_course
from platform_exports import archive, canvas, canvas_text
from viva_examiner.cli import main
from viva_examiner.gradebook.results import Results
from viva_examiner.gradebook.standing import LOOK, NOT_A_NOTEBOOK, NOT_HANDED_IN


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    """ada hands in a PDF, bob a text, cyd nothing."""
    course = write_course(tmp_path / "course", empty_gradebook, ["ada", "bob", "cyd"])
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        for each in PEOPLE:
            gradebook.update_or_create_student(each["id"], lms_user_id=each["lms_user_id"])
    monkeypatch.chdir(course.root)
    released = Path(course.path("release", ".", "one"))
    if not released.is_dir():
        released.mkdir(parents=True)
        (released / "one.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4}')
    files = canvas("Lovelace, Ada", 101, {"work.pdf": b"%PDF"}) | canvas_text("x", 102, b"<p>hi")
    export = archive(tmp_path, "export.zip", files)
    assert main(["collect", "one", str(export), "--yes"]) == 1, "somebody has to look"
    return course


@pytest.mark.parametrize("form", ["csv", "canvas", "moodle", "exercises", "items"])
def test_a_pdf_is_handed_in_in_every_export(course, form, capsys):
    assert main(["export", "one", "--for", form, "--to", "out.csv"]) == 0
    assert f"{NOT_A_NOTEBOOK}: ada, bob" in capsys.readouterr().out
    text = (course.root / ("out_notes.csv" if form == "canvas" else "out.csv")).read_text()
    rows = {name: row for row in text.splitlines() for name in ("ada", "bob", "cyd") if name in row}
    assert NOT_A_NOTEBOOK in rows["ada"] and NOT_A_NOTEBOOK in rows["bob"]
    assert NOT_HANDED_IN in rows["cyd"]


@pytest.mark.parametrize("form", ["exercises", "items"])
def test_each_exercise_says_so_too_once_it_is_autograded(course, form):
    hand_in(course, "one", "ada", 0.0, look=True)
    hand_in(course, "one", "cyd", 0.0, look=True)
    folder = Path(course.path("submitted", "cyd", "one"))
    folder.mkdir(parents=True)
    (folder / "one.ipynb").write_text("not readable, but called a notebook")
    assert main(["export", "one", "--for", form, "--to", "out.csv"]) == 0
    rows = (course.root / "out.csv").read_text().splitlines()
    own = [row for row in rows if ",ada," in row]
    assert len(own) == 2 and all(row.endswith(f'"{NOT_A_NOTEBOOK}"') for row in own)
    assert [row for row in rows if ",cyd," in row and row.endswith(LOOK)]


def test_it_stays_so_after_autograding_until_marks_are_given_by_hand(course):
    def standings():
        with Gradebook(course.db_url, course.directory.course_id) as gradebook:
            return {each.student.id: each.standing for each in Results(gradebook, course).of("one")}

    hand_in(course, "one", "ada", 0.0, 0.0, look=True)
    hand_in(course, "one", "bob", 4.0, 3.0)
    assert standings()["ada"].note == NOT_A_NOTEBOOK and standings()["ada"].score is None
    assert standings()["bob"].note == "" and standings()["bob"].score == 7.0
