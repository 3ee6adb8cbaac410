"""`viva collect` as it is typed: what it shows, asks, writes, and how it ends."""

import builtins
import io
import shutil

import pytest
from nbgrader.api import Gradebook

from collecting import PEOPLE
from doubling import doubling_cells, released, write_course
from platform_exports import archive, canvas, gradescope, moodle, worksheet
from viva_examiner import cli
from viva_examiner.cli import collect as command
from viva_examiner.collect.collecting import Collection


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    """A released homework, and a table of three students."""
    made = write_course(tmp_path / "course", doubling_cells())
    shutil.copy(empty_gradebook, made.root)
    released(made).parent.mkdir(parents=True)
    shutil.copy(made.root / "source/doubling/doubling.ipynb", released(made))
    with Gradebook(made.db_url, made.directory.course_id) as gradebook:
        for each in PEOPLE:
            gradebook.add_student(each["id"], **{k: v for k, v in each.items() if k != "id"})
    monkeypatch.chdir(made.root)
    return made


def typed(*words, answer=None, monkeypatch=None):
    """The exit code of `viva collect doubling …`."""
    if monkeypatch is not None:
        def asked(question):
            if answer is None:
                raise EOFError
            return answer
        monkeypatch.setattr(builtins, "input", asked)
    return cli.main(["collect", "doubling", *map(str, words)])


@pytest.fixture
def export(course, tmp_path):
    work = {"doubling.ipynb": released(course).read_bytes()}
    return archive(tmp_path, "export.zip", canvas("Lovelace, Ada", 101, work)
                   | canvas("Byron, Bob", 102, work, late=True))


@pytest.mark.parametrize("answer, code", [("y", 0), ("n", 2), ("", 2), (None, 2)])
def test_nothing_is_written_before_somebody_agrees(
        course, export, monkeypatch, capsys, answer, code):
    assert typed(export, answer=answer, monkeypatch=monkeypatch) == code
    said = capsys.readouterr()
    head, ada, bob, *_ = said.out.splitlines()
    assert head.split("  ")[0] == "file" and all(word in head for word in ("known by", "late"))
    assert "lovelaceada_101_9001_doubling.ipynb" in ada and "Canvas: number 101 and name" in ada
    assert bob.endswith("late")
    assert "nothing from 1: cyd" in said.out
    assert (course.root / "submitted/ada/doubling/doubling.ipynb").exists() == (code == 0)
    assert ("use --yes" in said.err) == (answer is None)


def test_yes_and_dry_run_ask_nobody(course, export, monkeypatch):
    def asked(question):
        raise AssertionError("asked")
    monkeypatch.setattr(builtins, "input", asked)
    assert typed(export, "--dry-run") == 0 and not (course.root / "submitted").exists()
    assert typed(export, "--yes") == 0 and (course.root / "submitted/bob/doubling").is_dir()


def test_the_worksheet_is_an_option(course, tmp_path, capsys):
    work = {"doubling.ipynb": released(course).read_bytes()}
    blind = archive(tmp_path, "export.zip", moodle("Participant", 17, work))
    assert typed(blind, "--yes") == 1 and not (course.root / "submitted").exists()
    (tmp_path / "grades.csv").write_text(worksheet({17: ("Bob Byron", "bob@example.org")}))
    assert typed(blind, "--worksheet", tmp_path / "grades.csv", "--yes") == 0
    assert (course.root / "submitted/bob/doubling/doubling.ipynb").is_file()
    capsys.readouterr()
    assert typed(blind, "--worksheet", export_free(tmp_path)) == 2
    assert "not a grading worksheet" in capsys.readouterr().err


def export_free(tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n")
    return tmp_path / "other.csv"


def test_an_upload_without_an_owner_ends_in_1(course, tmp_path, capsys):
    work = {"doubling.ipynb": released(course).read_bytes()}
    files = canvas("Lovelace, Ada", 101, work) | canvas("Doe, Jane", 999, work)
    assert typed(archive(tmp_path, "x.zip", files), "--yes") == 1
    said = capsys.readouterr().out
    assert "doejane is not in the table of students; add them" in said
    assert (course.root / "submitted/ada").is_dir()
    assert [path.name for path in (course.root / "submitted").iterdir()] == ["ada"]


def test_a_manifests_words_do_not_reach_the_terminal(course, tmp_path, capsys):
    files = gradescope([([("Eve\x1b]0;x\x07\x1b[2J\u202e", "eve\x1b[31m", "e\x9b@x")],
                         "2026-10-12 17:05:09 Z", {"doubling.ipynb": b"{}"})])
    files |= {"assignment_7_export/submission_98/\u202ex.ipynb": b""}
    typed(archive(tmp_path, "x.zip", files), "--yes")
    said = capsys.readouterr()
    assert all(sign.isprintable() or sign == "\n" for sign in said.out + said.err)


def test_whatever_stands_in_a_line_is_printed_as_one_line(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    command._show(["a\x1b[2Jb\nc\r\x9bd\ud800"])
    assert out.getvalue().count("\n") == 1 and "\x1b" not in out.getvalue()


@pytest.mark.parametrize("data", [b"login,name\nada,Ada\n", b"\xff\xfe\x00", b""])
def test_a_table_that_names_nobody_is_refused(course, export, tmp_path, capsys, data):
    """Without a table everybody would be taken under a name of their own."""
    (tmp_path / "people.csv").write_bytes(data)
    assert typed(export, "--students", tmp_path / "people.csv", "--yes") == 2
    assert "people.csv" in capsys.readouterr().err and not (course.root / "submitted").exists()


def test_nothing_at_all_ends_in_1():
    assert command._exit_code(Collection()) == 1
