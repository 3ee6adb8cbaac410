"""The vocabulary of a refusal: a problem, the cell it is in, the exception that carries it."""
from collections.abc import Iterable
from dataclasses import dataclass

from nbformat import NotebookNode

from viva_examiner.failure import Failure
from viva_examiner.notebook.metadata import graded


@dataclass(frozen=True)
class Problem:
    """One reason not to release: where, what, and what to do about it."""

    where: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}\n    remedy: {self.remedy}"


class ReleaseRefused(Failure):
    """A homework that is not released; `problems` says why."""

    exit_code = 1

    def __init__(self, homework: str, problems: Iterable[Problem]) -> None:
        self.homework, self.problems = homework, list(problems)
        count = len(self.problems)
        lines = [f"{homework} is not released: {count} problem{'s' if count > 1 else ''}"]
        super().__init__("\n  ".join([*lines, *map(str, self.problems)]))


def where(index: int, cell: NotebookNode) -> str:
    """How a message calls a cell: its grade_id or id, and its number from the top."""
    name = graded(cell).get("grade_id") or cell.get("id", "")
    return f"cell {name} (number {index + 1})" if name else f"cell number {index + 1}"
