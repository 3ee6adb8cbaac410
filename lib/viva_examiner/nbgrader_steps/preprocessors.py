"""The examiner inside unmodified nbgrader: steps that `nbgrader_config.py` puts in its lists.

`nbgrader autograde` and formgrader's Autograde button run these; `viva autograde` runs the same
code without nbgrader's passes around it.
"""

import atexit
import functools
import os
from pathlib import Path

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import List, Unicode

from viva.unbroken import unbroken
from viva_examiner.course import Course
from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.gradebook.book import Book
from viva_examiner.gradebook.handed_in import HandedIn, read_folder
from viva_examiner.gradebook.released import load
from viva_examiner.gradebook.submissions import Submission, beside
from viva_examiner.notebook.cells import split_hidden
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.restore import REMARKS_ID, restore
from viva_examiner.records import NOT_GRADED, Work
from viva_examiner.sandbox import isolation, preload
from viva_examiner.sandbox.interpreter import WarmInterpreter

MAX_OUTPUT = 100_000  # characters of one output that a feedback page shows
MAX_PICTURE = 4_000_000  # characters of one picture
MAX_OUTPUTS = 500  # of one cell


class Restore(NbGraderPreprocessor):
    """`Autograde.sanitize_preprocessors`: what staff own is put back as it was released."""

    def preprocess(self, nb, resources):
        _, released = _about(resources)
        notebook, remarks = restore(unbroken(nbformat.writes(nb)).encode(), released)
        for remark in remarks:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], remark)
        notebook.metadata[RECORD] = {"remarks": remarks}  # for the step below
        return notebook, resources


class Examine(NbGraderPreprocessor):
    """`Autograde.autograde_preprocessors`: examine in the sandbox, write the gradebook."""

    def preprocess(self, nb, resources):
        # every command reads the configuration, which imports this module; few of them grade here
        from viva_examiner.examination.grade import grade_restored

        course, released = _about(resources)
        student = resources["nbgrader"]["student"]
        folder = Path(resources["metadata"]["path"])
        files, left = through_the_door(course, released.homework, student, folder)
        log = Submission(student, released.homework, folder).log()
        remarks = nb.metadata.pop(RECORD, {}).get("remarks", ())
        work = Work(b"", files, log, (*remarks, *left))
        graded = grade_restored(_warm(course), released, student, nb, work, course.limits)
        if graded.status == NOT_GRADED:
            self.log.error("%s: %s", student, graded.remarks[-1])
        with Book(course, released.homework) as book:
            book.write([(graded, None)])
        return nbformat.reads(graded.text, as_version=4), resources


def through_the_door(course: Course, homework: str, student: str, folder: Path):
    """(files beside a notebook that may be used, remarks about those that may not).

    folder: of autograded/, where nbgrader has copied everything to, what links point at included.
        A copy of what cannot be taken from submitted/ is removed, unless staff gave it.
    """
    handed_in = read_folder(Path(course.path("submitted", student, homework)))
    given = Path(course.path("source", ".", homework))
    files = read_folder(folder).files
    for path in files.keys() - handed_in.files.keys():
        if not (given / path).is_file() and not path.endswith(".ipynb"):
            (folder / path).unlink()
            del files[path]
    return beside(HandedIn(files)), handed_in.remarks


class HideTests(NbGraderPreprocessor):
    """`GenerateFeedback.preprocessors`: no line of a hidden test, nothing that breaks a page."""

    display_data_priority = List(Unicode()).tag(config=True)  # nbconvert sets it for every step

    def preprocess(self, nb, resources):
        nb.metadata.pop("widgets", None)
        nb.metadata.pop("viva", None)
        nb.cells = [cell for cell in nb.cells if cell.get("id") != REMARKS_ID]
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, index):
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


def _shorten(output) -> None:
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


def _about(resources) -> tuple[Course, Released]:
    """The course and the released notebook that a step is about."""
    course = Course.find(Path(resources["metadata"]["path"]))
    about = resources["nbgrader"]
    released = load(course, about["assignment"])
    return course, next(each for each in released if each.notebook == about["notebook"])


@functools.cache
def _warm_at(root: Path, process: int) -> WarmInterpreter:
    course = Course(root)
    way = isolation.chosen(course.settings.trusted_machine)
    os.environ.setdefault("VIVA_SECRET", course.secret)
    warm = WarmInterpreter(preload.wanted(root), course.limits, (str(root),), way)
    atexit.register(warm.close)
    return warm


def _warm(course: Course) -> WarmInterpreter:
    """One warm interpreter per process and course, for as long as the process lives."""
    return _warm_at(course.root, os.getpid())
