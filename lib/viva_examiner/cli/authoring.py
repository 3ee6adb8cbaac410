"""What `viva new` and `viva rename` share: the course library's own part for authors."""

import importlib
import importlib.util

from viva_examiner.course import NotACourse
from viva_examiner.notebook.canonical import format_file


def authoring_of(course):
    """The library's module `authoring`, which knows the rooms of its homeworks."""
    name = f"{course.settings.course}.authoring"
    if not course.settings.course or importlib.util.find_spec(name) is None:
        raise NotACourse("this course's library has no part for authors (a module `authoring`)")
    return importlib.import_module(name)


def shown(course, paths) -> list[str]:
    """The paths that were written, notebooks brought into their canonical form."""
    for path in paths:
        if path.suffix == ".ipynb":
            format_file(path)
    return [str(path.relative_to(course.root)) for path in paths]
