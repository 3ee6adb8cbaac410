"""A gradebook's copy, on which an upgrade of its form is tried before the gradebook sees it.

The copy of a file is a file; the copy of a PostgreSQL database is a schema beside the first one,
so the upgrade meets the same server. It is gone when the trial is over.
"""

import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, create_engine, inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from viva_examiner.gradebook.database import GradebookFailed, file_of

COPY_SECONDS = 60  # to wait for somebody who writes; a gradebook of a thousand is copied in one


class NoCopy(GradebookFailed):
    """There is no copy to try anything on; the message says what to do about it."""


def try_on_a_copy(url: str, upgrade: Callable[[str], None]) -> None:
    """Run an upgrade on a copy of a gradebook and count what is in it; GradebookFailed says why
    the gradebook itself must not be upgraded.

    upgrade: called with the copy's address
    """
    try:
        with copied(url) as copy:
            before = rows_of(copy)
            upgrade(copy)
            after = rows_of(copy)
    except NoCopy:
        raise
    except Exception as error:  # whatever an upgrade raises, the gradebook is as it was
        line = (str(getattr(error, "orig", None) or error).strip() or repr(error)).splitlines()[0]
        raise GradebookFailed(
            f"the gradebook has an older form, and the upgrade failed on a copy of it: {line}. The "
            "gradebook itself is as it was; go back to the version of viva that you used before, "
            "and report this line") from error
    lost = [f"{name} had {count} rows and has {after.get(name, 0)}"
            for name, count in before.items() if after.get(name, 0) < count]
    if lost:
        raise GradebookFailed("the upgrade of the gradebook's form lost something on a copy of it: "
                              f"{', '.join(lost)}. The gradebook itself is as it was")


@contextmanager
def copied(url: str) -> Iterator[str]:
    """The address of a copy that lives as long as this block."""
    file = file_of(url)
    if file is None:
        with _schema(url) as copy:
            yield copy
        return
    with tempfile.TemporaryDirectory(prefix="viva-trial-") as folder:
        target = Path(folder) / "copy.db"
        copy_file(file, target)
        yield f"sqlite:///{target}"


def copy_file(source: Path, target: Path) -> None:
    """A gradebook in a file as it is at one moment, whoever is writing into it."""
    end = time.monotonic() + COPY_SECONDS

    def wait(status: int, left: int, pages: int) -> None:
        if time.monotonic() > end:  # sqlite3 would wait for ever
            raise NoCopy("somebody is writing into the gradebook; try again later")

    with closing(sqlite3.connect(source)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there, pages=10_000, progress=wait)


@contextmanager
def _schema(url: str) -> Iterator[str]:
    name = f"viva_trial_{secrets.token_hex(6)}"
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            tables = inspect(connection).get_table_names()
            try:
                connection.execute(text(f"CREATE SCHEMA {name}"))
            except DBAPIError as error:
                raise NoCopy(
                    "the gradebook has an older form, and its account may make no schema for the "
                    "copy on which the upgrade is tried; nothing has changed. The database's owner "
                    f'gives the right: GRANT CREATE ON DATABASE "{engine.url.database}" TO '
                    f'"{engine.url.username}"') from error
            for table in tables:
                connection.execute(text(
                    f'CREATE TABLE {name}."{table}" (LIKE "{table}" INCLUDING ALL)'))
                connection.execute(text(f'INSERT INTO {name}."{table}" SELECT * FROM "{table}"'))
        try:
            copy = make_url(url).update_query_dict({"options": f"-csearch_path={name}"})
            yield copy.render_as_string(hide_password=False)
        finally:
            with engine.begin() as connection:
                connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    finally:
        engine.dispose()


def rows_of(url: str) -> dict[str, int]:
    """{table: how many rows it has}."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            return {name: _count(connection, name)
                    for name in inspect(connection).get_table_names()}
    finally:
        engine.dispose()


def _count(connection: Connection, table: str) -> int:
    return connection.scalar(text(f'SELECT count(*) FROM "{table}"')) or 0
