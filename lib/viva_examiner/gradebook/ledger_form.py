"""The form of our tables in a gradebook, and the steps that bring an older gradebook to it.

A step is never edited after it was released: a new form is a new step at the end. The steps that
are missing are tried on a copy first, if there is a class in the gradebook. Then they run in one
transaction, so a gradebook has the old form or the new one.
"""

from collections.abc import Callable

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    inspect,
    text,
)
from sqlalchemy.orm import Session, scoped_session

from viva_examiner.gradebook.database import GradebookFailed
from viva_examiner.gradebook.upgrade_trial import try_on_a_copy

OURS = MetaData()
FORM = Table("viva_form", OURS, Column("version", Integer, primary_key=True, autoincrement=False))
ENTRIES = Table(
    "viva_ledger", OURS,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", DateTime, nullable=False),  # UTC
    Column("kind", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("homework", Text, nullable=False),
    Column("student", Text, nullable=False),
    Column("cell", Text, nullable=False),
    Column("payload", Text, nullable=False),  # JSON
    Index("viva_ledger_about", "homework", "student", "cell"),
    sqlite_autoincrement=True,  # an id is never given twice, whoever is forgotten
)
REQUESTS = Table(
    "viva_requests", OURS,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", DateTime, nullable=False),  # UTC; when it was handed in
    Column("homework", Text, nullable=False),
    Column("student", Text, nullable=False),  # who asks
    Column("submitter", Text, nullable=False),  # under whose name the work lies; empty: not graded
    Column("attempt", Text, nullable=False),  # the digest of that work; empty: not graded
    Column("cell", Text, nullable=False),
    Column("because", Text, nullable=False),
    Column("asked", Text, nullable=False),  # the time that the student's file says
    Column("score", Float),  # the mark that is asked about; None: there was none
    Column("state", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("answered_by", Text, nullable=False),
    Column("answered_at", DateTime),
    Index("viva_requests_about", "homework", "student"),
    sqlite_autoincrement=True,
)
ADVISORY_LOCK = 8482  # any number, the same for all who bring one PostgreSQL gradebook up to date


def _first(connection: Connection) -> None:
    OURS.create_all(connection, tables=[ENTRIES])


def _requests(connection: Connection) -> None:
    OURS.create_all(connection, tables=[REQUESTS])


STEPS: tuple[Callable[[Connection], None], ...] = (_first, _requests)


def version_of(connection: Connection) -> int:
    """How many steps a gradebook has taken; 0 if it has no ledger."""
    if not inspect(connection).has_table(FORM.name):
        return 0
    return connection.scalar(text(f"SELECT max(version) FROM {FORM.name}")) or 0


def bring_up_to_date(db: Session | scoped_session[Session]) -> None:
    """Run the steps that this session's gradebook has not had; nothing if it has had all."""
    session = db() if isinstance(db, scoped_session) else db
    fresh = not session.in_transaction()
    connection = session.connection()
    found = version_of(connection)
    if found > len(STEPS):
        raise GradebookFailed("the gradebook was used by a newer version of viva: update this one")
    if found < len(STEPS):
        if connection.execute(text("SELECT id FROM student LIMIT 1")).first():
            url = connection.engine.url.render_as_string(hide_password=False)
            try_on_a_copy(url, upgrade)
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": ADVISORY_LOCK})
        elif fresh:
            session.commit()  # SQLite begins to write at once, or not at all
            connection = session.connection()
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        _take_steps(connection)
    if fresh:  # else the caller's transaction goes on
        session.commit()


def _take_steps(connection: Connection) -> None:
    OURS.create_all(connection, tables=[FORM])
    for number in range(version_of(connection), len(STEPS)):
        STEPS[number](connection)
        connection.execute(FORM.insert().values(version=number + 1))


def upgrade(url: str) -> None:
    """Take the steps that the gradebook at an address has not had, tried on nothing."""
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            _take_steps(connection)
    finally:
        engine.dispose()
