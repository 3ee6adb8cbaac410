"""What the staff's own notebook earns, and the untouched one, before a homework is released."""

import os
from pathlib import Path

from viva_examiner.examination.examine import Examination
from viva_examiner.examination.needed import left_out
from viva_examiner.notebook.metadata import grade_id, is_test
from viva_examiner.notebook.released import released_from
from viva_examiner.records import Mark
from viva_examiner.release.refusals import read
from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.interpreter import WarmInterpreter


class Trial:
    """`with Trial(course) as trial:` what the examiner says to notebooks of the staff's own.

    The interpreter starts at the first question. The code is the staff's, so where a machine
    cannot isolate it, it runs without isolation.
    """

    def __init__(self, course):
        self.course, self.limits, self.warm = course, course.limits, None

    def solved(self, path: Path) -> dict[str, Mark]:
        """{grade_id: mark} of a source notebook, with the staff's solutions."""
        source = read(path)
        return self._examine(source, source, path.parent)

    def untouched(self, path: Path) -> dict[str, Mark]:
        """{grade_id: mark} of a released notebook, as a student who wrote nothing hands it in."""
        path = Path(path)
        source = read(Path(self.course.path("source", ".", path.parent.name)) / path.name)
        tests = {grade_id(cell): cell.source for cell in source.cells if is_test(cell)}
        notebook = read(path)
        for cell in notebook.cells:
            if is_test(cell):
                cell.source = tests[grade_id(cell)]
        return self._examine(notebook, source, path.parent)

    def _examine(self, notebook, source, folder: Path) -> dict[str, Mark]:
        ordinary = [cell.source for cell in source.cells if not grade_id(cell)]
        skip = {number: [] for number in left_out(notebook.cells, ordinary)}  # figures earn nothing
        released = released_from(source, folder.name, folder.name, folder=str(folder))
        sitting = Examination(self._warm(), self.limits, "trial", released, skip=skip)
        return sitting.examine(notebook).marks

    def _warm(self) -> WarmInterpreter:
        if self.warm is None:
            os.environ.setdefault("VIVA_SECRET", self.course.secret)
            way = isolation.chosen(trusted_machine=bool(isolation.why_not()))
            self.warm = WarmInterpreter(limits=self.limits, way=way)
        return self.warm

    def __enter__(self) -> "Trial":
        return self

    def __exit__(self, *error) -> None:
        if self.warm is not None:
            self.warm.close()
