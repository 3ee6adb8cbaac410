"""What a class wrote, question by question, and which answers are alike."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from viva_examiner.notebook.metadata import graded
from viva_examiner.written.rubric import Rubric

ALIKE = 0.85  # shared share of word pairs above which two answers stand next to each other
PLACEHOLDER = "YOUR ANSWER HERE"


@dataclass
class Question:
    """A written question of a homework, as staff wrote it."""

    name: str  # the grade_id
    notebook: str
    points: float
    asks: str  # Markdown
    rubric: Rubric


@dataclass
class Group:
    """Answers that say the same, letter case and spacing aside."""

    text: str
    students: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not self.text


def questions_of(source: Path) -> list[Question]:
    """The written questions of a staff notebook, in its order."""
    notebook = nbformat.read(source, as_version=4)
    found, above = [], ""
    for cell in notebook.cells:
        about = graded(cell)
        if cell.cell_type != "markdown":
            continue
        if about.get("grade") and about.get("solution"):
            found.append(Question(about["grade_id"], source.stem, float(about["points"]), above,
                                  Rubric.read(cell.source)))
        else:
            above = cell.source
    return found


def answers_of(autograded: Path) -> dict[str, str]:
    """{grade_id: answer} of a graded notebook; empty if it cannot be read."""
    try:
        cells = json.loads(autograded.read_text())["cells"]
    except (OSError, ValueError, KeyError):
        return {}
    found = {}
    for cell in cells:
        about = graded(cell)
        if cell.get("cell_type") == "markdown" and about.get("grade") and about.get("solution"):
            source = cell.get("source", "")
            found[about["grade_id"]] = "".join(source) if isinstance(source, list) else source
    return found


def normal(answer: str) -> str:
    """What counts of an answer when two are compared: its words, not their spacing or case."""
    text = " ".join(answer.split())
    return "" if text in ("", PLACEHOLDER) else text.casefold().rstrip(".")


def grouped(answers: dict[str, str]) -> list[Group]:
    """Equal answers together, and similar groups next to each other; empty ones come first.

    answers: {student: text}
    """
    groups: dict[str, Group] = {}
    for student, text in sorted(answers.items()):
        key = normal(text)
        groups.setdefault(key, Group(text if key else "")).students.append(student)
    empty = [group for key, group in groups.items() if not key]
    rest = sorted((group for key, group in groups.items() if key),
                  key=lambda group: -len(group.students))
    return empty + _chained(rest)


def _chained(groups: list[Group]) -> list[Group]:
    """Each group followed by those that are like it, the largest first."""
    pairs = [_word_pairs(group.text) for group in groups]
    left, order = list(range(len(groups))), []
    while left:
        first = left.pop(0)
        order.append(first)
        alike = [i for i in left if _likeness(pairs[first], pairs[i]) >= ALIKE]
        order += alike
        left = [i for i in left if i not in alike]
    return [groups[i] for i in order]


def _word_pairs(text: str) -> frozenset:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(zip(words, words[1:])) or frozenset(words)


def _likeness(one: frozenset, other: frozenset) -> float:
    return len(one & other) / max(1, len(one | other))
