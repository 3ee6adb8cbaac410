"""The result of a check as labelled rows; here for a terminal, in `viva.card` for a notebook."""

import textwrap
from dataclasses import dataclass

WIDTH, LABEL = 60, 14  # columns of a row's text and of its label
WHOLE = ("try it",)  # rows that are pasted: never broken


@dataclass(frozen=True)
class Verdict:
    """What came of one check: a headline, and rows (label, text) below it."""

    exercise: str
    status: str  # passed, failed, error or missing
    headline: str
    rows: tuple[tuple[str, str], ...] = ()
    causes: tuple[str, ...] = ()  # slugs of the recognised mistakes
    got: object = None  # the arrays of the first wrong case, for a picture
    expected: object = None

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    @property
    def cause(self) -> str:
        """The first of the recognised mistakes, or ""."""
        return next(iter(self.causes), "")

    @property
    def title(self) -> str:
        return f"{self.exercise}: {self.headline}"

    @property
    def lines(self) -> list[str]:
        """For a terminal, below 80 columns."""
        return [self.title, *(line for row in self.rows for line in row_lines(*row))]


@dataclass(frozen=True)
class Fault:
    """What is wrong with the answer to one case."""

    headline: str
    rows: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """In one line, for a rubric's table."""
        return "; ".join([self.headline, *(f"{label} {text}" for label, text in self.rows)])


def row_lines(label: str, text: str) -> list[str]:
    """A row for a terminal."""
    rows = [text] if label in WHOLE else textwrap.wrap(text, WIDTH) or [""]
    return [f"  {f'{label}:' if i == 0 else '':<{LABEL}}{row}" for i, row in enumerate(rows)]
