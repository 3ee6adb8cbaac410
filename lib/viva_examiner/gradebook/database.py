"""What a gradebook's database refuses, in one line and as an error of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from viva_examiner.failure import Failure

HOPELESS = ("full", "readonly", "read-only", "unable to open")  # waiting does not help


SQLITE = "sqlite:///"


class GradebookFailed(Failure):
    """The database refused. What was graded is in autograded/; the next run records it."""


@contextmanager
def gradebook_errors() -> Iterator[None]:
    """Turn the database's errors in this block into GradebookFailed."""
    try:
        yield
    except DBAPIError as error:
        line = str(error.orig).strip().splitlines()[0]
        raise GradebookFailed(f"the gradebook cannot be used: {line}") from error


def file_of(url: str) -> Path | None:
    """The file of a gradebook on SQLite; None for one on a server."""
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def is_there(url: str) -> bool:
    """Whether there is a gradebook: to open one that is missing would make it."""
    file = file_of(url)
    return file is None or file.is_file()


def is_hopeless(error: DBAPIError) -> bool:
    """Whether trying again soon cannot help: the disk is full, or not ours to write."""
    return any(word in str(error.orig) for word in HOPELESS)
