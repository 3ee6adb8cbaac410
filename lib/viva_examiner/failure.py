"""What ends a command: a sentence for the person who typed it, and an exit code."""

from viva.seam import is_staff_fault

EXTRAS = {  # what only some courses need, and the extra of the package that brings it
    "dask": "cluster", "distributed": "cluster", "psycopg": "postgres", "jwt": "lms",
    "requests": "lms", "cryptography": "lms", "jupyter_server": "desk", "tornado": "desk",
}


class Failure(Exception):
    """The command cannot do what was asked. Its message says why, and what to do."""

    exit_code = 2


def sentence_of(error: Exception) -> str:
    """What to tell about an error in one sentence; empty for a fault of our own code."""
    if isinstance(error, Failure):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and (extra := EXTRAS.get(_package(error), "")):
        return (f"this needs {_package(error)}, which is not installed: "
                f"pip install 'viva-examiner[{extra}]'")
    if isinstance(error, SyntaxError) and error.filename:  # of the course's own files
        return f"{error.filename}, line {error.lineno}: {error.msg} ({(error.text or '').strip()})"
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return str(error) if is_staff_fault(error) else ""


def _package(error: ModuleNotFoundError) -> str:
    """The package that an import lacked."""
    return (error.name or "").partition(".")[0]
