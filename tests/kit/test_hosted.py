"""In Google Colab, with a stand-in for its library: where the log lies, and what submit offers."""

import json
import sys

import pytest

import toy
import viva
from repository import ROOT
from viva import checking, desk, hosted, log, tables
from viva_course import expected, rubric

NOTEBOOK = {"cells": [
    {"cell_type": "markdown", "source": ["Because."],
     "metadata": {"nbgrader": {"grade_id": "written_why", "grade": True, "solution": True}}},
    {"cell_type": "code", "source": ['check("centre", centre, spread)'],
     "metadata": {"nbgrader": {"grade_id": "check_centre", "grade": True, "solution": False}}}]}


@pytest.fixture(autouse=True)
def colab(monkeypatch, tmp_path):
    """A session in the service, with its own folder and a drive that is not mounted; the toy
    homework. The stand-in's questions to the browser are returned."""
    monkeypatch.syspath_prepend(str(ROOT / "tests/support/colab"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "google"]:
        monkeypatch.delitem(sys.modules, name)
    from google.colab import _message

    for name in ("NBGRADER_EXECUTION", "VIVA_STUDENT", "JUPYTERHUB_USER", "JPY_SESSION_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(hosted, "DRIVE", tmp_path / "drive" / "MyDrive")
    monkeypatch.setattr(log, "_place", {"folder": log.Path()})
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)
    content = {"centre": expected.public_record(toy.toy)}
    monkeypatch.setattr(checking, "expected_of", lambda homework: content)
    monkeypatch.setattr(tables, "exercises_of", lambda homework: ["centre"])
    new_session(monkeypatch, tmp_path / "content")
    yield _message
    for name in [name for name in sys.modules if name.startswith("google.colab")]:
        monkeypatch.delitem(sys.modules, name)


def new_session(monkeypatch, folder):
    """A new machine of the service: an empty folder, and a kernel that knows nothing."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(desk, "_now", {"homework": "", "student": ""})
    log._place["folder"] = log.Path()


def mount():
    from google.colab import drive

    drive.mount(str(hosted.DRIVE.parent))


def passes():
    viva.check("centre", *toy.toy.reference)


def test_without_a_drive_it_says_that_progress_will_be_forgotten(capsys):
    viva.begin("toy", student="ada")
    assert "forgets your progress when the session ends" in capsys.readouterr().out
    passes()
    assert log.Path(log.LOG_NAME).is_file()


def test_with_a_drive_progress_survives_a_new_session(monkeypatch, tmp_path, capsys):
    mount()
    viva.begin("toy", student="ada")
    assert "kept in your drive, in viva/toy" in capsys.readouterr().out
    passes()
    assert (hosted.DRIVE / "viva/toy" / log.LOG_NAME).is_file()
    assert not log.Path(log.LOG_NAME).exists()
    new_session(monkeypatch, tmp_path / "next")
    capsys.readouterr()
    viva.begin("toy", student="ada")
    assert "toy: 1 of 1 exercises pass; student ada" in capsys.readouterr().out


def entry(time, status="passed"):
    return {"status": status, "time": time}


def a_log(student="ada", **entries):
    return {"schema": log.SCHEMA, "homework": "toy", "student": student, "kit": "1",
            "exercises": entries}


def in_drive():
    viva.begin("toy", student="ada")
    return log.read("toy", "ada")["exercises"]


def test_a_drive_that_is_mounted_later_gets_what_was_done_before():
    viva.begin("toy", student="ada")
    passes()
    mount()
    assert in_drive()["centre"]["status"] == "passed"


@pytest.mark.parametrize("here, there, kept", [("2026-01-02", "2026-01-01", "2026-01-02"),
                                              ("2026-01-01", "2026-01-02", "2026-01-02")])
def test_of_two_entries_the_later_one_counts(here, there, kept):
    mount()
    viva.begin("toy", student="ada")
    log.write(a_log(centre=entry(there), other=entry("2026-01-01")))
    log._place["folder"] = log.Path()
    log.write(a_log(centre=entry(here)))
    assert in_drive() == {"centre": entry(kept), "other": entry("2026-01-01")}


def test_another_students_log_in_the_drive_is_not_overwritten():
    mount()
    viva.begin("toy", student="bob")
    log.write(a_log("bob", centre=entry("2026-01-01")))
    log._place["folder"] = log.Path()
    log.write(a_log("ada", centre=entry("2026-01-02")))
    assert in_drive() == {}
    assert log.read("toy", "bob")["exercises"] == {"centre": entry("2026-01-01")}


def test_a_drive_that_cannot_be_written_leaves_the_log_here(capsys):
    hosted.DRIVE.parent.mkdir()
    hosted.DRIVE.mkdir()
    (hosted.DRIVE / "viva").write_text("a file where the folder should be")
    viva.begin("toy", student="ada")
    assert "forgets your progress" in capsys.readouterr().out
    assert log.path() == log.Path(log.LOG_NAME)


def test_submit_downloads_the_notebook_and_the_log(colab, capsys):
    colab.in_browser["ipynb"] = NOTEBOOK
    mount()
    viva.begin("toy", student="ada")
    passes()
    capsys.readouterr()
    viva.submit()
    said = capsys.readouterr().out
    folder = (hosted.DRIVE / "viva/toy").resolve()
    assert f"downloads {folder / 'toy.ipynb'}\ndownloads {folder / log.LOG_NAME}\n" in said
    assert "Your browser downloads toy.ipynb and submission_log.json: hand in both" in said
    assert json.loads((folder / "toy.ipynb").read_text()) == NOTEBOOK
    assert "written_why  ✓ answered" in said, "as it is in the browser, saved or not"


def test_a_notebook_that_the_browser_does_not_send_is_downloaded_by_hand(capsys):
    viva.begin("toy", student="ada")
    capsys.readouterr()
    viva.submit()
    said = capsys.readouterr().out
    assert "Download this notebook (File, Download .ipynb)" in said
    assert [line for line in said.splitlines() if line.startswith("downloads")] == [
        f"downloads {log.path().resolve()}"]


def test_a_download_that_fails_says_where_the_files_are(monkeypatch, capsys):
    from google.colab import files

    def refuse(filename):
        raise RuntimeError("popup blocked")

    monkeypatch.setattr(files, "download", refuse)
    viva.begin("toy", student="ada")
    viva.submit()
    assert "did not start (popup blocked): take the files from the Files pane" in (
        capsys.readouterr().out)


def test_while_a_notebook_is_graded_it_is_as_anywhere(monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    mount()
    viva.begin("toy", student="ada")
    viva.submit()
    said = capsys.readouterr().out
    assert "drive" not in said.replace("Mounted at", "").partition("\n")[2]
    assert "Hand in this notebook and" in said and "downloads" not in said
    assert log.path() == log.Path(log.LOG_NAME)
