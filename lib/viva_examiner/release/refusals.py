"""What must not be released. Every refusal names the cell and the remedy.

The same questions are asked by `viva release` and, through RefuseLeaks in nbgrader_config.py, by
`nbgrader generate_assignment` and formgrader's Generate button.
"""
from pathlib import Path

import nbformat
import nbformat.reader
from nbgrader.preprocessors import NbGraderPreprocessor

from viva_examiner.release.problems import Problem, Refused, where
from viva_examiner.notebook.metadata import graded
from viva_examiner.release.released_faults import problems_of_released
from viva_examiner.release.source_faults import problems_of_source

# What may lie beside a source notebook; nbgrader copies every such file to the students.
DATA_FILES = {".csv", ".gif", ".jpeg", ".jpg", ".npy", ".npz", ".png", ".svg", ".tsv", ".txt"}


def problems_beside(notebook):
    """Files beside the notebook that nbgrader would copy to the students, or that hold code."""
    notebook = Path(notebook)
    for path in sorted(notebook.parent.rglob("*")):
        name = path.relative_to(notebook.parent)
        if path == notebook or path.is_dir() or ".ipynb_checkpoints" in name.parts:
            continue
        if path.suffix.lower() not in DATA_FILES:
            yield Problem(f"file {name}", "lies beside the notebook and may hold answers",
                          f"move it out of {notebook.parent.name}/ or delete it")


def problems_untouched(released, scores):
    """Tests that an untouched notebook passes; `scores` is {grade_id: points earned by it}."""
    for index, cell in enumerate(released.cells):
        info = graded(cell)
        if not info.get("grade") or info.get("solution") or not info.get("points"):
            continue
        score = scores.get(info["grade_id"])
        if score is None:
            yield Problem(where(index, cell), "could not be examined on the untouched notebook",
                          "run `viva audit` on this homework; it shows the error")
        elif score > 0:
            yield Problem(where(index, cell),
                          f"the untouched notebook earns {score:g} of {info['points']:g} points",
                          "let the hidden tests call the student's code and ask for its values")


def source_problems(path):
    """All that is wrong before anything is generated."""
    return [*problems_beside(path), *problems_of_source(read(path))]


def released_problems(source_path, released):
    """All that is wrong with what was generated, as far as reading it shows."""
    return list(problems_of_released(read(source_path), released))


def read(path):
    """The notebook in a file as it is, nothing repaired; Refused if it is none."""
    path = Path(path)
    try:
        notebook = nbformat.reader.reads(path.read_text(encoding="utf-8"))
        if notebook.nbformat == 4 and isinstance(notebook.cells, list):
            return notebook
    except (ValueError, AttributeError, KeyError, nbformat.reader.NotJSONError):
        pass
    raise Refused(path.stem, [Problem(f"the file {path.name}", "is not a notebook of format 4",
                                      "open it in JupyterLab and save it, or restore it")])


class RefuseLeaks(NbGraderPreprocessor):
    """The last step of generate_assignment: raises Refused before anything is written."""

    def preprocess(self, nb, resources):
        folder, name = resources["metadata"]["path"], resources["metadata"]["name"]
        source = Path(folder) / f"{name}.ipynb"
        problems = [*source_problems(source), *released_problems(source, nb)]
        if problems:
            refusal = Refused(name, problems)
            self.log.error("%s", refusal)
            raise refusal
        return nb, resources
