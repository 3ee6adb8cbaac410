"""A gradebook that an older nbgrader or viva made gets the form of today, tried on a copy first."""

import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from alembic.script import ScriptDirectory
from nbgrader import dbutil
from sqlalchemy import create_engine, inspect, text

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import ledger_form
from viva_examiner.gradebook.database import file_of, gradebook_errors, is_there
from viva_examiner.gradebook.upgrade_trial import copy_file, try_on_a_copy

SCHEMA = Path(dbutil.__file__).parent / "alembic"  # nbgrader's, with every version it ever had


def wanted_form() -> str:
    """The form of nbgrader's tables that this nbgrader works with."""
    return ScriptDirectory(str(SCHEMA)).get_current_head() or ""


def upgrade(course: Course) -> list[str]:
    """Upgrade a course's gradebook; what was done, in lines."""
    url = course.db_url
    if not is_there(url):
        raise Failure("there is no gradebook yet; the first release makes it")
    if _forms(url) == (wanted_form(), len(ledger_form.STEPS)):
        return ["the gradebook has the newest form"]
    try_on_a_copy(url, _upgrade)
    said = ["the upgrade was tried on a copy, and nothing was lost"]
    if file := file_of(url):  # a server's owner has backups of the server
        moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        kept = course.root / "backups" / f"before-upgrade-{moment}.db"
        kept.parent.mkdir(exist_ok=True)
        kept.touch(0o600)
        copy_file(file, kept)
        said.append(f"the old one is kept as {kept.relative_to(course.root)}")
    with gradebook_errors():
        _upgrade(url)
    return [*said, "the gradebook has the newest form now"]


def _forms(url: str) -> tuple[str | None, int]:
    """(form of nbgrader's tables, form of ours)."""
    engine = create_engine(url)
    try:
        with gradebook_errors(), engine.connect() as connection:
            known = inspect(connection).has_table("alembic_version")
            found = connection.scalar(text("SELECT version_num FROM alembic_version")
                                      ) if known else None
            return found, ledger_form.version_of(connection)
    finally:
        engine.dispose()


def _upgrade(url: str) -> None:
    if _forms(url)[0] != wanted_form():
        nbgraders_own(url)
    ledger_form.upgrade(url)


def nbgraders_own(url: str) -> None:
    """What `nbgrader db upgrade` does, with the last line of a failure instead of all of it."""
    with tempfile.TemporaryDirectory(prefix="viva-upgrade-") as folder:
        settings = Path(folder) / "alembic.ini"
        dbutil.write_alembic_ini(str(settings), url.replace("%", "%%"))  # % begins a name there
        done = subprocess.run([sys.executable, "-m", "alembic", "-c", str(settings), "upgrade",
                               "head"], capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise Failure(next((line for line in lines if "Error" in line.split(" ")[0]), lines[-1]))
