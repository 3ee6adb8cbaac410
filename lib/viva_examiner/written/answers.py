"""What a class is asked, which of its answers are alike, and what differs between two."""

import difflib
import functools
import html
import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from viva_examiner.gradebook.texts import normal
from viva_examiner.notebook.metadata import graded
from viva_examiner.written.rubric import WrittenRubric

MAX_COMPARED = 10**6  # pairs of words of two answers: a tenth of a second
ALIKE = 0.85  # shared share of word pairs above which two answers stand next to each other


@dataclass
class WrittenQuestion:
    """A written question of a homework, as staff wrote it."""

    name: str  # the grade_id
    notebook: str
    source: Path
    points: float
    asks: str  # Markdown
    rubric: WrittenRubric


@dataclass
class Group:
    """Answers that say the same, letter case and spacing aside."""

    text: str
    students: list[str] = field(default_factory=list)
    like: str = ""  # an answer that stands before it and says nearly the same

    @property
    def is_empty(self) -> bool:
        return not self.text


def questions_of(source: Path) -> list[WrittenQuestion]:
    """The written questions of a staff notebook, in its order."""
    notebook = nbformat.read(source, as_version=4)
    found, above = [], ""
    for cell in notebook.cells:
        about = graded(cell)
        if cell.cell_type != "markdown":
            continue
        if about.get("grade") and about.get("solution"):
            found.append(WrittenQuestion(about["grade_id"], source.stem, source,
                                  float(about["points"]), above, WrittenRubric.read(cell.source)))
        else:
            above = cell.source
    return found


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


@functools.lru_cache(maxsize=4096)  # a page shows the same pairs again and again
def difference(old: str, new: str) -> str:
    """Two answers as one HTML text: what is gone in <del>, what is new in <ins>.

    Answers that would take long to compare are shown one after the other.
    """
    was, now = re.findall(r"\s+|\S+", old), re.findall(r"\s+|\S+", new)
    if len(was) * len(now) > MAX_COMPARED:
        return f"<del>{html.escape(old)}</del><ins>{html.escape(new)}</ins>"
    parts = []
    for what, i, j, k, n in difflib.SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        gone, come = html.escape("".join(was[i:j])), html.escape("".join(now[k:n]))
        if what == "equal":
            parts.append(come)
        else:
            parts += [f"<del>{gone}</del>"] if gone else []
            parts += [f"<ins>{come}</ins>"] if come else []
    return "".join(parts)


def _chained(groups: list[Group]) -> list[Group]:
    """Each group followed by those that are like it, the largest first."""
    pairs = [_word_pairs(group.text) for group in groups]
    left, order = list(range(len(groups))), []
    while left:
        first = left.pop(0)
        order.append(first)
        alike = [i for i in left if _likeness(pairs[first], pairs[i]) >= ALIKE]
        order += alike
        for i in alike:
            groups[i].like = groups[first].text
        left = [i for i in left if i not in alike]
    return [groups[i] for i in order]


def _word_pairs(text: str) -> frozenset[object]:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(zip(words, words[1:])) or frozenset(words)


def _likeness(one: frozenset[object], other: frozenset[object]) -> float:
    return len(one & other) / max(1, len(one | other))
