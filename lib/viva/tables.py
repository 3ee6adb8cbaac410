"""Which exercises there are: every homework states them in a table.

The table of a homework is `EXERCISES` in `viva/cases/<homework>/__init__.py`:

    EXERCISES = {
        "features": [["poly2_features"], ["poly_features"]],
        "sampled": [["sample_frequencies", "rff_features"]],
    }

Its keys are the sections, each a file of this name in every room. Each section has exercises, and
each exercise the functions or classes that `check` and `examine` are given, in this order. An
exercise is named after the first of them.
"""

import functools
import importlib
import pkgutil
from dataclasses import dataclass
from pathlib import Path

from viva.nearest import nearest

ROOM = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class ExerciseEntry:
    """One exercise of a table."""

    homework: str
    section: str
    functions: tuple[str, ...]

    @property
    def exercise(self) -> str:
        return self.functions[0]


ENTRIES: dict[str, ExerciseEntry] = {}  # by exercise, of the tables read so far


def enter(homework: str, table: dict[str, list[list[str]]]) -> None:
    """Take up a table. Raises ValueError for an exercise that another homework has already."""
    for section, exercises in table.items():
        for functions in exercises:
            new = ExerciseEntry(homework, section, tuple(functions))
            known = ENTRIES.setdefault(new.exercise, new)
            if known != new:
                raise ValueError(f"{new.exercise} is an exercise of {known.homework} and of "
                                 f"{homework}: rename one of them")


def find(exercise: str) -> ExerciseEntry | None:
    """The entry of an exercise, or None. Of the homeworks only the tables are loaded."""
    if exercise not in ENTRIES:
        names()
    return ENTRIES.get(exercise)


def entry_of(exercise: str) -> ExerciseEntry:
    """The entry of an exercise. Raises KeyError with a sentence for the student."""
    entry = find(exercise)
    if entry is None:
        near = nearest(exercise, names())
        advice = f"did you mean {near!r}?" if near else "see the table at the top"
        raise KeyError(f"there is no exercise named {exercise!r}; {advice}")
    return entry


def names() -> list[str]:
    """The names of all exercises."""
    for homework in homeworks():
        _read(homework)
    return list(ENTRIES)


def homeworks() -> list[str]:
    """The homeworks of this kit."""
    return [module.name for module in pkgutil.iter_modules([str(ROOM)])]


def sections_of(homework: str) -> list[str]:
    """The names of a homework's sections, in order."""
    return list(_read(homework))


def exercises_of(homework: str) -> list[str]:
    """The names of a homework's exercises, in order; none where there is no such homework."""
    if homework in homeworks():
        _read(homework)
    return [name for name, entry in ENTRIES.items() if entry.homework == homework]


@functools.cache
def _read(homework: str) -> dict[str, list[list[str]]]:
    table = importlib.import_module(f"viva.cases.{homework}").EXERCISES
    enter(homework, table)
    return table
