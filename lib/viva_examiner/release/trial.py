"""What an untouched notebook earns: the examiner's own answer, before a homework is released."""
import os
from pathlib import Path

from viva_examiner.sandbox import isolation
from viva_examiner.notebook.metadata import is_test
from viva_examiner.examination.examine import Examination
from viva_examiner.notebook.released import imports_of
from viva_examiner.release.refusals import read
from viva_examiner.sandbox.interpreter import WarmInterpreter


class Untouched:
    """`with Untouched(course) as examine:` examine(path of a released notebook) -> {id: score}.

    The interpreter starts at the first question. The notebook is the staff's own, so where a
    machine cannot isolate it, it runs without isolation.
    """

    def __init__(self, course):
        self.course, self.limits, self.warm = course, course.limits, None

    def __call__(self, path):
        path = Path(path)
        source = read(Path(self.course.path("source", ".", path.stem)) / path.name)
        tests = {cell.metadata.nbgrader.grade_id: cell.source for cell in source.cells
                 if is_test(cell)}
        notebook = read(path)
        for cell in notebook.cells:
            if is_test(cell):
                cell.source = tests[cell.metadata.nbgrader.grade_id]
        sitting = Examination(self._warm(), self.limits, "untouched", imports_of(source))
        marks = sitting.examine(notebook).marks
        return {name: mark.score for name, mark in marks.items() if mark.score is not None}

    def _warm(self):
        if self.warm is None:
            os.environ.setdefault("VIVA_SECRET", self.course.secret)
            way = isolation.chosen(trusted_machine=bool(isolation.why_not()))
            self.warm = WarmInterpreter(limits=self.limits, way=way)
        return self.warm

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.warm is not None:
            self.warm.close()
