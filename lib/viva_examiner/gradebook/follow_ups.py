"""Who needs a look, until somebody has looked: a mark by hand, or an entry that says so."""

from collections.abc import Iterable

from viva_examiner.files import digest
from viva_examiner.gradebook.by_hand import ByHand, NewMark
from viva_examiner.gradebook.ledger import SEEN, Ledger
from viva_examiner.gradebook.standing import LOOK, of_record
from viva_examiner.harmless import one_line
from viva_examiner.records import Graded


def what_was_seen(graded: Graded) -> str:
    """What somebody looks at: this file with this fault. Another file is another look."""
    return digest(graded.notebook, graded.look, graded.rests_on.get("handed in", ""))


def sentence(student: str, why: str) -> str:
    """Who needs a look and why, in a line; some remarks begin with these words themselves."""
    return f"{student} {LOOK}: {one_line(why.removeprefix(f'{LOOK}: '))}"


def unseen(ledger: Ledger, homework: str, records: Iterable[Graded],
           known: dict[tuple[str, str], dict]) -> dict[str, str]:
    """{student: why} of those who need a look and at whom nobody has looked.

    known: what the gradebook holds (`Book.records`)
    """
    seen = {(entry.student, what) for entry in ledger.entries(SEEN, homework=homework)
            for what in entry.payload["what"]}
    found: dict[str, str] = {}
    for graded in records:
        if not graded.look or (graded.student, what_was_seen(graded)) in seen:
            continue
        standing = of_record(graded, known.get((graded.student, graded.notebook), {}))
        if any(cell.waits == LOOK for cell in standing.cells):
            found.setdefault(graded.student, graded.look)
    return found


def let_stand(marks: ByHand, student: str,
              author: str = "") -> tuple[list[tuple[str, float]], list[str]]:
    """The automatic marks of a student that wait become marks by hand; written answers do not.

    Returns ([(cell, points)] that stand now, cells that have no mark at all).
    """
    given = marks.given(student)
    waiting = [row for row in marks.rows([student]) if row.flagged and row.score is None]
    stand = [row for row in waiting if row.automatic is not None]
    marks.write([NewMark(row, marks.seen(row, given), row.automatic, row.comment)
                 for row in stand], author)
    return ([(row.cell, row.automatic or 0.0) for row in stand],
            [row.cell for row in waiting if row.automatic is None])
