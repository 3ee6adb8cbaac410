"""What must not be released. Every refusal names the cell and the remedy.

The same questions are asked by `viva release` and, through RefuseLeaks in nbgrader_config.py, by
`nbgrader generate_assignment` and formgrader's Generate button.
"""
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import nbformat.reader
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from viva_examiner.notebook.metadata import grade_id, graded, is_test
from viva_examiner.records import Mark
from viva_examiner.release.problems import Problem, ReleaseRefused, where
from viva_examiner.release.released_faults import problems_of_released
from viva_examiner.release.source_faults import problems_of_source

# What may lie beside a source notebook; nbgrader copies every such file to the students.
DATA_FILES = {".csv", ".gif", ".jpeg", ".jpg", ".npy", ".npz", ".png", ".svg", ".tsv", ".txt"}


def problems_of_other_files(notebook: Path) -> Iterator[Problem]:
    """Files beside the notebook that nbgrader would copy to the students, or that hold code."""
    notebook = Path(notebook)
    for path in sorted(notebook.parent.rglob("*")):
        name = path.relative_to(notebook.parent)
        if path == notebook or path.is_dir() or ".ipynb_checkpoints" in name.parts:
            continue
        if _is_another_of_its_homework(path, notebook):
            continue  # it is released as well, and examined for itself
        if path.suffix.lower() not in DATA_FILES:
            yield Problem(f"file {name}", "lies beside the notebook and may hold answers",
                          f"move it out of {notebook.parent.name}/ or delete it")


def _is_another_of_its_homework(path: Path, notebook: Path) -> bool:
    """Whether a file is one of several notebooks that a homework has (`ps1/problem2.ipynb`).

    Where one notebook has the homework's own name, it is the only one. A notebook that grades
    nothing would be copied with all that it holds.
    """
    folder = notebook.parent
    alone = (folder / f"{folder.name}.ipynb").exists()
    if alone or path.suffix != ".ipynb" or path.parent != folder:
        return False
    return any(map(grade_id, read(path).cells))


def problems_untouched(released: NotebookNode, marks: dict) -> Iterator[Problem]:
    """Tests that an untouched notebook passes; `marks` is {grade_id: what it got}."""
    for place, name, points in _tests(released):
        mark = marks.get(name)
        if mark is None or mark.score is None:
            yield _not_examined(place, mark, "the untouched notebook")
        elif mark.score > 0:
            earned = f"{mark.score:g} of {points:g} points"
            yield Problem(place, f"the untouched notebook earns {earned}",
                          "let the hidden tests call the student's code and ask for its values")


def problems_solved(source: NotebookNode, marks: dict) -> Iterator[Problem]:
    """Tests that the staff's own notebook does not pass."""
    for place, name, points in _tests(source):
        mark = marks.get(name)
        if mark is None or mark.score is None:
            yield _not_examined(place, mark, "the staff's own notebook")
        elif mark.score != points:
            lost = [item.message for item in mark.items if item.gone > 0]
            why = lost[0] if lost else mark.reason
            yield Problem(place, f"the staff's own notebook earns {mark.score:g} of {points:g} "
                          f"points ({why})", "fix the solution or the exam")


def _tests(notebook: NotebookNode) -> Iterator[tuple[str, str, float]]:
    """(place, grade_id, points) of the tests that are worth something."""
    for index, cell in enumerate(notebook.cells):
        if is_test(cell) and graded(cell).get("points"):
            yield where(index, cell), grade_id(cell), graded(cell)["points"]


def _not_examined(place: str, mark: Mark | None, whose: str) -> Problem:
    reason = f": {mark.reason}" if mark is not None and mark.reason else ""
    return Problem(place, f"could not be examined on {whose}{reason}",
                   "fix what the reason names; `viva audit` shows more of it")


def source_problems(path: Path, source: NotebookNode) -> list[Problem]:
    """All that is wrong with the notebook in a file before anything is generated."""
    return [*problems_of_other_files(path), *problems_of_source(source)]


def read(path: Path) -> NotebookNode:
    """The notebook in a file as it is, nothing repaired; Refused if it is none."""
    return read_source(path).notebook


@dataclass(frozen=True)
class Source:
    """A notebook and the text it was read from: whoever asks about either need not read again."""

    path: Path
    text: str
    notebook: NotebookNode


def read_source(path: Path) -> Source:
    """The notebook in a file with its text; Refused if it is none."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.reader.reads(text)
        if notebook.nbformat == 4 and isinstance(notebook.cells, list):
            return Source(path, text, notebook)
    except (ValueError, AttributeError, KeyError, nbformat.reader.NotJSONError):
        pass
    raise ReleaseRefused(path.stem, [Problem(
        f"the file {path.name}", "is not a notebook of format 4",
        "open it in JupyterLab and save it, or restore it")])


class RefuseLeaks(NbGraderPreprocessor):
    """The last step of generate_assignment: raises Refused before anything is written."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        folder, name = resources["metadata"]["path"], resources["metadata"]["name"]
        path = Path(folder) / f"{name}.ipynb"
        source = read(path)
        problems = [*source_problems(path, source), *problems_of_released(source, nb)]
        if problems:
            refusal = ReleaseRefused(name, problems)
            self.log.error("%s", refusal)
            raise refusal
        return nb, resources
