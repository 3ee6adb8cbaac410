"""What an exercise's marks rest on: a digest that changes whenever one of them could."""

import functools
import hashlib
from pathlib import Path

from viva_course.rubric import exercises

ROOT = Path(__file__).parent


def digest(exercise: str) -> str:
    """Of the exercise's own exam file and of all code that it may use.

    The exam files of other exercises are left out, so that changing one exam asks for no other
    exercise to be examined again; everything else of the course counts.
    """
    declared = exercises()[exercise]
    own = {item.ask.__module__ for item in declared.items}
    others = {
        item.ask.__module__ for each in exercises().values() for item in each.items
    } - own
    return _files_digest(frozenset(others))


@functools.cache
def _files_digest(excluded_modules: frozenset[str]) -> str:
    total = hashlib.sha256()
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        if ".".join(parts).removesuffix(".__init__") not in excluded_modules:
            total.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return total.hexdigest()
