"""`viva collect`: whose an upload is, which file counts, and what is said about the rest."""

import io
import json
import stat
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from viva_examiner.collect.attempts import Attempts
from viva_examiner.collect.students import Students
from viva_examiner.collect.taking import collect, place
from viva_examiner.gradebook import roster as rosters
from viva_examiner.gradebook.roster import Line, Roster
from viva_examiner.notebook.whose_homework import Face, plain_stem, recognised

TABLE = Students.of([
    {"id": "ada", "first_name": "Ada", "last_name": "Lovelace", "lms_user_id": "101",
     "email": "ada@example.org"},
    {"id": "bob", "first_name": "Bob", "last_name": "Byron", "lms_user_id": "102"},
    {"id": "cyd", "first_name": "Cyd", "last_name": "Byron", "lms_user_id": "103"},
])
NOBODY = Students()
FACES = [Face("attention", "attention", frozenset({"one", "test_one", "two"}),
              frozenset({"one", "two"})),
         Face("kernels", "kernels", frozenset({"three", "test_three"}), frozenset({"three"}))]


def notebook(*ids: str, text: str = "") -> bytes:
    cells = [{"cell_type": "code", "source": text, "outputs": [], "execution_count": None,
              "metadata": {"nbgrader": {"grade_id": each}}} for each in ids]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


ATTENTION = notebook("one", "test_one", "two")
KERNELS = notebook("three", "test_three")
LOG = b'{"schema": "viva-log/1"}'


def archive(folder: Path, name: str, files: dict) -> Path:
    """A zip of {path: bytes, or bytes and a time}."""
    path = folder / name
    path.write_bytes(zipped(files))
    return path


def zipped(files: dict) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for inside, data in files.items():
            data, when = data if isinstance(data, tuple) else (data, (2026, 10, 1, 12, 0, 0))
            out.writestr(zipfile.ZipInfo(inside, when), data)
    return made.getvalue()


def collected(*sources, students=TABLE, due=None):
    return collect(list(sources), "attention", FACES, students, due)


def contents(found) -> dict:
    return {student: dict(taken.files) for student, taken in found.taken.items()}


WHOLE = {"attention.ipynb": ATTENTION, "submission_log.json": LOG}
METADATA = """
submission_7:
  :submitters:
  - :name: Ada Lovelace
    :sid: ada
    :email: ada@example.org
  :created_at: 2026-10-12 17:05:09.000000000 Z
submission_8:
  :submitters:
  - :name: Bob Byron
    :sid: ''
    :email: unknown@example.org
  :created_at: 2026-10-12 18:00:00.000000000 Z
"""
EXPORTS = {
    "canvas": {
        "lovelaceada_101_9001_attention.ipynb": ATTENTION,
        "lovelaceada_101_9002_submission_log.json": LOG,
        "byronbob_LATE_102_9003_attention-1.ipynb": ATTENTION,
        "byronbob_LATE_102_9004_submission_log-1.json": LOG},
    "moodle, flat": {
        "Ada Lovelace_555_assignsubmission_file_attention.ipynb": ATTENTION,
        "Ada Lovelace_555_assignsubmission_file_submission_log.json": LOG,
        "Bob Byron_556_assignsubmission_file_Attention (1).ipynb": ATTENTION,
        "Bob Byron_556_assignsubmission_file_submission_log.json": LOG},
    "moodle, in folders": {
        "Ada Lovelace_555_assignsubmission_file_/attention.ipynb": ATTENTION,
        "Ada Lovelace_555_assignsubmission_file_/submission_log.json": LOG,
        "Bob Byron_556_assignsubmission_file/attention.ipynb": ATTENTION,
        "Bob Byron_556_assignsubmission_file/submission_log.json": LOG},
    "blackboard": {
        "Homework 1_ada_attempt_2026-10-12-17-05-09.txt": b"Name: Ada",
        "Homework 1_ada_attempt_2026-10-12-17-05-09_attention.ipynb": ATTENTION,
        "Homework 1_ada_attempt_2026-10-12-17-05-09_submission_log.json": LOG,
        "Homework 1_bob_attempt_2026-10-12-18-00-00_attention.ipynb": ATTENTION,
        "Homework 1_bob_attempt_2026-10-12-18-00-00_submission_log.json": LOG},
    "brightspace": {
        "index.html": b"<html>",
        "397063-2557369 - Ada Lovelace - Sep 24, 2026 926 PM/attention.ipynb": ATTENTION,
        "397063-2557369 - Ada Lovelace - Sep 24, 2026 926 PM/submission_log.json": LOG,
        "397063-2557370 - Bob Byron - Sep 24, 2026 1126 AM/attention.ipynb": ATTENTION,
        "397063-2557370 - Bob Byron - Sep 24, 2026 1126 AM/submission_log.json": LOG},
    "gradescope": {
        "assignment_1_export/submission_metadata.yml": METADATA.encode(),
        "assignment_1_export/submission_7/attention.ipynb": ATTENTION,
        "assignment_1_export/submission_7/submission_log.json": LOG,
        "assignment_1_export/submission_8/attention.ipynb": ATTENTION,
        "assignment_1_export/submission_8/submission_log.json": LOG},
    "folders": {"ada/attention.ipynb": ATTENTION, "ada/submission_log.json": LOG,
                "bob/attention/attention.ipynb": ATTENTION,
                "bob/attention/submission_log.json": LOG},
    "a zip per student": {"ada.zip": zipped(WHOLE),
                          "bob.zip": zipped({f"homework/{k}": v for k, v in WHOLE.items()})},
    "flat names": {"ada_attention.ipynb": ATTENTION, "ada_submission_log.json": LOG,
                   "bob_17_attention-2.ipynb": ATTENTION, "bob_submission_log.json": LOG},
}


@pytest.mark.parametrize("platform", EXPORTS)
@pytest.mark.parametrize("students", [TABLE, NOBODY], ids=["with a table", "without one"])
def test_every_platform_gives_each_student_notebook_and_log(tmp_path, platform, students):
    found = collected(archive(tmp_path, "export.zip", EXPORTS[platform]), students=students)
    assert len(found.taken) == 2
    assert all(files == WHOLE for files in contents(found).values()), found.refused
    if students is TABLE:
        assert set(found.taken) == {"ada", "bob"} and found.missing(TABLE) == ["cyd"]


def test_an_export_that_was_unpacked_is_read_the_same_way(tmp_path):
    for name, data in EXPORTS["moodle, in folders"].items():
        path = tmp_path / "unpacked" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert set(collected(tmp_path / "unpacked").taken) == {"ada", "bob"}


def test_a_folder_of_archives_as_nbgrader_lays_it_out(tmp_path):
    archive(tmp_path, "ada.zip", WHOLE)
    archive(tmp_path, "class.zip", {k: v for k, v in EXPORTS["canvas"].items() if "bob" in k})
    assert set(collected(tmp_path).taken) == {"ada", "bob"}


def test_times_and_lateness_are_kept(tmp_path):
    due = datetime(2026, 10, 5, tzinfo=UTC)
    found = collected(archive(tmp_path, "blackboard.zip", EXPORTS["blackboard"]))
    assert found.taken["ada"].upload.when == datetime(2026, 10, 12, 17, 5, 9).astimezone(UTC)
    found = collected(archive(tmp_path, "gradescope.zip", EXPORTS["gradescope"]))
    assert found.taken["ada"].upload.when == datetime(2026, 10, 12, 17, 5, 9, tzinfo=UTC)
    found = collected(archive(tmp_path, "canvas.zip", EXPORTS["canvas"]), due=due)
    assert not found.taken["ada"].upload.late and found.taken["ada"].upload.when < due
    assert found.taken["bob"].upload.late and found.taken["bob"].upload.when > due
    found = collected(archive(tmp_path, "d2l.zip", EXPORTS["brightspace"]))
    assert found.taken["ada"].upload.when == datetime(2026, 9, 24, 21, 26).astimezone(UTC)


def test_two_students_of_one_name_are_two_students(tmp_path):
    twins = {"doejane_7_1_attention.ipynb": ATTENTION, "doejane_8_2_attention.ipynb": ATTENTION}
    found = collected(archive(tmp_path, "canvas.zip", twins), students=NOBODY)
    assert set(found.taken) == {"doejane-7", "doejane-8"}
    table = Students.of([{"id": "j1", "first_name": "Jane", "last_name": "Doe", "lms_user_id": 7},
                         {"id": "j2", "first_name": "Jane", "last_name": "Doe", "lms_user_id": 8}])
    assert set(collected(tmp_path / "canvas.zip", students=table).taken) == {"j1", "j2"}


def test_of_two_uploads_the_newest_counts_and_the_other_is_named(tmp_path):
    title = "hw_ada_attempt_2026-10-1{}-00-00-00_attention.ipynb"
    files = {title.format(2): notebook("one", "two", text="old"),
             title.format(3): notebook("one", "two", text="new")}
    found = collected(archive(tmp_path, "blackboard.zip", files))
    assert b"new" in found.taken["ada"].files["attention.ipynb"]
    assert any("an earlier upload of ada" in line for line in found.refused)


def test_an_archive_belongs_to_its_outer_name_whatever_is_inside(tmp_path):
    """Ada packs a folder named after Bob, a file named after Bob, and a manifest."""
    hostile = {"bob/attention.ipynb": ATTENTION, "bob_102_1_attention.ipynb": ATTENTION,
               "submission_metadata.yml": METADATA.replace("ada", "bob").encode()}
    found = collected(archive(tmp_path, "class.zip", {
        "lovelaceada_101_1_work.zip": zipped(hostile)}))
    assert set(found.taken) == {"ada"}


def test_names_that_climb_links_and_litter_are_never_taken(tmp_path):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        link = zipfile.ZipInfo("ada/attention.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        out.writestr(link, "/etc/passwd")
        out.writestr("../bob/attention.ipynb", ATTENTION)
        out.writestr("ada/__MACOSX/._attention.ipynb", b"\0")
        out.writestr("ada/notes.txt", b"hello")
    (tmp_path / "class.zip").write_bytes(made.getvalue())
    found = collected(tmp_path / "class.zip")
    assert not found.taken
    assert any("no notebook of attention" in line for line in found.refused)


def test_one_corrupt_archive_costs_its_own_student_only(tmp_path):
    files = {"ada.zip": zipped(WHOLE), "bob.zip": b"PK\x03\x04 half of an archive"}
    found = collected(archive(tmp_path, "class.zip", files))
    assert set(found.taken) == {"ada"}
    assert any(line.startswith("bob.zip: not a zip") for line in found.refused)


def test_a_bomb_is_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr("viva_examiner.collect.archives.MAX_FILE", 1000)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("attention.ipynb", b" " * 10**6)
    (tmp_path / "ada.zip").write_bytes(made.getvalue())
    found = collected(tmp_path / "ada.zip")
    assert not found.taken and any("larger than" in line for line in found.refused)


def test_numbers_are_bounded(tmp_path, monkeypatch):
    """Of one student's archive, of one upload, and of the whole export."""
    litter = {f"{number}.txt": b"" for number in range(30)}
    monkeypatch.setattr("viva_examiner.collect.archives.MAX_ENTRIES", 20)
    found = collected(archive(tmp_path, "class.zip", {
        "ada.zip": zipped(WHOLE), "bob.zip": zipped(WHOLE | litter)}))
    assert set(found.taken) == {"ada"}
    assert any(line.startswith("bob.zip: holds more than 20") for line in found.refused)
    found = collected(archive(tmp_path, "class.zip", {f"ada/{name}": b"" for name in litter}))
    assert not found.taken and any("class.zip: holds" in line for line in found.refused)
    monkeypatch.undo()
    monkeypatch.setattr("viva_examiner.collect.taking.MAX_FILES", 10)
    found = collected(archive(tmp_path, "class.zip", {
        f"{who}/{name}": data for who in ("ada", "bob")
        for name, data in (WHOLE if who == "ada" else litter).items()}))
    assert set(found.taken) == {"ada"}
    assert len(found.refused) < 20


def test_a_renamed_notebook_is_told_by_its_cells_and_another_homework_by_its_own(tmp_path):
    found = collected(archive(tmp_path, "class.zip", {
        "ada/final version.ipynb": ATTENTION, "bob/attention_hw.ipynb": KERNELS}))
    assert set(found.taken) == {"ada"}
    assert found.taken["ada"].remarks == ["final version.ipynb taken as attention.ipynb"]
    assert any("is kernels, not attention" in line for line in found.refused)


def test_every_file_that_is_not_taken_is_named(tmp_path):
    found = collected(archive(tmp_path, "class.zip", {
        "ada/attention.ipynb": ATTENTION, "ada/attention (1).ipynb": ATTENTION,
        "ada/photo.png": b"x", "bob/other.txt": b""}))
    said = "\n".join(found.refused)
    assert all(word in said for word in ("photo.png", "another copy", "bob: no notebook"))


def test_placing_is_whole_and_can_be_repeated(tmp_path):
    def put(name, files):
        found = collected(archive(tmp_path, name, files))
        place(found, lambda student: tmp_path / "submitted" / student / "attention")
        return found.placed["ada"]

    stamp = "hw_ada_attempt_2026-10-{}-00-00-00_attention.ipynb"
    assert put("1.zip", {stamp.format(12): ATTENTION}) == "new"
    assert put("1.zip", {stamp.format(12): ATTENTION}) == "unchanged"
    assert put("2.zip", {stamp.format(13): notebook("one", "two", text="2")}) == "newer"
    assert put("1.zip", {stamp.format(12): ATTENTION}).startswith("kept")
    folder = tmp_path / "submitted" / "ada" / "attention"
    assert sorted(path.name for path in folder.iterdir()) == ["attention.ipynb", "timestamp.txt"]
    assert [path.name for path in folder.parent.iterdir()] == ["attention"]


@pytest.mark.parametrize("counts, names", [("last", ["ada"]), ("best", ["ada", "ada+2", "ada+3"])])
def test_where_the_best_attempt_counts_earlier_ones_stay(tmp_path, counts, names):
    def folder(name):
        return tmp_path / "submitted" / name / "attention"

    course = SimpleNamespace(root=tmp_path, path=lambda room, name, homework: folder(name))
    rosters.change(course, lambda now: Roster.of([Line("*", "attention", counts=counts)]))
    for day in (12, 13, 13, 14, 12):  # one of them twice, and the first again
        file = f"hw_ada_attempt_2026-10-{day}-00-00-00_attention.ipynb"
        found = collected(archive(tmp_path, "x.zip", {file: notebook("one", "two", text=str(day))}))
        place(found, folder, Attempts(course, "attention"))
    assert sorted(path.name for path in (tmp_path / "submitted").iterdir()) == names
    roster = rosters.read(course)
    assert {roster.owner(name, "attention") for name in names} == {"ada"}
    assert all(roster.is_attempt(name) for name in names[1:])


@pytest.mark.parametrize("name", ["kernel_attention.ipynb", "Kernel_Attention (1).ipynb",
                                  "kernel_attention-2.ipynb", "kernel_attention copy.ipynb",
                                  "KERNEL_ATTENTION-Copy1.ipynb", "kernel_attention (1)-3.ipynb"])
def test_copies_have_the_name_they_were_copied_from(name):
    assert plain_stem(name) == "kernel_attention"


def test_a_notebook_without_metadata_is_told_by_what_it_defines():
    bare = {"cells": [{"cell_type": "code", "metadata": {}, "source": ["def one():\n", " pass"]},
                      {"cell_type": "code", "metadata": {}, "source": "class two: pass"}]}
    assert recognised(json.dumps(bare).encode(), FACES).homework == "attention"
    assert recognised(b'{"cells": [7, null]}', FACES) is None
    assert recognised(b"no json", FACES) is None
