"""The ledger: what people did to a course's marks, entry by entry, in tables next to nbgrader's.

    with ledger.opened(course) as book:                     # committed at the end of the block
        book.record(ledger.SEEN, "kernel_attention", "ada", note="a PDF")
        book.entries(homework="kernel_attention", student="ada")

An entry has a kind, an author, a time, whom and which cell it is about, and a payload: whatever of
JSON its kind needs. Entries are added, never changed; to take something back is an entry too. Only
`viva forget` removes them. Whoever has nbgrader's session open writes through `Ledger(session)`:
then the entry is in the same transaction as the mark it is about, and the caller commits.
"""

import getpass
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy import Row, create_engine, delete, func, insert, inspect, select
from sqlalchemy.orm import Session, scoped_session

from viva_examiner.course import Course
from viva_examiner.gradebook.database import gradebook_errors, is_there
from viva_examiner.gradebook.ledger_form import ENTRIES, bring_up_to_date

MARK = "mark"  # a person gave a mark: gradebook.by_hand says what its payload holds
UNDO = "undo"  # took one back
CHANGED = "changed"  # the text below a mark is another one now
SEEN = "seen"  # looked at what needs a look
SECRET = "secret"  # the digest of the course's secret; about nobody
BACKUP = "backup"
FORGOTTEN = "forgotten"  # a person was removed; nothing says who
PUBLISHED = "published"  # a feedback page was made: gradebook.published
ANSWERED = "answered"  # a request for a second look: gradebook.requests says what it holds
PUSHED = "pushed"  # a mark went to a learning platform

FORMGRADER = "formgrader"  # the author of marks that are in nbgrader's columns and in no entry


@dataclass(frozen=True)
class Entry:
    """One line of the ledger. Empty words: about the whole submission, homework or course."""

    id: int
    at: datetime  # UTC
    kind: str
    author: str
    homework: str = ""
    student: str = ""
    cell: str = ""
    payload: dict = field(default_factory=dict)


class Ledger:
    """The entries of a course, through a session of nbgrader's gradebook."""

    def __init__(self, db: Session | scoped_session[Session]) -> None:
        self.db = db
        bring_up_to_date(db)

    def record(self, kind: str, homework: str = "", student: str = "", cell: str = "",
               author: str = "", **payload: object) -> int:
        """Add an entry and return its id. It stands once the caller commits.

        author: who did it; the person who runs this, if nothing is said
        """
        row = {"at": datetime.now(UTC).replace(tzinfo=None), "kind": kind,
               "author": author or this_person(), "homework": homework, "student": student,
               "cell": cell, "payload": json.dumps(payload, ensure_ascii=False)}
        added: Any = self.db.execute(insert(ENTRIES).values(row))  # a CursorResult
        return added.inserted_primary_key[0]

    def entries(self, *kinds: str, homework: str | None = None, student: str | None = None,
                cell: str | None = None) -> list[Entry]:
        """The entries of these kinds about these, the oldest first; nothing said means any."""
        query = select(ENTRIES).order_by(ENTRIES.c.id)
        for column, wanted in (("homework", homework), ("student", student), ("cell", cell)):
            if wanted is not None:
                query = query.where(ENTRIES.c[column] == wanted)
        if kinds:
            query = query.where(ENTRIES.c.kind.in_(kinds))
        return list(map(_entry, self.db.execute(query)))

    def last(self, *kinds: str, homework: str | None = None, student: str | None = None,
             cell: str | None = None) -> Entry | None:
        """The newest of these entries; None if there is none."""
        found = self.entries(*kinds, homework=homework, student=student, cell=cell)
        return found[-1] if found else None

    def forget(self, student: str) -> int:
        """Remove every entry about a student; how many there were. For `viva forget` alone."""
        count = self.db.scalar(select(func.count()).where(ENTRIES.c.student == student))
        self.db.execute(delete(ENTRIES).where(ENTRIES.c.student == student))
        return count or 0


def _entry(row: Row) -> Entry:
    return Entry(row.id, row.at.replace(tzinfo=UTC), row.kind, row.author, row.homework,
                 row.student, row.cell, json.loads(row.payload))


def look_up(course: Course, kind: str) -> Entry | None:
    """The newest entry of a kind, without making or changing anything in the database."""
    if not is_there(course.db_url):
        return None
    engine = create_engine(course.db_url)
    try:
        with gradebook_errors(), engine.connect() as connection:
            if not inspect(connection).has_table(ENTRIES.name):
                return None
            row = connection.execute(select(ENTRIES).where(ENTRIES.c.kind == kind)
                                     .order_by(ENTRIES.c.id.desc()).limit(1)).first()
            return None if row is None else _entry(row)
    finally:
        engine.dispose()


@contextmanager
def opened(course: Course) -> Iterator[Ledger]:
    """The ledger of a course; what the block records is kept if it ends without an error."""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        ledger = Ledger(gradebook.db)
        yield ledger
        gradebook.db.commit()


def this_person() -> str:
    """Who runs this: $VIVA_GRADER, the hub's user, or the account on this machine."""
    named = os.environ.get("VIVA_GRADER") or os.environ.get("JUPYTERHUB_USER")
    if named:
        return named
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as in some containers
        return f"user {os.getuid()}"
