"""Feedback pages under the names that a platform gave to what it exported."""

import io
import zipfile

import pytest
from nbgrader.api import Gradebook

import marked_course
import platform_exports as exports
from viva_examiner.cli import main

NAMES = {"ada": ("Ada", "King_Noel"), "bob": ("Bob", "Stone")}
WORK = {"one.ipynb": b"{}"}


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    for name, (first, last) in NAMES.items():
        marked_course.hand_in(course, "one", name, 6, 4)
        with Gradebook(course.db_url, "m") as book:
            book.update_or_create_student(name, first_name=first, last_name=last)
    monkeypatch.chdir(course.root)
    return course


def packed(course, platform: str, files: dict, capsys) -> tuple[int, dict[str, bytes], str]:
    """(exit code, what the archive holds, what was said)"""
    folder = course.root / "downloaded" / "one" / "archive"
    folder.mkdir(parents=True)
    exports.archive(folder, "export.zip", files)
    code = main(["feedback", "one", "--for", platform])
    path = course.root / "exports" / f"one-feedback-{platform}.zip"
    said = capsys.readouterr()
    inside = {}
    if path.exists():
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
            inside = {name: archive.read(name) for name in archive.namelist()}
    return code, inside, said.out + said.err


@pytest.mark.parametrize("platform, files, names", [
    ("moodle", exports.moodle("Ada King_Noel", 17, WORK) | exports.moodle("Bob Stone", 4, WORK),
     {"Participant_17_assignsubmission_file/one.html": "ada",
      "Participant_4_assignsubmission_file/one.html": "bob"}),
    ("moodle", exports.moodle("Ada King_Noel", 17, WORK, flat=True)
     | exports.moodle("Bob Stone", 4, WORK, flat=True),
     {"Participant_17_assignsubmission_file/one.html": "ada",
      "Participant_4_assignsubmission_file/one.html": "bob"}),
    ("canvas", exports.canvas("King_Noel, Ada", 501, WORK, first=9001)
     | exports.canvas("Stone, Bob", 502, WORK, late=True, first=9005),
     {"king_noelada_501_9001_one.html": "ada", "stonebob_LATE_502_9005_one.html": "bob"}),
    ("brightspace", {"11-22 - Ada King_Noel - Sep 24, 2026 926 PM/one.ipynb": b"{}",
                     "12-22 - Bob Stone - Sep 25, 2026 926 AM/one.ipynb": b"{}",
                     "index.html": b"a list"},
     {"11-22 - Ada King_Noel - Sep 24, 2026 926 PM/one.html": "ada",
      "12-22 - Bob Stone - Sep 25, 2026 926 AM/one.html": "bob"}),
])
def test_each_page_goes_under_its_owners_name(course, platform, files, names, capsys):
    code, inside, said = packed(course, platform, files, capsys)
    assert code == 0, said
    assert set(inside) == set(names)  # feedback and nothing else
    for name, student in names.items():
        own = course.root / "feedback" / student / "one" / "one.html"
        assert inside[name] == own.read_bytes()


def test_who_has_no_upload_is_named(course, capsys):
    code, inside, said = packed(course, "moodle", exports.moodle("Bob Stone", 4, WORK), capsys)
    assert code == 1 and len(inside) == 1
    assert "a page, but no upload in the export: ada" in said


def test_an_export_that_lies_elsewhere_is_asked_for(course, capsys):
    assert main(["feedback", "one", "--for", "moodle"]) == 2
    assert "give --from" in capsys.readouterr().err


def test_another_platforms_export_is_refused(course, capsys):
    code, inside, said = packed(course, "canvas", exports.moodle("Bob Stone", 4, WORK), capsys)
    assert code == 2 and not inside and "not an export of Canvas" in said
