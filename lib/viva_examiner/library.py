"""What the examiner expects of a course's own library, where it has one (docs/staff.md)."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol


class Outcome(Protocol):
    """What came of one rubric item."""

    item: str
    passed: bool
    message: str
    kind: str  # why it is lost, in one word; empty if it is not


class Report(Protocol):
    """What came of one examination."""

    score: float
    outcomes: Sequence[Outcome]
    mistake: str  # the slug of the known mistake; empty if it is none
    hint: str


class Item(Protocol):
    """A rubric item: a question with points."""

    name: str
    points: float
    ask: Callable[..., Any]


class Mistake(Protocol):
    """A known wrong solution."""

    slug: str
    hint: str
    candidates: tuple[Any, ...]


class Variant(Protocol):
    """A right solution in another style."""

    name: str
    candidates: tuple[Any, ...]


class Exercise(Protocol):
    """One exercise: its points, what is right, what is wrong, and its exam."""

    name: str
    homework: str
    points: float
    reference: tuple[Any, ...]
    items: list[Any]
    mistakes: list[Mistake]
    variants: Sequence[Variant]
    cases: Sequence[Any]
    candidates: tuple[str, ...]
    memory_factor: float
    survivors: dict[str, str]  # a generated mistake that passes: why it is no mistake

    def examine(self, candidates: Sequence[Any], secret: str) -> Report:
        """Ask every item of the rubric."""

    def prepare(self, secret: str) -> None:
        """Compute what every wrong answer is compared with, once for all forks to come."""


class Claim(Protocol):
    """A sentence of a lesson that the library proves."""

    name: str
    kind: str  # observation, cause, ratio or literature
    section: str
    titles: tuple[str, ...]  # of figures
    quotes: tuple[str, ...]  # a source's own words
