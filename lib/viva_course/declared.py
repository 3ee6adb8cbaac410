"""Which exercises there are: each homework's exams are loaded when it is asked for, no others."""

import difflib
import functools
import importlib
import pkgutil
import re
from pathlib import Path

from viva import case
from viva_course.faults import StaffFault

EXAMS = Path(__file__).parent / "exams"
DECLARES = re.compile(r'\bExercise\(\s*"(\w+)"')
EXERCISES: dict = {}  # name -> viva_course.rubric.Exercise, in order of declaration


def exercises(homework: str = "") -> dict:
    """All exercises by name, or those of one homework, in the order of their cases.

    One section's exam may import another's, so the order of the declarations says nothing.
    """
    for each in [homework] if homework else homeworks():
        _load(each)
    place = {name: number for number, name in enumerate(case.CASES)}
    found = [each for each in EXERCISES.values() if homework in ("", each.homework)]
    return {each.name: each for each in sorted(found, key=lambda e: place.get(e.name, len(place)))}


def homeworks() -> list[str]:
    """The homeworks that have an exam."""
    return [module.name for module in pkgutil.iter_modules([str(EXAMS)])]


def exercise_named(name: str):
    """One exercise; of all exams only its homework's are loaded. Raises StaffFault for a typo."""
    if name not in EXERCISES:
        found = {homework for path, names in declared_in().items() if name in names
                 for homework in [path.relative_to(EXAMS).parts[0].removesuffix(".py")]}
        if len(found) > 1:
            raise StaffFault(f"{name} is an exercise of {' and of '.join(sorted(found))}: "
                             "rename one of them")
        for homework in found:
            _load(homework)
    if name not in EXERCISES:
        near = difflib.get_close_matches(name, set().union(*declared_in().values()), 1)
        raise StaffFault(f"there is no exercise named {name!r}"
                         + (f"; did you mean {near[0]!r}?" if near else ""))
    return EXERCISES[name]


@functools.cache
def declared_in() -> dict[Path, frozenset[str]]:
    """{exam file: names of the exercises it declares}, read off the files: nothing is loaded."""
    return {path: frozenset(DECLARES.findall(path.read_text()))
            for path in sorted(EXAMS.rglob("*.py"))}


@functools.cache
def _load(homework: str) -> None:
    if homework not in homeworks():
        return
    importlib.import_module(f"viva_course.exams.{homework}")
    for section in case.load(homework):
        importlib.import_module(f"viva_course.exams.{homework}.{section}")
