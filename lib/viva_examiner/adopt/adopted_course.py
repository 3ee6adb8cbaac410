"""A course of somebody else's, tried in a copy: nothing of it is changed."""

import contextlib
import copy
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from viva_examiner.adopt.both_ways import (
    ComparedTest,
    WayMarks,
    by_examiner,
    by_stock,
    compare,
    lay_out,
    upgrade,
)
from viva_examiner.adopt.loops import asks_often, defined
from viva_examiner.adopt.risky import runs_theirs
from viva_examiner.course import CONFIG, Course, NotACourse
from viva_examiner.examination.engine import Engine
from viva_examiner.examination.work_folder import released_files
from viva_examiner.gradebook.submissions import Submission, submissions
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.reading import BadSubmission
from viva_examiner.notebook.released import Released, released_from
from viva_examiner.notebook.restoring import restore
from viva_examiner.records import Work

INSTRUCTOR = ""  # instead of a student's id


@dataclass(frozen=True)
class TriedNotebook:
    """One notebook of the instructor's (student is empty) or of a student's, graded both ways.

    refused: why it was not graded, or empty
    risky: tests that run what a student's code made, with the calls that do
    often: tests that ask the student's code thousands of times, {test: {function: how often}}
    """

    assignment: str
    notebook: str
    student: str = INSTRUCTOR
    tests: list[ComparedTest] = field(default_factory=list)
    stock: WayMarks = field(default_factory=WayMarks)
    ours: WayMarks = field(default_factory=WayMarks)
    refused: str = ""
    risky: dict[str, list[str]] = field(default_factory=dict)
    often: dict[str, dict[str, int]] = field(default_factory=dict)


def open_course(folder: Path) -> Course:
    """The nbgrader course in a folder; raises NotACourse with a sentence."""
    root = Path(folder).resolve()
    if not (root / CONFIG).is_file():
        raise NotACourse(f"no {CONFIG} in {root}: name the folder of an nbgrader course")
    course = Course(root)
    with contextlib.chdir(root):  # where nbgrader reads it
        course.config  # noqa: B018  read now, from here
    return course


def assignments(course: Course) -> dict[str, list[Path]]:
    """{assignment: its notebooks} of source/."""
    found: dict[str, list[Path]] = {}
    for path in sorted(Path(course.path("source", ".", "*")).parent.glob("*/*.ipynb")):
        found.setdefault(path.parent.name, []).append(path)
    return found


def try_course(course: Course, engine: Engine,
               with_submissions: bool = True) -> Iterator[TriedNotebook]:
    """Each notebook of the course, the instructor's before the students'."""
    for assignment, notebooks in assignments(course).items():
        handed_in = submissions(course, assignment) if with_submissions else []
        for path in notebooks:
            yield from _try_notebook(course, engine, assignment, path, handed_in)


def _try_notebook(course: Course, engine: Engine, assignment: str, path: Path,
                  handed_in: list[Submission]) -> Iterator[TriedNotebook]:
    try:
        source = upgrade(nbformat.read(path, as_version=4))
    except Exception as error:  # nbformat and the validator raise many kinds
        refused = f"nbgrader cannot read it: {error}"[:300]
        yield TriedNotebook(assignment, path.stem, refused=refused)
        return
    language = source.metadata.get("kernelspec", {}).get("language") or "python"
    if language.lower() != "python":
        refused = f"it is written in {language}; the examiner runs Python only"
        yield TriedNotebook(assignment, path.stem, refused=refused)
    elif not any(map(is_test, source.cells)):
        yield TriedNotebook(assignment, path.stem, refused="no automatic tests")
    else:
        data_files = released_files(str(path.parent))
        with tempfile.TemporaryDirectory(prefix="viva-adopt-") as folder:
            lay_out(data_files, Path(folder))
            released = released_from(source, assignment, path.stem, folder=folder,
                                     second_opinion=course.second_opinion)
            work = Work(b"{}", student=INSTRUCTOR, notebook=path.stem)
            yield _both_ways(engine, released, source, data_files, work)
            for each in handed_in:
                yield _try_submission(engine, released, each, data_files)


def _try_submission(engine: Engine, released: Released, submission: Submission,
                    data_files: dict[str, bytes]) -> TriedNotebook:
    about = (released.homework, released.notebook, submission.student)
    work = submission.work(submission.read(), released.notebook)
    if not work.data or work.other:
        return TriedNotebook(*about, refused="not handed in")
    try:
        notebook, _ = restore(work.data, released)
    except BadSubmission as error:
        return TriedNotebook(*about, refused=f"it cannot be read: {error}")
    return _both_ways(engine, released, notebook, data_files | work.files, work)


def _both_ways(engine: Engine, released: Released, notebook: NotebookNode, files: dict[str, bytes],
          work: Work) -> TriedNotebook:
    stock = by_stock(copy.deepcopy(notebook), files)
    ours = by_examiner(engine, released, copy.deepcopy(notebook), work)
    refused = "" if stock.marks else ("stock nbgrader gives no marks: the kernel died, was stopped "
                                      "or did not start")
    risky = {cell.name: calls for cell in released.cells
             if cell.grade and not work.student and (calls := runs_theirs(cell.source))}
    names = defined(cell.source for cell in notebook.cells
                    if cell.cell_type == "code" and not is_test(cell))
    often = {cell.name: asked for cell in released.cells
             if cell.grade and not work.student and (asked := asks_often(cell.source, names))}
    return TriedNotebook(released.homework, released.notebook, work.student, compare(stock, ours),
                         stock, ours, refused, risky, often)
