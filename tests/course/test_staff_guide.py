"""docs/staff.md, followed literally: its files are written, its commands are run."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from repository import ROOT

GUIDE = (ROOT / "docs/staff.md").read_text()
LABELLED = re.compile(r"^\*\*(.+?)\*\*.*?\n```python\n(.*?)\n```", re.S | re.M)


def blocks():
    """{label without backticks: code} of the guide's files and cells."""
    return {label.replace("`", ""): code for label, code in LABELLED.findall(GUIDE)}


@pytest.fixture
def course(tmp_path, empty_gradebook):
    """A course with no homework yet: the library without its exams, cases and references."""
    for package in ("viva", "viva_course", "viva_examiner"):
        shutil.copytree(ROOT / "lib" / package, tmp_path / "lib" / package,
                        ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
    for room in ("viva/cases", "viva_course/exams", "viva_course/reference"):
        shutil.rmtree(tmp_path / "lib" / room)
        (tmp_path / "lib" / room).mkdir()
        (tmp_path / "lib" / room / "__init__.py").touch()
    (tmp_path / "source").mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    shutil.copy(empty_gradebook, tmp_path / "gradebook.db")
    return tmp_path


def fill_in(folder, found):
    """Write the guide's code into the cells that `viva new` made."""
    path = folder / "source/warmup/warmup.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id", cell.id): cell
             for cell in notebook.cells}
    for label, code in found.items():
        if " cell " in label:
            cells[label.split()[-1]].source = code
    nbformat.write(notebook, path)


def run(folder, command, code=0):
    words = command.split()
    assert words[0] == "viva"
    environment = os.environ | {"PYTHONPATH": str(folder / "lib")}
    done = subprocess.run([sys.executable, "-m", "viva_examiner.cli", *words[1:]], cwd=folder,
                          env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_guide_leads_to_an_audited_and_released_exercise(course):
    found = blocks()
    commands = re.findall(r"^```sh\n(.*?)\n```", GUIDE, re.S | re.M)
    run(course, commands[0])
    left = run(course, "viva audit warmup", code=1)
    assert "the reference is not written yet" in left and "no mistake is declared" in left
    files = {label: code for label, code in found.items() if label.endswith(".py")}
    assert len(files) == 3 and len(found) == 7
    for name, code in files.items():
        assert (course / name).is_file(), f"viva new lays out no {name}"
        (course / name).write_text(code + "\n")
    fill_in(course, found)
    later = "\n".join(commands[1:]).splitlines()
    assert later[0] == "viva audit warmup"
    for command in later:
        output = run(course, command)
        if "--mutate" in command:
            assert "100.0%" in output
        elif "audit" in command:
            assert "every bar holds" in output
    released = (course / "release/warmup/warmup.ipynb").read_text()
    assert "YOUR CODE HERE" in released and "a_norm" not in released
    [again] = re.findall(r"`(viva rename [^`]+)`", GUIDE)
    run(course, again)
    new = again.split()[-1]
    assert f"def {new}(" in (course / "source/warmup/warmup.ipynb").read_text()


def test_the_guides_own_example_follows_the_style(course):
    files = {label: code for label, code in blocks().items() if label.endswith(".py")}
    for name, code in files.items():
        (course / name).parent.mkdir(exist_ok=True)
        (course / name).write_text(code + "\n")
    shutil.copy(ROOT / "pyproject.toml", course)
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", *files],
                          cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
