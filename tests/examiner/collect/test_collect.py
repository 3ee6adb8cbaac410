"""`viva collect`: whose an upload is, which file counts, and what is said about the rest."""

import json
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from collecting import (
    ATTENTION,
    DUE,
    KERNELS,
    LOG,
    PROFILES,
    TABLE,
    WHOLE,
    collected,
    notebook,
    refused,
)
from platform_exports import archive, blackboard, brightspace, canvas, gradescope, moodle, zipped
from viva_examiner.collect.attempts import Attempts
from viva_examiner.collect.placing import place
from viva_examiner.collect.students import Students
from viva_examiner.gradebook import class_roster as rosters
from viva_examiner.gradebook.class_roster import Roster, RosterLine
from viva_examiner.notebook.whose_homework import plain_stem, recognised

NOBODY = Students()
AT = "2026-10-12-17-05-09"
CLOCK = datetime(2026, 9, 24, 21, 26)
RENAMED = {"Attention (1).ipynb": ATTENTION, "submission_log-1.json": LOG}
EXPORTS = {
    "canvas": canvas("Lovelace, Ada", 101, WHOLE) | canvas("Byron, Bob", 102, RENAMED, late=True),
    "moodle, flat": moodle("Ada Lovelace", 555, WHOLE, flat=True)
    | moodle("Bob Byron", 556, RENAMED, flat=True),
    "moodle, in folders": moodle("Ada Lovelace", 555, WHOLE) | moodle("Bob Byron", 556, RENAMED),
    "blackboard": blackboard("Homework 1", "ada", "Ada Lovelace", AT, WHOLE)
    | blackboard("Homework 1", "bob", "Bob Byron", AT, RENAMED),
    "brightspace": brightspace("Ada Lovelace", 7, CLOCK, WHOLE)
    | brightspace("Bob Byron", 8, CLOCK, RENAMED),
    "gradescope": gradescope([
        ([("Ada Lovelace", "ada", "ada@example.org")], "2026-10-12 17:05:09.000000000 Z", WHOLE),
        ([("Bob Byron", "", "bob@example.org")], "2026-10-12 18:00:00.000000000 Z", WHOLE)]),
    "folders": {"ada/attention.ipynb": ATTENTION, "ada/submission_log.json": LOG,
                "bob/attention/attention.ipynb": ATTENTION,
                "bob/attention/submission_log.json": LOG},
    "a zip per student": {"ada.zip": zipped(WHOLE),
                          "bob.zip": zipped({f"homework/{k}": v for k, v in WHOLE.items()})},
    "flat names": {"ada_attention.ipynb": ATTENTION, "ada_submission_log.json": LOG,
                   "bob-attention-2.ipynb": ATTENTION, "bob-submission_log.json": LOG},
}


def contents(found) -> dict:
    return {student: dict(taken.files) for student, taken in found.taken.items()}


@pytest.mark.parametrize("platform", EXPORTS)
@pytest.mark.parametrize("students", [TABLE, NOBODY], ids=["with a table", "without one"])
def test_every_platform_gives_each_student_notebook_and_log(tmp_path, platform, students):
    found = collected(archive(tmp_path, "export.zip", EXPORTS[platform]), students=students)
    assert len(found.taken) == 2, found.refused
    assert all(files == WHOLE for files in contents(found).values()), found.refused
    assert not found.refused and not found.open
    if students is TABLE:
        assert set(found.taken) == {"ada", "bob"} and found.missing(TABLE) == ["cyd"]


def test_an_export_that_was_unpacked_is_read_the_same_way(tmp_path):
    for name, data in EXPORTS["moodle, in folders"].items():
        path = tmp_path / "unpacked" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data[0])
    assert set(collected(tmp_path / "unpacked").taken) == {"ada", "bob"}


def test_a_folder_that_holds_one_export_is_that_export(tmp_path):
    (tmp_path / "archive").mkdir()
    archive(tmp_path / "archive", "submissions.zip", EXPORTS["canvas"])
    assert set(collected(tmp_path / "archive").taken) == {"ada", "bob"}


def test_times_and_lateness_are_the_platforms(tmp_path):
    """Canvas tells no time but who is late; the time in its archive is that of the download."""
    def taken(platform, who="ada"):
        made = archive(tmp_path, f"{platform}.zip", EXPORTS[platform])
        return collected(made, due=DUE).taken[who]

    assert taken("blackboard").when == datetime(2026, 10, 12, 17, 5, 9).astimezone(UTC)
    assert taken("gradescope").when == datetime(2026, 10, 12, 17, 5, 9, tzinfo=UTC)
    assert taken("brightspace").when == CLOCK.astimezone(UTC)
    assert taken("moodle, in folders").when == datetime(2026, 10, 1, 12).astimezone(UTC)
    assert taken("canvas").when is None and not taken("canvas").late
    assert taken("canvas", "bob").when > DUE and taken("canvas", "bob").late
    assert taken("folders").when is None
    late = blackboard("hw", "ada", "Ada", "2026-10-25-00-00-00", WHOLE)
    assert collected(archive(tmp_path, "x.zip", late), due=DUE).taken["ada"].late


@pytest.mark.parametrize("when", ["2025-01-01-00-00-00", "2027-01-01-00-00-00"])
def test_a_time_before_the_release_or_after_now_is_not_believed(tmp_path, when):
    found = collected(archive(tmp_path, "x.zip", blackboard("hw", "ada", "Ada", when, WHOLE)))
    assert found.taken["ada"].when is None
    assert "ignored" in found.taken["ada"].remarks[0]


def test_two_students_of_one_name_are_two_students(tmp_path):
    twins = canvas("Doe, Jane", 7, WHOLE) | canvas("Doe, Jane", 8, WHOLE)
    made = archive(tmp_path, "canvas.zip", twins)
    assert set(collected(made, students=NOBODY).taken) == {"doejane-7", "doejane-8"}
    table = Students.of([{"id": "j1", "first_name": "Jane", "last_name": "Doe", "lms_user_id": 7},
                         {"id": "j2", "first_name": "Jane", "last_name": "Doe", "lms_user_id": 8}])
    assert set(collected(made, students=table).taken) == {"j1", "j2"}


def test_of_two_uploads_the_newest_counts_and_the_other_is_named(tmp_path):
    files = {}
    for day in ("13", "12"):
        own = {"attention.ipynb": notebook("one", "two", text=day)}
        files |= blackboard("hw", "ada", "Ada", f"2026-10-{day}-00-00-00", own)
    found = collected(archive(tmp_path, "blackboard.zip", files))
    assert b"13" in found.taken["ada"].files["attention.ipynb"]
    assert refused(found, "2026-10-12", "an earlier upload of ada")


def test_canvas_numbers_its_files_in_the_order_in_which_they_came(tmp_path):
    newer = canvas("Lovelace, Ada", 101, {"attention.ipynb": notebook("one", "two", text="new")})
    files = canvas("Lovelace, Ada", 101, WHOLE, first=5) | newer
    found = collected(archive(tmp_path, "2.zip", files))
    assert b"new" in found.taken["ada"].files["attention.ipynb"]


def test_a_pdf_does_not_replace_a_notebook(tmp_path):
    files = (blackboard("hw", "ada", "Ada", "2026-10-12-00-00-00", WHOLE)
             | blackboard("hw", "ada", "Ada", "2026-10-13-00-00-00", {"work.pdf": b"%PDF"}))
    found = collected(archive(tmp_path, "blackboard.zip", files))
    assert found.taken["ada"].has_notebook
    assert refused(found, "2026-10-13", "there is an upload with a notebook of ada")


def test_what_is_no_notebook_is_handed_in(tmp_path):
    files = {"ada/work.pdf": b"%PDF", "ada/why.docx": b"PK", "bob/x.ipynb": KERNELS}
    found = collected(archive(tmp_path, "class.zip", files))
    assert set(found.taken["ada"].files) == {"work.pdf", "why.docx"}
    assert found.taken["ada"].remarks[0] == "handed in, not a notebook: work.pdf"
    assert found.taken["bob"].files == {"x.ipynb": KERNELS}
    assert found.taken["bob"].remarks == ["x.ipynb is kernels, not attention"]
    assert not any(taken.has_notebook for taken in found.taken.values())


def test_a_time_that_a_student_packed_is_not_kept(tmp_path):
    files = {"ada/work.pdf": b"%PDF", "ada/timestamp.txt": b"2026-09-02", "ada/.x": b"",
             "bob/attention.ipynb": ATTENTION, "bob/timestamp.txt": b"2026-09-02"}
    found = collected(archive(tmp_path, "class.zip", files))
    assert set(found.taken["ada"].files) == {"work.pdf"}
    assert set(found.taken["bob"].files) == {"attention.ipynb"}


@pytest.mark.parametrize("name", ["attention.ipynb.txt", "Attention (1).ipynb.txt",
                                  "attention.ipynb.json", "mine.ipynb.txt"])
def test_a_notebook_that_a_browser_renamed_is_taken_with_a_remark(tmp_path, name):
    found = collected(archive(tmp_path, "class.zip", {f"ada/{name}": ATTENTION,
                                                      "bob/attention.ipynb": ATTENTION}))
    assert found.taken["ada"].files == {"attention.ipynb": ATTENTION}
    assert found.taken["ada"].remarks == [f"{name} taken as attention.ipynb"]


def test_a_renamed_notebook_is_told_by_its_cells_and_another_homework_by_its_own(tmp_path):
    found = collected(archive(tmp_path, "class.zip", {
        "ada/final version.ipynb": ATTENTION, "bob/attention_hw.ipynb": KERNELS}))
    assert found.taken["ada"].remarks == ["final version.ipynb taken as attention.ipynb"]
    assert found.taken["bob"].remarks == ["attention_hw.ipynb is kernels, not attention"]


def test_every_file_that_is_not_taken_is_named(tmp_path):
    found = collected(archive(tmp_path, "class.zip", {
        "ada/attention.ipynb": ATTENTION, "ada/attention (1).ipynb": ATTENTION,
        "ada/photo.png": b"x", "list.html": b""}))
    said = "\n".join(found.refused)
    assert all(word in said for word in ("photo.png", "another copy", "list.html"))


def test_placing_is_whole_and_can_be_repeated(tmp_path):
    def put(name, files):
        found = collected(archive(tmp_path, name, files))
        place(found, lambda student: tmp_path / "submitted" / student / "attention")
        return found.placed["ada"]

    stamp = "hw_ada_attempt_2026-10-{}-00-00-00_attention.ipynb"
    pdf = {"hw_ada_attempt_2026-10-14-00-00-00_work.pdf": b"%PDF"}
    assert put("1.zip", {stamp.format(12): ATTENTION}) == "new"
    assert put("1.zip", {stamp.format(12): ATTENTION}) == "unchanged"
    assert put("2.zip", {stamp.format(13): notebook("one", "two", text="2")}) == "newer"
    assert put("1.zip", {stamp.format(12): ATTENTION}) == "kept: what is there was handed in later"
    assert put("3.zip", pdf) == "kept: what is there is a notebook"
    folder = tmp_path / "submitted" / "ada" / "attention"
    assert sorted(path.name for path in folder.iterdir()) == ["attention.ipynb", "timestamp.txt"]
    assert [path.name for path in folder.parent.iterdir()] == ["attention"]


@pytest.mark.parametrize("counts, names", [("last", ["ada"]), ("best", ["ada", "ada+2", "ada+3"])])
def test_where_the_best_attempt_counts_earlier_ones_stay(tmp_path, counts, names):
    def folder(name):
        return tmp_path / "submitted" / name / "attention"

    course = SimpleNamespace(root=tmp_path, path=lambda room, name, homework: folder(name))
    rosters.change(course, lambda now: Roster.of([RosterLine("*", "attention", counts=counts)]))
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
    assert recognised(json.dumps(bare).encode(), PROFILES).homework == "attention"
    assert recognised(b'{"cells": [7, null]}', PROFILES) is None
    assert recognised(b"no json", PROFILES) is None
