"""docs/staff.md, followed literally: its files are written, its commands are run."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from doubling import nbgrader
from repository import ROOT
from viva_examiner.notebook.canonical import KERNEL, dumps

GUIDE = (ROOT / "docs/staff.md").read_text()
LABELLED = re.compile(r"^\*\*(.+?)\*\*.*?\n```python\n(.*?)\n```", re.S | re.M)
CELLS = {"solution": {"solution": True}, "ordinary": None,
         "check": {"grade": True, "locked": True, "points": 0},
         "test": {"grade": True, "locked": True, "points": 5}}


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


def write_notebook(folder, found):
    cells = [new_markdown_cell("# Warm-up\nOne exercise.", id="title")]
    order = ["ordinary cell setup", "solution cell cosine", "check cell check_cosine",
             "test cell test_cosine"]
    for label in order:
        kind, _, name = label.split()
        metadata = nbgrader(name, **CELLS[kind]) if CELLS[kind] else {}
        cells.append(new_code_cell(found[label], id=name, metadata=metadata))
    path = folder / "source/warmup/warmup.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(dumps(nbformat.from_dict(new_notebook(cells=cells, metadata=KERNEL))))


def run(folder, command):
    words = command.split()
    assert words[0] == "viva"
    environment = os.environ | {"PYTHONPATH": str(folder / "lib")}
    done = subprocess.run([sys.executable, "-m", "viva_examiner.cli", *words[1:]], cwd=folder,
                          env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_guide_leads_to_an_audited_and_released_exercise(course):
    found = blocks()
    files = {label: code for label, code in found.items() if label.endswith(".py")}
    assert len(files) == 3 and len(found) == 7
    for name, code in files.items():
        (course / name).write_text(code + "\n")
    first, *later = re.findall(r"^```sh\n(.*?)\n```", GUIDE, re.S | re.M)
    assert "every bar holds" in run(course, first)
    write_notebook(course, found)
    for command in "\n".join(later).splitlines():
        output = run(course, command)
        if "--mutate" in command:
            assert "100.0%" in output
    released = (course / "release/warmup/warmup.ipynb").read_text()
    assert "YOUR CODE HERE" in released and "a_norm" not in released


def test_the_guides_own_example_follows_the_style(course):
    files = {label: code for label, code in blocks().items() if label.endswith(".py")}
    for name, code in files.items():
        (course / name).write_text(code + "\n")
    shutil.copy(ROOT / "pyproject.toml", course)
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", *files],
                          cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
