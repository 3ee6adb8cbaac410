"""What was submitted: a folder per student, read through one narrow door (`handed_in`)."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from viva_examiner.course import Course
from viva_examiner.gradebook.handed_in import Contents, find_notebook, is_plain_name, read_folder
from viva_examiner.harmless import one_line
from viva_examiner.notebook.whose_homework import Profile, profile_of
from viva_examiner.records import Work


@dataclass(frozen=True)
class Submission:
    """One student's folder for one homework.

    profiles: what the course's homeworks are known by, for a notebook under another name
    """

    student: str
    homework: str
    folder: Path
    profiles: Callable[[], list[Profile]] = field(default=list, compare=False)

    def read(self) -> Contents:
        """What lies in it now. To be read once: key, marks and kept files come from one reading."""
        return read_folder(self.folder)

    def work(self, contents: Contents, notebook: str) -> Work:
        """All that grading one of its notebooks needs."""
        found = find_notebook(contents, notebook, self.homework, self.profiles)
        remarks = [*contents.remarks, *([found.remark] if found.remark else [])]
        return Work(found.data, contents.other_files(), contents.log, tuple(remarks), found.other,
                    contents.stamp, self.student, notebook)


def submissions(course: Course, homework: str, student: str = "*") -> list[Submission]:
    """The submissions of a homework, by student."""
    excluded = set(filter(None, course.directory.student_id_exclude.split(",")))
    profiles = functools.cache(lambda: profiles_of(course))
    return [Submission(name, homework, folder, profiles)
            for name, folder in _folders(course, student, homework)
            if folder.is_dir() and name not in excluded and is_plain_name(name)]


def strays(course: Course, homework: str) -> list[str]:
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


def profiles_of(course: Course) -> list[Profile]:
    """What each released notebook of the course is known by."""
    released = sorted(Path(course.path("release", ".", "*")).parent.glob("*/*.ipynb"))
    return [profile_of(path.parent.name, path) for path in released]


def _folders(course: Course, student: str, homework: str) -> list[tuple[str, Path]]:
    """(student, folder) of all that fits into the course's directory structure."""
    pattern = Path(course.path("submitted", student, homework))
    anchor = Path(pattern.anchor)
    depth = course.directory.directory_structure.split("/").index("{student_id}")
    return [(folder.relative_to(course.root).parts[depth], folder)
            for folder in sorted(anchor.glob(str(pattern.relative_to(anchor))))]
