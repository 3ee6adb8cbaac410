"""`viva doctor --student`: what it finds, and that every fault says what to do."""

import os
import shutil
import subprocess
import sys
from importlib import metadata
from types import SimpleNamespace

import pytest

from viva import checking, doctor, log


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def test_this_machine_is_well_and_the_command_says_so(tmp_path):
    done = subprocess.run([sys.executable, "-m", "viva", "doctor", "--student"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("The kit works here.\n") and "FAULT" not in done.stdout
    assert list(tmp_path.iterdir()) == [], "it leaves nothing behind"


BLOCKED = """import sys
from importlib import metadata

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {0!r}:
            raise ModuleNotFoundError("No module named " + name, name=name)

def version(name, found=metadata.version):
    if name == {0!r}:
        raise metadata.PackageNotFoundError(name)
    return found(name)

sys.meta_path.insert(0, Blocker())
metadata.version = version
"""


@pytest.mark.parametrize("library", ["numpy", "safetensors", "torch", "matplotlib"])
def test_it_starts_where_a_library_is_really_missing(tmp_path, library):
    """The kit itself cannot be imported then; the line to paste has this Python."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKED.format(library))
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-m", "viva", "doctor", "--student"], cwd=tmp_path,
                          capture_output=True, text=True, env=env)
    assert done.returncode == 1 and done.stderr == "", done.stderr
    assert f"The kit does not work here: {library}\n" in done.stdout
    assert f"Run: {sys.executable} -m pip install \"{library}>=" in done.stdout
    done = subprocess.run([sys.executable, "-c", "import viva"], cwd=tmp_path, env=env,
                          capture_output=True, text=True)
    assert (f"No module named {library}" in done.stderr) == (library in ("numpy", "safetensors"))


@pytest.mark.parametrize("python, system, line", [
    (".venv/bin/python", "linux", "Run: .venv/bin/python -m pip"),
    ("/a b/python", "linux", 'Run: "/a b/python" -m pip'),
    ("/a b/python", "win32", 'Run: & "/a b/python" -m pip')])
def test_the_line_to_paste_can_be_pasted(monkeypatch, tmp_path, python, system, line):
    """Spaces in a path are common on Windows; below this folder there are none."""
    folder = tmp_path / "Jörgs Übungen"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "executable", str(folder / python))
    monkeypatch.setattr(sys, "platform", system)
    assert doctor.typed("pip") == line


def test_torch_comes_in_its_small_build(monkeypatch):
    monkeypatch.setattr(metadata, "version", lambda name: "2.2.1")
    found = doctor.about_library("torch")
    assert found.what == "2.2.1 is too old"
    assert ("/whl/cpu" in found.remedy) == (sys.platform == "linux")


def test_other_words_are_told_the_usage(tmp_path):
    done = subprocess.run([sys.executable, "-m", "viva", "grade"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 2 and "usage: viva doctor --student" in done.stderr


@pytest.mark.parametrize("version, fine", [
    ("1.25.2", False), ("1.26.0", True), ("1.26", True), ("2.4.6+cpu", True), ("2.5.0rc1", True),
    ("3.0", False), ("10.0", False)])
def test_a_library_is_compared_by_numbers(monkeypatch, version, fine):
    monkeypatch.setattr(metadata, "version", lambda name: version)
    found = doctor.about_library("numpy")
    assert (found.sign == "ok") is fine
    assert fine or 'pip install "numpy>=1.26,<3"' in found.remedy


def test_a_missing_library_is_named(monkeypatch, capsys):
    monkeypatch.setitem(doctor.NEEDED, "no-such-library", ("1.0", ""))
    assert doctor.main() == 1
    said = capsys.readouterr().out
    assert "FAULT no-such-library  not installed" in said
    assert said.endswith("The kit does not work here: no-such-library\n")


@pytest.mark.parametrize("version, fine", [((3, 9, 18), False), ((3, 10, 0), True),
                                           ((3, 13, 9), True), ((3, 14, 0), False)])
def test_the_pythons_it_is_made_for(monkeypatch, version, fine):
    monkeypatch.setattr(sys, "version_info", version)
    assert (doctor.about_python().sign == "ok") is fine


def test_a_kit_that_is_not_whole(monkeypatch, tmp_path):
    monkeypatch.setattr(checking, "path_of_expected", lambda homework: tmp_path / homework)
    found = doctor.about_kit()
    assert found.sign == "FAULT" and "without" in found.what and "again" in found.remedy


def test_torch_that_cannot_be_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)  # import raises ImportError
    assert doctor.about_torch().sign == "FAULT"
    monkeypatch.setattr(sys, "platform", "win32")
    assert "Visual C++" in doctor.about_torch().remedy


def test_numbers_that_the_grader_would_not_draw(monkeypatch):
    assert doctor.about_numbers().sign == "ok"
    monkeypatch.setattr(doctor, "STREAM", [0, 0, 0, 0, 0])
    assert doctor.about_numbers().sign == "FAULT"


@pytest.mark.parametrize("program, sign", [
    (sys.executable, "ok"), ("python", "ok"), ("/elsewhere/bin/python", "note")])
def test_a_kernel_of_another_environment_is_a_note(monkeypatch, program, sign):
    from jupyter_client import kernelspec

    monkeypatch.setattr(kernelspec.KernelSpecManager, "get_kernel_spec",
                        lambda self, name: SimpleNamespace(argv=[program]))
    assert doctor.about_kernel().sign == sign


def test_a_folder_without_room_or_rights(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=10**6))
    assert doctor.about_folder().remedy.startswith("Make room")

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    found = doctor.about_folder()
    assert found.sign == "FAULT" and "(Permission denied)" in found.what


def test_it_looks_at_the_folder_of_the_log(monkeypatch, tmp_path):
    folder = tmp_path / "Jörgs Hausaufgaben"
    folder.mkdir()
    monkeypatch.setattr(log, "_place", {"folder": folder})
    assert str(folder) in doctor.about_folder().what
