"""The learning platform: what is connected, pushed and refused; a push; a look at the roster."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from viva_examiner.desk import runs
from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.remembered import DeskState
from viva_examiner.desk.rooms.place import RoomLink
from viva_examiner.gradebook.ledger import PUSHED, Ledger
from viva_examiner.lms import connection as connections
from viva_examiner.lms.connection import Connection
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.pushed import REFUSED, STANDS

PLACE = RoomLink("lms", "LMS")
RUNS = ("push-look", "push")
ROSTER = "roster-look"


@dataclass
class Pushes:
    """What went to the platform of one homework, as the ledger has it.

    at, by: of the newest grade that was read back there
    there: whose grade was read back
    refused: {student: why the platform did not take what was sent last}
    """

    at: datetime | None = None
    by: str = ""
    there: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)


def pushes(kept: DeskState) -> dict[str, Pushes]:
    """{homework: what the ledger says of its pushes}"""
    found: dict[str, Pushes] = {}
    with kept.gradebook() as book:
        for entry in Ledger(book.db).entries(PUSHED):
            about = found.setdefault(entry.homework, Pushes())
            state = entry.payload.get("state")
            about.refused.pop(entry.student, None)
            if state == REFUSED:
                about.refused[entry.student] = str(entry.payload.get("why", "refused"))
            elif state == STANDS:
                about.at, about.by = entry.at, entry.author
                about.there.add(entry.student)
        book.db.commit()
    return found


class LmsRoom(Page):
    @signed_in
    def get(self) -> None:
        run = runs.current(self.course)
        self.show("lms", here="lms", known=self._known(), pushes=pushes(self.kept),
                  run=run if run and run.kind in (*RUNS, ROSTER) else None,
                  kinds=[(name, runs.KINDS[name]) for name in RUNS], roster=runs.KINDS[ROSTER])

    def _known(self) -> list[tuple[str, Connection | None, datetime, str]]:
        """(name, connection, since when, what is wrong with it) of each that the course has."""
        found: list[tuple[str, Connection | None, datetime, str]] = []
        for name in connections.names(self.course):
            kept = connections.kept_in(self.course, name).stat().st_mtime
            since = datetime.fromtimestamp(kept, UTC)
            try:
                found.append((name, connections.load(self.course, name), since, ""))
            except LmsFailure as failure:
                found.append((name, None, since, str(failure)))
        return found


class FetchRoster(Page):
    @signed_in
    def post(self) -> None:
        runs.start(self.course, ROSTER, "", self.me)
        self.redirect(self.at("lms"))


HANDLERS = [(r"/lms", LmsRoom), (r"/lms/roster", FetchRoster)]
