"""What came of a viva voce: entries of the ledger under a cell of their own. No mark is touched.

An entry says which question it was, how it went, a note and how long it took. Whoever asks the same
question again adds an entry, and the newest counts.
"""

import collections
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from viva_examiner.course import Course
from viva_examiner.gradebook import ledger
from viva_examiner.gradebook.database import is_there
from viva_examiner.gradebook.ledger import Ledger

KIND = CELL = "voce"
RIGHT, PARTLY, WRONG, NOT_ASKED = "right", "partly", "wrong", "not asked"
RESULTS = (RIGHT, PARTLY, WRONG, NOT_ASKED)
MAX_NOTE = 2000
MAX_SECONDS = 24 * 3600


@dataclass(frozen=True)
class VoceResult:
    """One question, and what came of it."""

    student: str
    question: str  # the key of the question
    about: str  # the function or exercise
    kind: str
    result: str
    note: str = ""
    seconds: int = 0
    author: str = ""
    at: datetime | None = None


def record(book: Ledger, homework: str, heard: VoceResult) -> None:
    """Add what came of a question. Raises ValueError for anything that is no result."""
    if heard.result not in RESULTS or not 0 <= heard.seconds <= MAX_SECONDS:
        raise ValueError(f"a result is one of {', '.join(RESULTS)}")
    book.record(KIND, homework, heard.student, CELL, heard.author, question=heard.question,
                about=heard.about, asked=heard.kind, result=heard.result,
                note=heard.note[:MAX_NOTE], seconds=heard.seconds)


def latest(book: Ledger, homework: str | None = None,
           student: str | None = None) -> dict[tuple[str, str, str], VoceResult]:
    """{(homework, student, question): what came of it at last}."""
    found = {}
    for entry in book.entries(KIND, homework=homework, student=student, cell=CELL):
        payload = entry.payload
        found[entry.homework, entry.student, payload["question"]] = VoceResult(
            entry.student, payload["question"], payload["about"], payload["asked"],
            payload["result"], payload["note"], payload["seconds"], entry.author, entry.at)
    return found


def of_class(course: Course, homework: str) -> list[VoceResult]:
    """What came of every question of a homework; nothing where there is no gradebook yet."""
    if not is_there(course.db_url):
        return []
    with ledger.opened(course) as book:
        return list(latest(book, homework).values())


def in_words(heard: Iterable[VoceResult]) -> str:
    """`2 right, 1 wrong`; empty if nothing was asked."""
    count = collections.Counter(each.result for each in heard)
    return ", ".join(f"{count[result]} {result}" for result in RESULTS[:3] if count[result])


@dataclass(frozen=True)
class Explained:
    """How a class explains one function or exercise that it has solved."""

    about: str
    right: tuple[str, ...]  # students; one may stand in several
    partly: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def asked(self) -> int:
        return len(self.right) + len(self.partly) + len(self.wrong)

    @property
    def share(self) -> float:
        """Of the answers, those that were not right."""
        return 1 - len(self.right) / self.asked


def explained(heard: Iterable[VoceResult]) -> list[Explained]:
    """What was asked about, the least explained first."""
    by: dict[str, dict[str, list[str]]] = {}
    for each in heard:
        if each.result != NOT_ASKED:
            by.setdefault(each.about, {}).setdefault(each.result, []).append(each.student)
    found = [Explained(about, *(tuple(rows.get(result, ())) for result in RESULTS[:3]))
             for about, rows in by.items()]
    return sorted(found, key=lambda each: (-each.share, -each.asked, each.about))
