"""Questions that staff wrote, for a conversation about an exercise; a module per homework.

    why("train_head", "Why ...?", answer="...", good="...", partial="...", wrong="...")

They are asked where a machine finds nothing to ask: a training loop, one line, a random sample.
What they hold is for whoever examines; nothing of it is marked by a machine, and no mark rests on
it.
"""

import importlib
import importlib.util
from dataclasses import dataclass

from viva import tables
from viva_course.faults import StaffFault

WHYS: dict[str, list["Why"]] = {}  # exercise -> its questions


@dataclass(frozen=True)
class Why:
    """One question, a model answer, and what answers of three kinds say."""

    question: str
    answer: str
    good: str
    partial: str
    wrong: str


def why(exercise: str, question: str, *, answer: str, good: str, partial: str, wrong: str) -> None:
    """Declare a question about an exercise."""
    if tables.find(exercise) is None:
        raise StaffFault(f"there is no exercise {exercise} to ask why about")
    new = Why(question, answer, good, partial, wrong)
    if new not in WHYS.setdefault(exercise, []):
        WHYS[exercise].append(new)


def whys_of(exercise: str, homework: str) -> tuple[Why, ...]:
    """The questions about an exercise; its homework's module is loaded, if it has one."""
    module = f"{__name__}.{homework}"
    if importlib.util.find_spec(module) is not None:
        importlib.import_module(module)
    return tuple(WHYS.get(exercise, ()))
