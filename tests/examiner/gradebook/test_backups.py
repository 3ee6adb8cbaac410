"""`viva backup` and `viva restore`: nothing is lost between them, whatever the database."""

import os
import stat
import subprocess
import zipfile

import pytest
from nbgrader.api import Gradebook

from viva_examiner.cli import main
from viva_examiner.course import Course
from viva_examiner.doctor import keeping
from viva_examiner.failure import Failure
from viva_examiner.gradebook import dump, ledger
from viva_examiner.gradebook.backups import back_up, restore
from viva_examiner.gradebook.ledger_form import STEPS
from viva_examiner.written.grading import WrittenGrading
from written_course import HOMEWORK, write_course


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    """A class in which a TA has graded one answer, with files of a student and a roster."""
    course = write_course(tmp_path / "course", empty_gradebook)
    folder = course.root / "submitted" / "ada" / HOMEWORK
    folder.mkdir(parents=True)
    (folder / "essays.ipynb").write_bytes(b"what was handed in")
    (folder / "link").symlink_to("/etc/passwd")
    (course.root / "roster.csv").write_text("student,homework,late_days\nada,*,2\n")
    desk = WrittenGrading(course, HOMEWORK, "tina")
    row, = next(unit["rows"] for unit in desk.question(0)["units"]
                if unit["rows"][0]["student"] == "cyd")
    desk.grade(0, [row], [1.0, 0.5], "Ünïcode", None)
    desk.close()
    monkeypatch.chdir(course.root)
    return course


def other_course(root, line="") -> Course:
    root.mkdir()
    (root / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'w'\n{line}")
    return Course(root)


def test_a_students_odd_files_cost_nobody_the_backup(course, tmp_path, capsys):
    """A name that is no text, a file of holes, folders in folders without end."""
    folder = course.root / "submitted" / "ada" / HOMEWORK
    (folder / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"")
    with (folder / "big.bin").open("wb") as file:
        file.truncate(200 << 30)
    inside = folder
    try:
        for _ in range(1500):
            inside = inside / "d"
            inside.mkdir()
        assert main(["backup", str(tmp_path / "monday.zip")]) == 0
    finally:
        subprocess.run(["rm", "-rf", folder / "d"], check=True)  # deeper than Python would go
    assert "left out: 2 files" in capsys.readouterr().out
    names = zipfile.ZipFile(tmp_path / "monday.zip").namelist()
    assert f"rooms/submitted/ada/{HOMEWORK}/essays.ipynb" in names
    assert not [name for name in names if "big.bin" in name or "caf" in name]


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_what_was_kept_comes_back(course, tmp_path, database, request):
    line = ""
    if database == "postgresql":
        line = f"c.CourseDirectory.db_url = {request.getfixturevalue('postgresql')!r}\n"
    before = dump.dumped(course)
    file = tmp_path / "kept" / "monday.zip"
    kept = back_up(course, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and kept.files == 9
    there = other_course(tmp_path / "there", line)
    restore(there, file)
    assert dump.dumped(there) == before
    found = there.root / "submitted" / "ada" / HOMEWORK / "essays.ipynb"
    assert found.read_bytes() == b"what was handed in"
    assert not (found.parent / "link").exists(), "a link is not followed"
    assert (there.root / "roster.csv").read_text() == (course.root / "roster.csv").read_text()
    with ledger.opened(there) as book:
        entry = book.last(ledger.MARK)
        assert (entry.author, entry.payload["score"]) == ("tina", 2.5)
        assert book.record(ledger.SEEN, HOMEWORK, "ada") > entry.id
    back = tmp_path / "back.zip"
    back_up(there, back)  # and from there again
    restore(other_course(tmp_path / "third"), back)


def test_a_class_is_replaced_only_when_asked_and_kept_before(course, tmp_path, capsys):
    assert main(["backup", "monday.zip"]) == 0
    with Gradebook(course.db_url, "w") as book:
        book.add_student("zoe")
    assert main(["restore", "monday.zip"]) == 2
    assert "there is a class" in capsys.readouterr().err
    with Gradebook(course.db_url, "w") as book:
        assert "zoe" in [each.id for each in book.students]
    assert main(["restore", "monday.zip", "--replace"]) == 0
    with Gradebook(course.db_url, "w") as book:
        assert "zoe" not in [each.id for each in book.students]
    [before] = (course.root / "backups").glob("before-restore-*.zip")
    assert '"zoe"' in zipfile.ZipFile(before).read("gradebook/student.json").decode()


def test_what_is_no_backup_or_damaged_changes_nothing(course, tmp_path):
    before = dump.dumped(course)
    wrong = tmp_path / "wrong.zip"
    wrong.write_bytes(b"rubbish")
    with pytest.raises(Failure, match="was not made by"):
        restore(course, wrong, replace=True)
    back_up(course, wrong)
    before = dump.dumped(course)
    data = bytearray(wrong.read_bytes())
    middle = data.index(b"gradebook/base_cell.json") + 60
    data[middle:middle + 20] = bytes(20)
    wrong.write_bytes(data)
    with pytest.raises(Failure):
        restore(course, wrong, replace=True)
    with zipfile.ZipFile(wrong, "w") as archive:
        archive.writestr("backup.json", '{"form": 1}')
        archive.writestr("rooms/../../evil", "x")
    with pytest.raises(Failure, match="evil"):
        restore(course, wrong, replace=True)
    assert dump.dumped(course) == before and not (tmp_path / "evil").exists()


@pytest.mark.parametrize("part, new, words", [
    ("gradebook/viva_form.json", f'{{"version": {len(STEPS) + 1}, "at": "2026-01-01T00:00:00"}}\n',
     "newer version of viva: update this one"),
    ("backup.json", '{"form": 2}', "another version of viva (form 2, here 1)"),
    ("backup.json", '{"form": 1, "nbgrader": "a later form"}', "another version of nbgrader")])
def test_a_backup_of_a_newer_version_changes_nothing(course, tmp_path, capsys, part, new, words):
    assert main(["backup", "here.zip"]) == 0
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile("here.zip") as made, zipfile.ZipFile(newer, "w") as changed:
        for name in made.namelist():
            changed.writestr(name, new if name == part else made.read(name))
    handed_in = course.root / "submitted" / "ada" / HOMEWORK / "essays.ipynb"
    handed_in.write_bytes(b"handed in since")
    students, marks = (dump.dumped(course)[table] for table in ("student", "grade"))
    assert main(["restore", str(newer), "--replace"]) == 2
    assert words in capsys.readouterr().err
    assert [dump.dumped(course)[table] for table in ("student", "grade")] == [students, marks]
    assert handed_in.read_bytes() == b"handed in since"


def test_the_secret_is_in_it_only_if_asked_for(course, tmp_path, monkeypatch, capsys):
    config = course.root / "nbgrader_config.py"
    config.write_text(f"{config.read_text()}c.Examiner.course = 'viva_course'\n")
    monkeypatch.setenv("VIVA_SECRET", "a secret of nobody")
    (course.root / ".viva-lms").mkdir()
    (course.root / ".viva-lms" / "moodle.pem").write_text("a key")
    assert main(["backup", "without.zip"]) == 0 and main(["backup", "with.zip",
                                                          "--with-secret"]) == 0
    held = {name: {part: archive.read(part) for part in archive.namelist()}
            for name in ("without.zip", "with.zip") for archive in [zipfile.ZipFile(name)]}
    assert not [part for part in held["without.zip"] if part.startswith("private")]
    assert not any(b"a secret of nobody" in data for data in held["without.zip"].values())
    assert held["with.zip"]["private/secret"] == b"a secret of nobody"
    assert held["with.zip"]["private/.viva-lms/moodle.pem"] == b"a key"


def test_the_doctor_says_when_the_last_one_was(course, tmp_path):
    assert "none yet" in keeping.about_backup(course).what
    back_up(course, tmp_path / "monday.zip")
    assert keeping.about_backup(course).what == "the last one today"
