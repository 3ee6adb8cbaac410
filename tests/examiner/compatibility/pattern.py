"""A pattern that courses use: a small assignment with a right, a wrong and a hostile submission."""

from dataclasses import dataclass, field

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

POINTS = 2


@dataclass(frozen=True)
class Pattern:
    """One solution cell and the tests behind it. Names are unique over all patterns.

    right, wrong, hostile: the solution cell; the instructor's own one is `right`
    tests: test cells, each worth two points; between: a plain cell after the first of them
    files: beside the released notebook; handed_in: what the student has there
    flagged: the examiner cannot decide it safely: the right one is open for a TA
    """

    name: str
    right: str
    wrong: str
    hostile: str
    tests: tuple[str, ...]
    setup: str = ""
    between: str = ""
    files: dict = field(default_factory=dict)
    handed_in: dict = field(default_factory=dict)
    flagged: bool = False

    def cells(self, solution: str) -> list:
        """The cells of a submission, tests included."""
        found = [_cell(f"{self.name}_setup", self.setup)] if self.setup else []
        found.append(_cell(self.name, solution, solution=True, locked=False))
        tests = [_cell(f"{self.name}_test_{i}", text, grade=True, locked=True, points=POINTS)
                 for i, text in enumerate(self.tests)]
        if self.between:
            tests.insert(1, _cell(f"{self.name}_between", self.between))
        return found + tests


def notebook(cells: list):
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.from_dict(new_notebook(cells=cells, metadata={"kernelspec": kernel}))


def _cell(name: str, source: str, **flags):
    defaults = {"grade": False, "solution": False, "locked": True, "task": False}
    about = {"nbgrader": {"grade_id": name, "schema_version": 3, "cell_type": "code",
                          **defaults, **flags}}
    return new_code_cell(source, id=name, metadata=about if flags else {})
