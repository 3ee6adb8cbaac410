"""A course of somebody else's, tried in a copy: nothing of it is changed."""

import contextlib
import copy
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from viva_examiner.adopt.both_ways import (
    Compared,
    Marked,
    by_examiner,
    by_stock,
    compare,
    lay_out,
    upgrade,
)
from viva_examiner.course import CONFIG, Course, NotACourse
from viva_examiner.examination.beside import released_files
from viva_examiner.gradebook.submissions import submissions
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.reading import BadSubmission
from viva_examiner.notebook.released import released_from
from viva_examiner.notebook.restore import restore
from viva_examiner.records import Work

INSTRUCTOR = ""  # instead of a student's id


@dataclass(frozen=True)
class Tried:
    """One notebook of the instructor's (student is empty) or of a student's, graded both ways.

    refused: why it was not graded, or empty
    """

    assignment: str
    notebook: str
    student: str = INSTRUCTOR
    tests: list[Compared] = field(default_factory=list)
    stock: Marked = field(default_factory=Marked)
    ours: Marked = field(default_factory=Marked)
    refused: str = ""


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
    found = {}
    for path in sorted(Path(course.path("source", ".", "*")).parent.glob("*/*.ipynb")):
        found.setdefault(path.parent.name, []).append(path)
    return found


def try_course(course: Course, warm, with_submissions: bool = True) -> Iterator[Tried]:
    """Each notebook of the course, the instructor's before the students'."""
    for assignment, notebooks in assignments(course).items():
        handed_in = submissions(course, assignment) if with_submissions else []
        for path in notebooks:
            yield from _try_notebook(course, warm, assignment, path, handed_in)


def _try_notebook(course, warm, assignment: str, path: Path, handed_in) -> Iterator[Tried]:
    try:
        source = upgrade(nbformat.read(path, as_version=4))
    except Exception as error:  # nbformat and the validator raise many kinds
        yield Tried(assignment, path.stem, refused=f"nbgrader cannot read it: {error}"[:300])
        return
    language = source.metadata.get("kernelspec", {}).get("language") or "python"
    if language.lower() != "python":
        yield Tried(assignment, path.stem, refused=f"it is written in {language}; the examiner "
                    "runs Python only")
    elif not any(map(is_test, source.cells)):
        yield Tried(assignment, path.stem, refused="no automatic tests")
    else:
        beside = released_files(str(path.parent))
        with tempfile.TemporaryDirectory(prefix="viva-adopt-") as folder:
            lay_out(beside, Path(folder))
            released = released_from(source, assignment, path.stem, folder=folder,
                                     second_opinion=course.second_opinion)
            yield _both(warm, released, INSTRUCTOR, source, beside, Work(b"{}"), course.limits)
            for each in handed_in:
                yield _try_submission(warm, released, each, beside, course.limits)


def _try_submission(warm, released, submission, beside: dict, limits) -> Tried:
    about = (released.homework, released.notebook, submission.student)
    work = submission.work(released.notebook)
    if not work.notebook or work.other:
        return Tried(*about, refused="not handed in")
    try:
        notebook, _ = restore(work.notebook, released)
    except BadSubmission as error:
        return Tried(*about, refused=f"it cannot be read: {error}")
    return _both(warm, released, submission.student, notebook, beside | work.files, work, limits)


def _both(warm, released, student: str, notebook, files: dict, work: Work,
          limits) -> Tried:
    stock = by_stock(copy.deepcopy(notebook), files)
    ours = by_examiner(warm, released, student, copy.deepcopy(notebook), work, limits)
    refused = "" if stock.marks else "stock nbgrader gives no marks: the kernel died or was stopped"
    return Tried(released.homework, released.notebook, student, compare(stock, ours), stock, ours,
                 refused)
