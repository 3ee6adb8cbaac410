"""The examiner inside unmodified nbgrader: steps that `nbgrader_config.py` puts in its lists.

`nbgrader autograde` and formgrader's Autograde button run these; `viva autograde` runs the same
code without nbgrader's passes around it.
"""

import atexit
import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import List, Unicode

from viva.unbroken import unbroken
from viva_examiner.course import Course
from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.gradebook.book import Book
from viva_examiner.gradebook.handed_in import Contents, read_folder
from viva_examiner.gradebook.released_rows import load
from viva_examiner.notebook.cells import split_hidden
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.restoring import REMARKS_ID, restore
from viva_examiner.records import Kind, Remark, Work

if TYPE_CHECKING:
    from viva_examiner.examination.engine import Engine

MAX_OUTPUT = 100_000  # characters of one output that a feedback page shows
MAX_PICTURE = 4_000_000  # characters of one picture
MAX_OUTPUTS = 500  # of one cell


class Restore(NbGraderPreprocessor):
    """`Autograde.sanitize_preprocessors`: what staff own is put back as it was released."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        _, released = _about(resources)
        notebook, remarks = restore(unbroken(nbformat.writes(nb)).encode(), released)
        for remark in remarks:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], remark)
        notebook.metadata[RECORD] = {"remarks": remarks}  # for the step below
        return notebook, resources


class Examine(NbGraderPreprocessor):
    """`Autograde.autograde_preprocessors`: examine in the sandbox, write the gradebook."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        course, released = _about(resources)
        student = resources["nbgrader"]["student"]
        folder = Path(resources["metadata"]["path"])
        taken, left = usable_files(course, released.homework, student, folder)
        remarks = [Remark(Kind.RESTORED, text)
                   for text in nb.metadata.pop(RECORD, {}).get("remarks", ())]
        work = Work(b"", taken.other_files(), taken.log, (*remarks, *left), student=student,
                    notebook=released.notebook)
        engine = _engine_at(course.root, os.getpid())
        engine.serve([released])
        graded = engine.grade_restored(nb, work)
        if graded.needs_a_look:
            self.log.error("%s: %s", student, graded.look)
        with Book(course, released.homework) as book:
            book.write([(graded, None)])
        return nbformat.reads(graded.text, as_version=4), resources


def usable_files(course: Course, homework: str, student: str,
                     folder: Path) -> tuple[Contents, list[Remark]]:
    """(what lies beside a notebook and may be used, remarks about what may not).

    folder: of autograded/, where nbgrader has copied everything to, what links point at included.
        A copy of what cannot be taken from submitted/ is removed, unless staff gave it.
    """
    handed_in = read_folder(Path(course.path("submitted", student, homework)))
    given = Path(course.path("source", ".", homework))
    taken = read_folder(folder)
    for path in taken.files.keys() - handed_in.files.keys():
        if not (given / path).is_file() and not path.endswith(".ipynb"):
            (folder / path).unlink()
            del taken.files[path]
    return taken, handed_in.remarks


class HideTests(NbGraderPreprocessor):
    """`GenerateFeedback.preprocessors`: no line of a hidden test, nothing that breaks a page."""

    display_data_priority = List(Unicode()).tag(config=True)  # nbconvert sets it for every step

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        nb.metadata.pop("widgets", None)
        nb.metadata.pop("viva", None)
        nb.cells = [cell for cell in nb.cells if cell.get("id") != REMARKS_ID]
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: NotebookNode, resources: dict,
                        index: int) -> tuple[NotebookNode, dict]:
        if cell.cell_type != "code":
            return cell, resources
        test = is_test(cell)
        if test:
            if not cell.metadata.nbgrader.points:  # a check: the page need not say "0.0 of 0.0"
                del cell.metadata["nbgrader"]
            parts = split_hidden(cell.source)
            shown = [part.source.strip() for part in parts if not part.hidden]
            note = ["# Hidden tests ran here."] if len(shown) < len(parts) else []
            cell.source = "\n".join(shown + note)
        cell.outputs = cell.outputs[:MAX_OUTPUTS]
        for output in cell.outputs:
            if output.output_type == "error" and test:
                output.traceback = [f"{output.ename}: {output.evalue}"]
            _shorten(output)
        return cell, resources


def _shorten(output: NotebookNode) -> None:
    """Cut long text and leave out what a page cannot show: widgets, giant pictures."""
    for name in ("text", "evalue"):
        if isinstance(output.get(name), str):
            output[name] = _cut(output[name])
    if "traceback" in output:
        output.traceback = [_cut(row) for row in output.traceback[-60:]]
    data = output.get("data", {})
    for mime, value in list(data.items()):
        if mime.startswith("application/") or len(str(value)) > MAX_PICTURE:
            del data[mime]
        elif mime.startswith("text/") and mime != "text/html":  # half a table breaks a page
            data[mime] = _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_OUTPUT else f"{text[:MAX_OUTPUT]}\n... (output shortened)"


def _about(resources: dict) -> tuple[Course, Released]:
    """The course and the released notebook that a step is about."""
    course = Course.find(Path(resources["metadata"]["path"]))
    about = resources["nbgrader"]
    released = load(course, about["assignment"])
    return course, next(each for each in released if each.notebook == about["notebook"])


@functools.cache
def _engine_at(root: Path, process: int) -> "Engine":
    """One engine per process and course, for as long as the process lives."""
    # every command reads the configuration, which imports this module; few of them grade here
    from viva_examiner.examination.engine import Engine
    from viva_examiner.examination.orders import order_of

    engine = Engine(order_of(Course(root)))
    atexit.register(engine.close)
    return engine
