"""A gradebook as text, the same for SQLite and PostgreSQL, and back: a line of JSON per row."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import Base, Gradebook
from sqlalchemy import Connection, Table, create_engine, delete, insert, select, text
from sqlalchemy.types import DateTime, Interval

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.ledger_form import ENTRIES, FORM, OURS, REQUESTS, STEPS


def tables() -> list[Table]:
    """nbgrader's tables and the ledger's, each after those that it refers to."""
    return [*Base.metadata.sorted_tables, *OURS.sorted_tables]


def dumped(course: Course) -> dict[str, str]:
    """{table: its rows, a line of JSON each}, all from one moment."""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as book:
        Ledger(book.db)  # a gradebook that has none gets an empty one
    with _connected(course.db_url) as connection:
        return {table.name: "".join(f"{json.dumps(_plain(table, row))}\n"
                                    for row in connection.execute(select(table)))
                for table in tables()}


def version(course: Course) -> str:
    """The form of nbgrader's own tables in a course's gradebook."""
    with _connected(course.db_url) as connection:
        return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def fill(course: Course, rows: dict[str, str]) -> None:
    """Put what was dumped in place of all that the gradebook holds; all of it or nothing."""
    forms = [json.loads(line)["version"] for line in rows.get(FORM.name, "").splitlines()]
    if not forms:
        raise Failure("the backup says nothing about the form of its ledger")
    if max(forms) > len(STEPS):
        raise Failure("the backup was made by a newer version of viva: update this one")
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as book:
        Ledger(book.db)
    with _connected(course.db_url) as connection:
        for table in reversed(tables()):
            connection.execute(delete(table))
        for table in tables():
            values = [_typed(table, json.loads(line))
                      for line in rows.get(table.name, "").splitlines()]
            if values:
                connection.execute(insert(table), values)
        if connection.dialect.name == "postgresql":  # the next entry comes after all of these
            for name in (ENTRIES.name, REQUESTS.name):
                connection.execute(text(f"SELECT setval('{name}_id_seq', (SELECT coalesce(max(id),"
                                        f" 0) + 1 FROM {name}), false)"))
        connection.commit()


def is_empty(course: Course) -> bool:
    """Whether the gradebook knows no student."""
    with _connected(course.db_url) as connection:
        return connection.execute(select(Base.metadata.tables["student"].c.id)).first() is None


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    """One transaction that sees the gradebook as it is at its beginning."""
    options = {} if url.startswith("sqlite") else {"isolation_level": "REPEATABLE READ"}
    engine = create_engine(url, **options)
    try:
        with gradebook_errors(), engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN")
            yield connection
    finally:
        engine.dispose()


def _plain(table: Table, row: Any) -> dict[str, Any]:
    return {name: _as_text(value) for name, value in row._mapping.items()}


def _as_text(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.total_seconds() if isinstance(value, timedelta) else value


def _typed(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    for name, value in row.items():
        kind = table.c[name].type
        if value is not None and isinstance(kind, Interval):
            row[name] = timedelta(seconds=value)
        elif value is not None and isinstance(kind, DateTime):
            row[name] = datetime.fromisoformat(value)
    return row
