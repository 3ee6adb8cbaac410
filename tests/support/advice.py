"""Wrong solutions that somebody wrote from the text alone, and what check and exam make of them.

A file of tests/advice holds those of one homework, as functions and classes under the names that
they replace:

    @wrong("sums_queries", "normaliser", announced=False)
    def linear_attention(q, k, v): ...

`python tests/support/advice.py HW` prints what is not as it should be, and the four numbers.
Two of one slug are one solution. The words, a pattern, stand in every hint that is right about it.
"""

import importlib.util
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import viva_course
from viva import tables
from viva.checking import judge

MACHINERY = re.compile(r"\bparts? \d|a dict with keys|NoneType|object has no attribute"
                       r"|site-packages|_viva|viva\.cases|<lambda>|->")
ROOM = Path(__file__).parents[1] / "advice"
SAYS_IT = re.compile(r"^uses |changes its arguments$")  # headlines that are the cause
_found: list["Wrong"] = []


@dataclass
class Wrong:
    """One wrong solution: what it replaces, and how a right hint can be told."""

    slug: str
    words: str
    announced: bool  # the text says that only the hidden exam asks
    exercise: str
    functions: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Told:
    """What check and exam made of one of them."""

    wrong: Wrong
    noticed: bool
    hints: tuple[str, ...]
    misled: tuple[str, ...]  # hints that are not right about it
    machinery: tuple[str, ...]  # lines of the message that speak of our code
    rejected: bool  # the hidden exam took points


def wrong(slug: str, words: str = "", announced: bool = False) -> Callable:
    """Declare a wrong solution; words: a pattern that a right hint contains, "" if none can be."""

    def declare(function):
        name = function.__name__
        exercise = next(each for each in tables.names()
                        if name in tables.ENTRIES[each].functions)
        same = [each for each in _found if (each.slug, each.exercise) == (slug, exercise)]
        if not same:
            _found.append(Wrong(slug, words, announced, exercise))
            same = _found[-1:]
        same[0].functions[name] = function
        return function

    return declare


def solutions(path: Path) -> list[Wrong]:
    """Those of a file."""
    tables.names()
    _found.clear()
    spec = importlib.util.spec_from_file_location(f"advice_{path.stem}", path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return list(_found)


def told(one: Wrong, secret: str = "advice") -> Told:
    """What check says to a wrong solution, and whether the exam takes points."""
    exercise = viva_course.exercises(tables.ENTRIES[one.exercise].homework)[one.exercise]
    right = dict(zip(exercise.candidates, exercise.reference, strict=True))
    candidates = (right | one.functions).values()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdict = judge(one.exercise, *candidates)
        report = exercise.examine(tuple(candidates), secret)
    hints = tuple(text for label, text in verdict.rows if label == "usual cause")
    if not hints and SAYS_IT.search(verdict.headline):
        hints = (verdict.headline,)
    misled = tuple(hint for hint in hints
                   if not (one.words and re.search(one.words, hint, re.I)))
    shown = [text for label, text in verdict.rows if label not in ("try it", "usual cause")]
    return Told(one, not verdict.passed, hints, misled,
                tuple(text for text in [verdict.headline, *shown] if MACHINERY.search(text)),
                float(report.score) < exercise.points)


def shares(found: list[Told]) -> dict[str, float]:
    """The four numbers of a homework, in percent."""
    asked = [each for each in found if not each.wrong.announced]
    seen = [each for each in asked if each.noticed]
    return {"noticed": 100 * len(seen) / len(asked),
            "cause": 100 * sum(bool(each.hints) for each in seen) / max(len(seen), 1),
            "wrong cause": 100 * sum(bool(each.misled) for each in found) / len(found),
            "rejected": 100 * sum(each.rejected for each in found) / len(found)}


def table(homework: str) -> list[str]:
    """A line for each solution that is not noticed, named and rejected, and the four numbers."""
    found = [told(one) for one in solutions(ROOM / f"{homework}.py")]
    lines = []
    for each in found:
        said = [word for word, holds in (("not noticed", not each.noticed),
                                         ("no cause", each.noticed and not each.hints),
                                         (f"wrong cause {each.misled}", each.misled),
                                         (f"machinery {each.machinery}", each.machinery),
                                         ("keeps its points", not each.rejected)) if holds]
        if said:
            lines.append(f"{each.wrong.exercise}/{each.wrong.slug}: {', '.join(said)}")
    numbers = ", ".join(f"{name} {share:.1f}%" for name, share in shares(found).items())
    return [*lines, f"{homework}: {len(found)} wrong solutions: {numbers}"]


if __name__ == "__main__":
    import advice  # by the name under which the files of solutions know it

    print("\n".join(line for homework in sys.argv[1:] for line in advice.table(homework)))
