"""What an untouched notebook earns: the examiner's own answer, before a homework is released."""
import os
from pathlib import Path

from viva_examiner import jail
from viva_examiner.autograde import limits_of, secret_of
from viva_examiner.cells import is_test
from viva_examiner.engine import Examination, trusted_imports
from viva_examiner.refusals import read
from viva_examiner.warm import Warm


class Untouched:
    """`with Untouched(course) as examine:` examine(path of a released notebook) -> {id: score}.

    The interpreter starts at the first question. The notebook is the staff's own, so where a
    machine cannot isolate it, it runs without isolation.
    """

    def __init__(self, course):
        self.course, self.limits, self.warm = course, limits_of(course.settings), None

    def __call__(self, path):
        path = Path(path)
        source = read(Path(self.course.path("source", ".", path.stem)) / path.name)
        tests = {cell.metadata.nbgrader.grade_id: cell.source for cell in source.cells
                 if is_test(cell)}
        notebook = read(path)
        for cell in notebook.cells:
            if is_test(cell):
                cell.source = tests[cell.metadata.nbgrader.grade_id]
        sitting = Examination(self._warm(), self.limits, "untouched", trusted_imports(source))
        marks = sitting.examine(notebook).marks
        return {name: mark.score for name, mark in marks.items() if mark.score is not None}

    def _warm(self):
        if self.warm is None:
            os.environ.setdefault("VIVA_SECRET", secret_of(self.course.library))
            self.warm = Warm(limits=self.limits, trusted_machine=bool(jail.why_not()))
        return self.warm

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.warm is not None:
            self.warm.close()
