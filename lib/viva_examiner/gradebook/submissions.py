"""What was submitted: a folder per student, read through one narrow door (`handed_in`)."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from viva.log import LOG_NAME
from viva_examiner.gradebook.handed_in import (
    HandedIn,
    find_notebook,
    is_plain_name,
    read_file,
    read_folder,
)
from viva_examiner.harmless import one_line
from viva_examiner.limits import MAX_LOG_BYTES
from viva_examiner.notebook.whose_homework import Face, face_of
from viva_examiner.records import Work

STAMP = "timestamp.txt"
MAX_STAMP = 100  # bytes


@dataclass(frozen=True)
class Submission:
    """One student's folder for one homework.

    faces: what the course's homeworks are known by, for a notebook under another name
    """

    student: str
    homework: str
    folder: Path
    faces: Callable[[], list[Face]] = field(default=list, compare=False)

    def work(self, notebook: str) -> Work:
        """All that grading one of its notebooks needs."""
        handed_in = read_folder(self.folder)
        found = find_notebook(handed_in, notebook, self.homework, self.faces)
        remarks = [*handed_in.remarks, *([found.remark] if found.remark else [])]
        return Work(found.data, beside(handed_in), self.log(), tuple(remarks), found.other)

    def files(self) -> dict[str, bytes]:
        """The files beside the notebooks, by their relative path."""
        return beside(read_folder(self.folder))

    def log(self) -> bytes:
        """The submission log that was handed in, no more of it than a log can have."""
        return read_file(self.folder, LOG_NAME, MAX_LOG_BYTES + 1)

    def stamp(self) -> bytes:
        """What timestamp.txt says."""
        return read_file(self.folder, STAMP, MAX_STAMP)


def beside(handed_in: HandedIn) -> dict[str, bytes]:
    """All but the notebooks, the log and the time; nor what lies in folders of such names."""
    return {path: data for path, data in handed_in.files.items()
            if not path.lower().endswith(".ipynb") and not _is_ours(path.split("/")[0])}


def _is_ours(name: str) -> bool:
    """Whether we write a file of this name into the autograded folder."""
    return name in (STAMP, LOG_NAME) or name.lower().endswith(".ipynb")


def submissions(course, homework: str, student: str = "*") -> list[Submission]:
    """The submissions of a homework, by student."""
    excluded = set(filter(None, course.directory.student_id_exclude.split(",")))
    faces = functools.cache(lambda: faces_of(course))
    return [Submission(name, homework, folder, faces)
            for name, folder in _folders(course, student, homework)
            if folder.is_dir() and name not in excluded and is_plain_name(name)]


def strays(course, homework: str) -> list[str]:
    """What lies in submitted/ and cannot be graded where it lies, in sentences for staff."""
    found = []
    for name, _ in _folders(course, "*", homework):
        if not is_plain_name(name):
            found.append(f"{one_line(ascii(name), 80)}: nobody can be graded under this name; "
                         "rename the folder")
    for name, folder in _folders(course, "*", ""):
        if folder.is_dir() and is_plain_name(name):
            loose = sorted(path.name for path in folder.glob("*.ipynb"))
            found += [f"{name}/{one_line(each, 80)} lies outside a homework's folder: move it to "
                      f"{name}/{homework}/ if it is one" for each in loose[:3]]
    return found


def faces_of(course) -> list[Face]:
    """What each released notebook of the course is known by."""
    released = sorted(Path(course.path("release", ".", "*")).parent.glob("*/*.ipynb"))
    return [face_of(path.parent.name, path) for path in released]


def _folders(course, student: str, homework: str) -> list[tuple[str, Path]]:
    """(student, folder) of all that fits into the course's directory structure."""
    pattern = Path(course.path("submitted", student, homework))
    anchor = Path(pattern.anchor)
    depth = course.directory.directory_structure.split("/").index("{student_id}")
    return [(folder.relative_to(course.root).parts[depth], folder)
            for folder in sorted(anchor.glob(str(pattern.relative_to(anchor))))]


def submitted_at(submission: Submission) -> datetime | None:
    """The time in a submission's timestamp.txt; None if there is none that can be read."""
    try:
        return parse_utc(submission.stamp().decode().strip())
    except Exception:  # dateutil raises whatever it trips over
        return None
