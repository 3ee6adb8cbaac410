"""What the course's own part for authors says of a homework, and what its cells do when run."""

import importlib
import importlib.util
from collections.abc import Iterator
from types import ModuleType

from nbformat import NotebookNode

from viva_examiner.course import Course
from viva_examiner.release.problems import Problem, where

MAY_RAISE = "raises-exception"  # Jupyter's tag of a cell that is meant to fail


def authoring_of(course: Course) -> ModuleType | None:
    """The library's module `authoring`, which knows the rooms of its homeworks, if it has one."""
    name = f"{course.settings.course}.authoring"
    if not course.settings.course or importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)


def problems_of_placeholders(course: Course, homework: str,
                             source: NotebookNode) -> Iterator[Problem]:
    """Words that `viva new` wrote for the author, and that nobody replaced."""
    authoring = authoring_of(course)
    if authoring is None or not hasattr(authoring, "unwritten"):
        return
    sources = [cell.source for cell in source.cells]
    for place, words in authoring.unwritten(course.root, homework, sources):
        shown = where(place, source.cells[place]) if isinstance(place, int) else str(place)
        yield Problem(shown, f"still has the template's words: {words}", "write your own")


def problems_of_run(ran: NotebookNode) -> Iterator[Problem]:
    """Cells of the staff's own notebook that fail when it runs from top to bottom."""
    for index, cell in enumerate(ran.cells):
        if MAY_RAISE in cell.metadata.get("tags", ()):
            continue
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                yield Problem(where(index, cell), "fails in the staff's own notebook: "
                              f"{output.ename}: {output.evalue}", "fix the cell")
                break
