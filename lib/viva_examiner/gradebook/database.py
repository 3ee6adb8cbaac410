"""What a gradebook's database refuses, told in one line and as an error of ours."""

from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

HOPELESS = ("full", "readonly", "read-only", "unable to open")  # waiting does not help


class GradebookFailed(OSError):
    """The database refused. What was graded is in autograded/; the next run records it."""


@contextmanager
def gradebook_errors():
    """Turn the database's errors in this block into GradebookFailed."""
    try:
        yield
    except DBAPIError as error:
        line = str(error.orig).strip().splitlines()[0]
        raise GradebookFailed(f"the gradebook cannot be used: {line}") from error


def is_hopeless(error: DBAPIError) -> bool:
    """Whether trying again soon cannot help: the disk is full, or not ours to write."""
    return any(word in str(error.orig) for word in HOPELESS)
