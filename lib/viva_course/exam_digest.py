"""What an exercise's marks rest on: a digest that changes whenever one of them could."""

import functools
import hashlib
from pathlib import Path

from viva import tables

ROOT = Path(__file__).parent
ROOMS = ("reference", "exams")  # a folder per homework
NO_MARKS = ("claims", "whys", "authoring")  # what is stated, asked in person, and laid out


def digest(exercise: str) -> str:
    """Of the exercise's own exam file and of all code that it may use.

    What other homeworks have in their folders is left out, and of its own homework the exams of
    other sections; everything else of the course counts. Nothing of the course is loaded for it:
    whoever asks this need not load torch.
    """
    entry = tables.find(exercise)
    if entry is None:
        return _files_digest("", frozenset())
    others = [section for section in tables.sections_of(entry.homework)
              if section != entry.section]
    return _files_digest(entry.homework, frozenset(f"{section}.py" for section in others))


def short_digest(*words: str) -> str:
    """Of some words, for the name of a file."""
    return hashlib.sha256("\x1f".join(words).encode()).hexdigest()[:32]


@functools.cache
def _files_digest(homework: str, other_exams: frozenset[str]) -> str:
    """Of all files but those of other homeworks and the exams of these names."""
    total = hashlib.sha256()
    for path in sorted(ROOT.rglob("*.py")):
        room, *rest = path.relative_to(ROOT).parts
        foreign = room in NO_MARKS or (
            room in ROOMS and len(rest) > 1 and rest[0] != homework)
        if not foreign and not (room == "exams" and rest[-1] in other_exams):
            total.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return total.hexdigest()
