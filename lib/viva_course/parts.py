"""What an exercise is made of, and what comes of asking it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from viva.seam import UNWRITTEN

# Why an item is lost, in one word: code asks for the kind, people read the message. An answer that
# differs has the kind of the difference: one of viva.compare.HEADLINES.
KINDS = {
    UNWRITTEN: "the function raises NotImplementedError",
    "error": "the function raises something else",
    "raised": "not the exception that is asked for, or none",
    "modified": "an argument was changed",
    "memory": "it needs more memory than it is given",
    "measured": "a number that the message tells is too large or too small",
    "condition": "something else that the message tells does not hold",
    "forbidden": "a library does the work",
}


class ItemLost(AssertionError):
    """An item is lost, for a reason of this kind."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


def kind_of(error: Exception) -> str:
    """Why an item is lost whose question ended in this exception."""
    if isinstance(error, NotImplementedError):
        return UNWRITTEN
    if isinstance(error, AssertionError):
        return getattr(error, "kind", "condition")
    return "error"


@dataclass(frozen=True)
class Item:
    """One question of the exam: a name, its points, and what a student reads when it fails."""

    name: str
    points: float
    says: str
    ask: Callable
    cases: tuple[str, ...] | None = None  # for `values`: the cases it is made of, () for all


@dataclass(frozen=True)
class Mistake:
    """A plausible wrong solution, with the hint that corrects it."""

    slug: str
    hint: str
    candidates: tuple
    hidden_only: str = ""  # why the public check cannot notice it; empty where it must


@dataclass(frozen=True)
class Variant:
    """A correct solution in another style; it must get full marks."""

    name: str
    candidates: tuple


@dataclass(frozen=True)
class Outcome:
    """What came of one item."""

    item: str
    points: float
    earned: float
    message: str = ""  # empty when it passed
    kind: str = ""  # of KINDS, or of viva.compare.HEADLINES; empty when it passed
    seen: tuple = field(default=(), repr=False, compare=False)  # (value, rtol, atol, wrong)
    board: tuple = ()  # rows of the leaderboard: name, value, order
    account: dict | None = field(default=None, compare=False)  # for staff who explain a mark

    @property
    def passed(self) -> bool:
        return not self.message


@dataclass(frozen=True)
class Report:
    """What came of an exercise: an outcome per item, and the mistake that was recognised."""

    exercise: str
    homework: str
    outcomes: tuple[Outcome, ...]
    mistake: str = ""
    hint: str = ""
    public: tuple = ()  # what the public check says, where a mark must be explained
    noticed: bool = False  # whether that check sees that something is wrong

    @property
    def points(self) -> float:
        return sum(outcome.points for outcome in self.outcomes)

    @property
    def leaderboard(self) -> list[dict]:
        return [row for outcome in self.outcomes for row in outcome.board]

    @property
    def score(self) -> float:
        return round(sum(outcome.earned for outcome in self.outcomes), 6)


def named(name: str, candidate: Callable) -> Callable:
    """A function or class under the name of the candidate that it stands for."""
    candidate.__name__ = candidate.__qualname__ = name
    return candidate


def then(first: Callable, second: Callable) -> Callable:
    """A function that gives what `second` makes of the values of `first`."""
    return lambda *args, **kwargs: second(*first(*args, **kwargs))


def altered(right: type, **methods) -> type:
    """A class like another one, with some methods replaced."""
    return type(right.__name__, (right,), methods)
