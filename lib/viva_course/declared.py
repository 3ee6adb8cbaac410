"""The declared exercises: an exercise's exam is loaded when it is asked for, and no other; and the
functions of the reference that it stands for."""

import functools
import importlib

from viva import tables
from viva.nearest import did_you_mean
from viva_course.faults import StaffFault

EXERCISES: dict = {}  # name -> viva_course.rubric.Exercise, as far as they are loaded


def exercises(homework: str = "") -> dict:
    """All exercises by name, or those of one homework, in the order of their tables."""
    for each in [homework] if homework else tables.homeworks():
        _load(each)
    place = {name: number for number, name in enumerate(tables.names())}
    found = [each for each in EXERCISES.values() if homework in ("", each.homework)]
    return {each.name: each for each in sorted(found, key=lambda e: place.get(e.name, len(place)))}


def exercise_named(name: str):
    """One exercise; of all exams only its section's is loaded. Raises StaffFault for a typo."""
    if name in EXERCISES:
        return EXERCISES[name]
    try:
        entry = tables.find(name)
    except ValueError as error:
        raise StaffFault(str(error)) from None
    if entry is None:
        meant = did_you_mean(name, tables.names())
        raise StaffFault(f"there is no exercise named {name!r}{meant}")
    module = f"viva_course.exams.{entry.homework}.{entry.section}"
    importlib.import_module(module)
    if name not in EXERCISES:
        raise StaffFault(f"{name} stands in the table of {entry.homework}, but {module} does not "
                         "declare it")
    return EXERCISES[name]


def right_functions(entry: tables.ExerciseEntry) -> tuple:
    """What the reference of a homework has for an exercise. Raises StaffFault for what it lacks."""
    answers = importlib.import_module(f"viva_course.reference.{entry.homework}")
    if missing := [name for name in entry.functions if not hasattr(answers, name)]:
        raise StaffFault(f"{answers.__name__} has no {', '.join(missing)}, which the table of "
                         f"{entry.homework} names")
    return tuple(getattr(answers, name) for name in entry.functions)


@functools.cache
def _load(homework: str) -> None:
    if homework not in tables.homeworks():
        return
    for section in tables.sections_of(homework):
        importlib.import_module(f"viva_course.exams.{homework}.{section}")
