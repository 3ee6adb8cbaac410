"""The course that docs/staff.md leads to: one homework, warmup, with one exercise."""

import re
import shutil

import nbformat

import courses
from repository import ROOT

GUIDE = (ROOT / "docs/staff.md").read_text()
LABELLED = re.compile(r"^\*\*(.+?)\*\*.*?\n```(?:python|markdown)\n(.*?)\n```", re.S | re.M)


def blocks():
    """{label without backticks: code} of the guide's files and cells."""
    return {label.replace("`", ""): code for label, code in LABELLED.findall(GUIDE)}


def files():
    """{path: code} of the guide's files."""
    return {label: code for label, code in blocks().items() if label.endswith(".py")}


def empty(folder):
    """A course with no homework yet: the library without its exams, cases and references."""
    for package in ("viva", "viva_course", "viva_examiner"):
        shutil.copytree(ROOT / "lib" / package, folder / "lib" / package,
                        ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
    for room in ("viva/cases", "viva_course/exams", "viva_course/reference", "viva_course/claims"):
        shutil.rmtree(folder / "lib" / room)
        (folder / "lib" / room).mkdir()
        (folder / "lib" / room / "__init__.py").touch()
    (folder / "source").mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    (folder / "gradebook.db").write_bytes(courses.empty_gradebook())
    return folder


def fill_in(folder):
    """Write the guide's code into the files and cells that `viva new` made."""
    for name, code in files().items():
        assert (folder / name).is_file(), f"viva new lays out no {name}"
        (folder / name).write_text(code + "\n")
    path = folder / "source/warmup/warmup.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id", cell.id): cell
             for cell in notebook.cells}
    for label, code in blocks().items():
        if " cell " in label:
            cells[label.split()[-1]].source = code
    nbformat.write(notebook, path)
