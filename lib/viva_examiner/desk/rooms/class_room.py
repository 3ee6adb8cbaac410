"""The class of a homework: a row per student, and filters that are links."""

from collections.abc import Callable
from dataclasses import dataclass

from nbgrader.api import Assignment
from sqlalchemy import select

from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.remembered import DeskState
from viva_examiner.desk.rooms.place import NAME, RoomLink
from viva_examiner.gradebook import follow_ups, published
from viva_examiner.gradebook.ledger import SEEN, Ledger
from viva_examiner.gradebook.released_rows import Unreleased
from viva_examiner.gradebook.results import Result, Results
from viva_examiner.gradebook.standing import LOOK, NOT_A_NOTEBOOK, UNGRADED, Standing
from viva_examiner.records import Graded

PLACE = RoomLink("class", "Class", of_homework=True)
PUBLISHED, CHANGED = "published", "changed since published"


@dataclass(frozen=True)
class StudentRow:
    """What the class room says of one student."""

    student: str
    name: str
    score: float | None  # the final mark
    so_far: float | None
    points: float
    state: str  # why there is no final mark; empty if there is one
    late_days: int
    penalty: float
    group: str
    remarks: tuple[str, ...]
    ungraded: bool
    look: bool
    handed_in: bool
    to_examine: bool
    published_state: str  # PUBLISHED, CHANGED, or nothing


FILTERS: dict[str, tuple[str, Callable[[StudentRow], bool]]] = {
    "": ("everybody", lambda row: True),
    "look": ("needs a look", lambda row: row.look),
    "written": ("written answers wait", lambda row: row.ungraded),
    "examine": ("not autograded yet", lambda row: row.to_examine),
    "missing": ("not handed in", lambda row: not row.handed_in and not row.to_examine),
    "late": ("late", lambda row: row.late_days > 0 or row.penalty > 0),
    "remarks": ("with remarks", lambda row: bool(row.remarks)),
    "final": ("final", lambda row: row.score is not None),
    "changed": ("mark changed since published", lambda row: row.published_state == CHANGED),
}


@dataclass(frozen=True)
class _Person:
    """What the gradebook and the ledger say of one student, apart from both."""

    student: str
    name: str
    standing: Standing
    submitter: str
    late_days: int
    group: str
    published_state: str


def rows(kept: DeskState, homework: str) -> list[StudentRow]:
    """Everybody in a homework, by student; remembered as long as nothing has changed."""
    records = kept.records(homework)  # outside: autograded/ is looked at every time
    people, looked_at = kept.once(("class", homework), kept.stamp(homework),
                                  lambda: _read(kept, homework))
    return [_row(each, records.get(each.submitter, []), looked_at) for each in people]


def _read(kept: DeskState, homework: str) -> tuple[list[_Person], set[tuple[str, str]]]:
    with kept.gradebook() as book:
        if book.db.scalar(select(Assignment.id).where(Assignment.name == homework)) is None:
            raise Unreleased(f"{homework} has not been released: `viva release {homework}` does it")
        ledger, results = Ledger(book.db), Results(book, kept.course)
        shown_marks = published.last_published(ledger, homework)
        looked_at = {(entry.student, what) for entry in ledger.entries(SEEN, homework=homework)
                     for what in entry.payload.get("what", ())}
        people = [_person(each, results.roster.group(each.student.id, homework),
                          shown_marks.get((homework, each.student.id)))
                  for each in results.of(homework)]
        book.db.commit()
    return people, looked_at


def _person(result: Result, group: str, shown: published.Published | None) -> _Person:
    student, standing = result.student, result.standing
    changed = shown is not None and shown.differs(standing)
    return _Person(student.id, " ".join(filter(None, (student.first_name, student.last_name))),
                   standing, result.submitter, result.late_days, group,
                   "" if shown is None else CHANGED if changed else PUBLISHED)


def _row(person: _Person, records: list[Graded], looked_at: set[tuple[str, str]]) -> StudentRow:
    standing = person.standing
    waits = {cell.waits for cell in standing.cells}
    faults = [graded for graded in records if graded.look]
    was_seen = bool(faults) and all((person.submitter, follow_ups.what_was_seen(each)) in looked_at
                                    for each in faults)
    return StudentRow(
        person.student, person.name, standing.score,
        standing.so_far if standing.handed_in else None, standing.points, standing.note,
        person.late_days, standing.penalty, person.group,
        tuple(remark.text for graded in records for remark in graded.remarks),
        UNGRADED in waits,
        (LOOK in waits or standing.note == NOT_A_NOTEBOOK) and not was_seen,
        standing.handed_in, not standing.handed_in and standing.not_autograded,
        person.published_state)


class ClassRoom(Page):
    @signed_in
    def get(self, homework: str) -> None:
        homework = self.homework(homework)
        found = rows(self.kept, homework)
        chosen = self.get_query_argument("only", "")
        chosen = chosen if chosen in FILTERS else ""
        wanted = self.get_query_argument("find", "").strip()
        only = [row for row in found if FILTERS[chosen][1](row) and _fits(row, wanted)]
        counted = [(word, label, sum(map(test, found))) for word, (label, test) in FILTERS.items()]
        self.show("class", here="class", homework=homework, rows=only, filters=counted,
                  chosen=chosen, find=wanted, wide=True)


def _fits(row: StudentRow, wanted: str) -> bool:
    return not wanted or any(wanted.casefold() in each.casefold()
                             for each in (row.student, row.name, row.group))


HANDLERS = [(rf"/class/{NAME}", ClassRoom)]
