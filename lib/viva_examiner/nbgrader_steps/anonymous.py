"""Marks, items and mistakes for research: pseudonyms, weeks instead of times, and no text."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from datetime import datetime

from viva_examiner.gradebook.results import Result
from viva_examiner.nbgrader_steps.exporters import ByItem, mark, number


class Anonymous(ByItem):
    """A line per pseudonym and rubric item.

    A pseudonym is the same for all homeworks of one export and differs in the next: its key is
    drawn here and kept nowhere. Lines are sorted by it, so their order tells nothing either.
    """

    default_name = "anonymous.csv"

    def rows(self, results: Iterable[Result]) -> Iterator[tuple[str, ...]]:
        yield ("pseudonym", "assignment", "week", "exercise", "kind", "item", "score", "max_score",
               "mistake")
        key = secrets.token_bytes(32)
        yield from sorted(row for result in results if result.standing.handed_in
                          for row in self._lines(result, key))

    def _lines(self, result: Result, key: bytes) -> Iterator[tuple[str, ...]]:
        name = hashlib.blake2b(result.student.id.encode(), key=key, digest_size=6).hexdigest()
        head = (name, result.homework, week(result.standing.timestamp))
        rubrics = self.rubrics(result)
        for cell in result.standing.cells:
            reports = rubrics.get(cell.name, ())
            kind = "by hand" if cell.by_hand else "automatic"
            if not reports or cell.waits or cell.by_hand:
                yield (*head, cell.exercise, kind, "", mark(cell), number(cell.points), "")
                continue
            for report in reports:
                for item in report.items:
                    yield (*head, cell.exercise, kind, item.name, number(item.earned),
                           number(item.points), report.mistake)


def week(moment: datetime | None) -> str:
    """2026-W46; nothing finer leaves the course."""
    return f"{moment:%G-W%V}" if moment else ""
