"""What the staff's own notebook earns, and the untouched one, before a homework is released."""

import copy
from dataclasses import replace
from pathlib import Path

from nbformat import NotebookNode

from viva_examiner.course import Course
from viva_examiner.examination.engine import Engine
from viva_examiner.examination.orders import order_of
from viva_examiner.notebook.metadata import grade_id, is_test
from viva_examiner.notebook.released import released_from
from viva_examiner.records import Graded, Kind, Mark, Work
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.isolation import NONE


class Trial:
    """`with Trial(course) as trial:` what the examiner says to notebooks of the staff's own.

    The engine starts at the first question. The code is the staff's, so where a machine cannot
    isolate it, it runs without isolation. Figures earn nothing and are not drawn.
    """

    def __init__(self, course: Course):
        self.course = course
        self.engine: Engine | None = None

    def solved(self, source: NotebookNode, folder: Path, whole: bool = False) -> Graded:
        """What a source notebook with the staff's solutions earns, and shows where it is run.

        whole: run every cell, not only those that a mark depends on
        """
        return self._examine(source, source, folder, whole)

    def untouched(self, released: NotebookNode, source: NotebookNode,
                  folder: Path) -> dict[str, Mark]:
        """{grade_id: mark} of a released notebook, as a student who wrote nothing hands it in."""
        tests = {grade_id(cell): cell.source for cell in source.cells if is_test(cell)}
        notebook = copy.deepcopy(released)
        for cell in notebook.cells:
            if is_test(cell):
                cell.source = tests[grade_id(cell)]
        return self._examine(notebook, source, folder).tests

    def _examine(self, notebook: NotebookNode, source: NotebookNode,
                 folder: Path, whole: bool = False) -> Graded:
        name = folder.name
        engine = self._engine()
        engine.serve([released_from(source, name, name, folder=str(folder))])
        work = Work(student="trial", notebook=name, marks_only=not whole)
        graded = engine.grade_restored(copy.deepcopy(notebook), work)
        if faults := [remark.text for remark in graded.remarks if remark.kind == Kind.ENGINE]:
            raise EngineError(faults[0])
        return graded

    def _engine(self) -> Engine:
        if self.engine is None:
            order = order_of(self.course, secret=self.course.secret)
            self.engine = Engine(replace(order, fallback=NONE, answers=""))
        return self.engine

    def __enter__(self) -> "Trial":
        return self

    def __exit__(self, *error: object) -> None:
        if self.engine is not None:
            self.engine.close()
