"""What students have been shown: the mark on the newest feedback page of each, from the ledger."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from viva_examiner.gradebook.ledger import PUBLISHED, Ledger
from viva_examiner.gradebook.results import Result
from viva_examiner.gradebook.standing import Standing


@dataclass(frozen=True)
class Published:
    """The standing that a student's feedback page has."""

    words: str
    at: datetime

    def differs(self, standing: Standing) -> bool:
        """Whether the student would read something else today."""
        return self.words != standing.words


def record(ledger: Ledger, results: Iterable[Result], author: str = "") -> None:
    """Note what these students are shown now. The caller commits."""
    for each in results:
        ledger.record(PUBLISHED, each.homework, each.student.id, author=author,
                      score=each.standing.score, words=each.standing.words)


def last_published(ledger: Ledger, homework: str | None = None,
         student: str | None = None) -> dict[tuple[str, str], Published]:
    """{(homework, student): what they were shown last}."""
    return {(entry.homework, entry.student): Published(entry.payload["words"], entry.at)
            for entry in ledger.entries(PUBLISHED, homework=homework, student=student)}
