"""`viva doctor`: whether this machine can grade, and what it says where it cannot."""

import os
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import pytest

from repository import ROOT
from viva_examiner import cli
from viva_examiner.course import Course
from viva_examiner.doctor import machine, surroundings
from viva_examiner.limits import Limits
from viva_examiner.sandbox import isolation


@pytest.fixture
def no_trial(monkeypatch):
    """The trial candidate is not started: isolation has tests of its own."""
    monkeypatch.setattr(isolation, "why_not", lambda: None)


def test_this_machine_can_grade_and_nothing_is_changed(course, monkeypatch, capsys):
    """With a real trial candidate, in a course with a gradebook."""
    made = course()
    monkeypatch.chdir(made.root)
    before = {path: path.stat().st_mtime_ns for path in made.root.rglob("*")}
    assert cli.main(["doctor"]) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert "namespaces: a trial candidate was isolated" in said
    assert said.endswith("This machine can grade.\n")
    assert {path: path.stat().st_mtime_ns for path in made.root.rglob("*")} == before


def test_where_nothing_can_be_isolated_it_cannot_grade(course, monkeypatch, capsys):
    monkeypatch.chdir(course().root)
    monkeypatch.setattr(isolation, "why_not", lambda: f"unshare: not permitted. "
                        f"{isolation.REMEDY}")
    assert cli.main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "FAULT isolation" in said and "sysctl" in said
    assert said.endswith("This machine is not ready to grade: isolation\n")
    assert machine.about_isolation(trusted_machine=True).sign == "note"


def test_outside_of_a_course_it_still_looks_at_the_machine(no_trial, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "ok    isolation" in said and "This machine is not ready to grade: course" in said


def test_students_have_the_same_command(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["doctor", "--student"]) == 0
    assert "The kit works here." in capsys.readouterr().out


@pytest.mark.parametrize("library", ["numpy", "nbgrader"])
def test_it_starts_where_a_library_is_missing(tmp_path, library):
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Blocker:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {library!r}:\n"
        "            raise ModuleNotFoundError(name=name)\n"
        "sys.meta_path.insert(0, Blocker())\n")
    done = subprocess.run([sys.executable, "-m", "viva_examiner.cli", "doctor"], cwd=tmp_path,
                          env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True,
                          text=True)
    assert done.returncode == 1 and done.stderr == "", done.stderr
    assert done.stdout.endswith("\n") and "This machine is not ready to grade: " in done.stdout
    assert library != "nbgrader" or "no nbgrader in " in done.stdout


def test_another_python_than_the_one_that_grades(monkeypatch):
    assert machine.about_python().sign == "ok"
    for version, sign in (((3, 10, 9), "FAULT"), ((3, 11, 0), "ok"), ((3, 12, 4), "ok"),
                          ((3, 13, 0), "ok"), ((3, 14, 0), "FAULT")):
        monkeypatch.setattr(sys, "version_info", version)
        assert machine.about_python().sign == sign, version


def test_the_examiner_alone_and_both_at_once(monkeypatch):
    """viva-examiner and viva-course hold the same files: one of them is enough, two are one more
    than pip can remove.
    """
    real = machine.installed
    for there, sign in ((("viva-course",), "ok"), (("viva-examiner",), "ok"),
                        (("viva-course", "viva-examiner"), "note")):
        monkeypatch.setattr(machine, "installed", lambda name: (
            name in there if name in machine.PACKAGES else real(name)))
        found = machine.about_package()
        assert (found.sign, found.what) == (sign, " and ".join(there))
        assert machine.package() == there[0]


def test_the_lock_of_this_course_is_obeyed():
    assert [each.sign for each in machine.about_versions(ROOT / "requirements.lock")] == ["ok"]


def test_a_version_that_is_not_the_locks(tmp_path):
    """What the course asks for itself decides; what comes along is a note."""
    lock = tmp_path / "requirements.lock"
    lock.write_text("torch==1.0.0\nno-such-library==3\n")
    direct, indirect = machine.about_versions(lock)
    assert direct.sign == "FAULT" and "torch is 2" in direct.what
    assert "pip install -r requirements.lock" in direct.remedy
    assert indirect.sign == "note" and "no-such-library is missing" in indirect.what
    assert machine.about_versions(tmp_path / "none")[0].sign == "ok"


@pytest.mark.parametrize("free, sign", [(4000, "ok"), (2500, "note"), (1500, "FAULT")])
def test_memory_for_all_for_one_or_for_none(monkeypatch, free, sign):
    text = f"MemTotal: 9 kB\nMemAvailable: {free * 1024} kB\n"
    monkeypatch.setattr(machine, "Path", lambda name: SimpleNamespace(read_text=lambda: text))
    found = machine.about_memory(Limits(memory_mb=1500), jobs=2)
    assert found.sign == sign
    assert sign != "note" or "`--jobs 1`" in found.remedy


def test_a_full_disk(monkeypatch, tmp_path):
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda folder: SimpleNamespace(free=5e8))
    assert machine.about_disk(tmp_path).sign == "FAULT"


def test_a_kernel_without_landlock_is_a_note(monkeypatch):
    monkeypatch.setattr(machine.landlock, "version", lambda: 0)
    assert machine.about_landlock().sign == "note"


def test_gradebooks(tmp_path, empty_gradebook):
    assert surroundings.about_database(f"sqlite:///{empty_gradebook}").sign == "ok"
    missing = surroundings.about_database(f"sqlite:///{tmp_path}/none.db")
    assert missing.sign == "ok" and not (tmp_path / "none.db").exists()
    (tmp_path / "no.db").write_text("not a database, but long enough to be taken for one" * 9)
    assert "cannot be opened" in surroundings.about_database(f"sqlite:///{tmp_path}/no.db").what
    old = tmp_path / "old.db"
    old.write_bytes(empty_gradebook.read_bytes())
    with sqlite3.connect(old) as database:
        database.execute("UPDATE alembic_version SET version_num = '50a4d84c131a'")
    assert "viva upgrade" in surroundings.about_database(f"sqlite:///{old}").remedy


def test_a_server_that_does_not_answer_shows_no_password():
    found = surroundings.about_database("postgresql+psycopg://viva:geheim@127.0.0.1:1/grades")
    assert found.sign == "FAULT" and "geheim" not in found.what + found.remedy


def test_on_a_hub_the_exchange_is_looked_at(monkeypatch, course, tmp_path):
    made = course()
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    assert surroundings.about_hub(made).what == "this is not a JupyterHub's server"
    monkeypatch.setenv("JUPYTERHUB_USER", "ta")
    exchange = tmp_path / "exchange"
    made.config.Exchange.root = str(exchange)
    assert surroundings.about_hub(made).sign == "note"
    exchange.mkdir()
    found = surroundings.about_hub(made)
    assert found.sign == "ok" and f"user id {os.getuid()}" in found.what


def test_a_course_without_homeworks(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    assert surroundings.about_course(Course(tmp_path)).sign == "FAULT"
