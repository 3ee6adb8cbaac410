"""Requests for a second look are recognised by the platforms' rules, as the log is."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from collecting import PEOPLE, collected, notebook
from marked_course import hand_in, write_course
from platform_exports import archive, blackboard, brightspace, canvas, gradescope, moodle
from viva_examiner.cli import main
from viva_examiner.gradebook import request_book

ASKS = json.dumps({"schema": "viva-request/1", "homeworks": {"one": {"requests": {
    "test_sum": {"because": "It is right.", "time": "2026-02-03T07:00:00Z"}}}}}).encode()
FILE = {"regrade_request.json": ASKS}
WORK = notebook("one", "test_one", "two", text="mine")

PLATFORMS = {
    "Canvas": canvas("Lovelace, Ada", 101, FILE),
    "Canvas, a second copy": canvas("Lovelace, Ada", 101, {"regrade_request (1).json": ASKS}),
    "Moodle": moodle("Ada Lovelace", 17, FILE),
    "Moodle, flat": moodle("Ada Lovelace", 17, FILE, flat=True),
    "Blackboard": blackboard("Attention", "ada", "Ada Lovelace", "2026-10-12-17-05-09", FILE),
    "Brightspace": brightspace("Ada Lovelace", 1234, datetime(2026, 10, 12, 17, 5), FILE),
    "Gradescope": gradescope([([("Ada Lovelace", "ada", "ada@example.org")],
                               "2026-10-12 17:05:09.000000000 Z", FILE)]),
    "a folder for each": {"ada/regrade_request.json": ASKS, "bob/attention.ipynb": WORK},
    "a file": {"ada_regrade_request.json": ASKS},
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_request_alone_is_no_submission_and_reaches_its_owner(tmp_path, platform):
    found = collected(archive(tmp_path, "export.zip", PLATFORMS[platform]))
    assert {student: asks.data for student, asks in found.requests.items()} == {"ada": ASKS}
    assert "ada" not in found.taken and found.open == 0


def test_with_the_notebook_it_is_taken_beside_it(tmp_path):
    files = canvas("Lovelace, Ada", 101, {"attention.ipynb": WORK, **FILE})
    found = collected(archive(tmp_path, "export.zip", files))
    assert list(found.taken["ada"].files) == ["attention.ipynb"]
    assert found.requests["ada"].data == ASKS and found.refused == []


def test_the_newest_of_two_counts_and_a_later_notebook_stays_the_submission(tmp_path):
    new = ASKS.replace(b"right", b"wrong")
    files = (brightspace("Ada Lovelace", 1234, datetime(2026, 10, 12, 17, 5), FILE)
             | brightspace("Ada Lovelace", 1234, datetime(2026, 10, 13, 17, 5),
                           {"regrade_request.json": new})
             | brightspace("Ada Lovelace", 1234, datetime(2026, 10, 1, 12), {
                 "attention.ipynb": WORK}))
    found = collected(archive(tmp_path, "export.zip", files))
    assert found.requests["ada"].data == new
    assert found.taken["ada"].has_notebook


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    """ada's work is graded; the homework is released."""
    course = write_course(tmp_path / "course", empty_gradebook, ["ada", "bob", "cyd"])
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        for each in PEOPLE:
            about = {name: each[name] for name in ("first_name", "last_name", "lms_user_id")}
            gradebook.update_or_create_student(each["id"], **about)
    released = Path(course.path("release", ".", "one"))
    released.mkdir(parents=True)
    cell = {"cell_type": "code", "source": "", "outputs": [], "execution_count": None,
            "metadata": {"nbgrader": {"grade_id": "test_sum"}}}
    (released / "one.ipynb").write_text(json.dumps(
        {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    hand_in(course, "one", "ada", 2.0, 1.0)
    monkeypatch.chdir(course.root)
    return course


def test_collect_shows_it_asks_and_puts_it_into_the_gradebook(course, tmp_path, monkeypatch,
                                                              capsys):
    export = archive(tmp_path, "export.zip", PLATFORMS["Canvas"])
    assert main(["collect", "one", str(export), "--dry-run"]) == 0
    assert "ada asks for a second look" in capsys.readouterr().out
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "n")
    assert main(["collect", "one", str(export)]) == 2
    assert asked == ["Take in requests of 1? [y/N] "]
    with request_book.opened(course, "one") as queue:
        assert queue.all() == []
    assert main(["collect", "one", str(export), "--yes"]) == 0
    assert "ada asks about test_sum" in capsys.readouterr().out
    with request_book.opened(course, "one") as queue:
        assert [(each.student, each.because) for each in queue.waiting()] == [
            ("ada", "It is right.")]
    assert not (course.root / "submitted").exists()


def test_the_same_work_handed_in_again_with_a_request_is_not_late(course, tmp_path, capsys):
    work = notebook("test_sum", text="mine")
    on_time, late = datetime(2026, 1, 30, 12), datetime(2026, 2, 5, 12)
    first = archive(tmp_path, "first.zip",
                    brightspace("Ada Lovelace", 7, on_time, {"one.ipynb": work}))
    stamp = Path(course.path("submitted", "ada", "one")) / "timestamp.txt"
    assert main(["collect", "one", str(first), "--yes"]) == 0
    before = stamp.read_text()
    again = archive(tmp_path, "again.zip",
                    brightspace("Ada Lovelace", 7, late, {"one.ipynb": work, **FILE}))
    assert main(["collect", "one", str(again), "--yes"]) == 0
    assert stamp.read_text() == before and "1 unchanged" in capsys.readouterr().out
    other = notebook("test_sum", text="another")
    changed = archive(tmp_path, "changed.zip",
                      brightspace("Ada Lovelace", 7, late, {"one.ipynb": other, **FILE}))
    assert main(["collect", "one", str(changed), "--yes"]) == 0
    assert stamp.read_text() != before, "other work is another attempt"
