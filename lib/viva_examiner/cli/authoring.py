"""What `viva new` and `viva rename` share: the course library's own part for authors."""

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from viva_examiner.course import Course, NotACourse
from viva_examiner.notebook.canonical import format_file
from viva_examiner.release.authored import authoring_of


def needed_authoring(course: Course) -> ModuleType:
    """The library's module `authoring`; NotACourse where there is none."""
    found = authoring_of(course)
    if found is None:
        raise NotACourse("this course's library has no part for authors (a module `authoring`)")
    return found


def shown(course: Course, paths: Iterable[Path]) -> list[str]:
    """The paths that were written, notebooks brought into their canonical form."""
    for path in paths:
        if path.suffix == ".ipynb":
            format_file(path)
    return [str(path.relative_to(course.root)) for path in paths]
