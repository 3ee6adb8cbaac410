"""What a regrading says: whose mark changes, in which item, from what to what, and why."""

import textwrap
from itertools import groupby

from viva_examiner.autograde.changes import MarkChange
from viva_examiner.harmless import one_line

WIDTH = 100


def lines(changes: list[MarkChange], manual: dict[tuple[str, str], float],
          dry_run: bool = False) -> list[str]:
    """The table for a terminal. manual: {(student, test): a TA's points that stand above it}."""
    look = "would be marked" if dry_run else "is marked"
    found = []
    for student, rows in groupby(sorted(changes, key=lambda row: row.student),
                                 key=lambda row: row.student):
        found += ["", student]
        for test, group in groupby(rows, key=lambda row: row.test):
            items = list(group)
            found += [line for row in items for line in _row(row)]
            found += _wrapped(f"because {items[0].why}", 6)
            if (points := manual.get((student, test))) is not None:
                found += _wrapped(f"a TA gave {points:g} points here; they stand, and the cell "
                                  f"{look} for another look", 6)
    return found


def _row(row: MarkChange) -> list[str]:
    name = f"{row.test}, {row.item}" if row.item else row.test
    says = f" ({one_line(row.says)})" if row.says else ""
    return _wrapped(f"{name}: {_points(row.before)} to {_points(row.after)}{says}", 2)


def _points(score: float | None) -> str:
    return "no mark" if score is None else f"{score:g}"


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=" " * indent,
                         subsequent_indent=" " * (indent + 4), break_long_words=False,
                         break_on_hyphens=False)
