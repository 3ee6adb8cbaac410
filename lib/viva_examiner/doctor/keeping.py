"""What a course must not lose: its secret, the same everywhere, and a backup of its gradebook."""

from datetime import UTC, datetime
from pathlib import Path

from viva.doctor import Finding
from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import course_secret, ledger

OLD = 14  # days; a homework is handed in and graded within two weeks


def about_secret(course: Course) -> Finding:
    """Whether this account examines on the hidden inputs of the course."""
    if not course_secret.has_secret(course):
        return Finding("secret", "none: this course has no library of exams")
    known, found = _last(course, ledger.SECRET), course_secret.here(course)
    if known is None:
        return Finding("secret", "not in the gradebook yet: the first release records it")
    if why := course_secret.what_is_wrong(known, found):
        return Finding("secret", why, f"{course_secret.HOW}.")
    path = Path(course.library.secret_path())
    if path.is_file() and path.stat().st_mode & 0o077:
        return Finding("secret", f"others can read {path}", f"chmod 600 {path}", fatal=False)
    return Finding("secret", f"that of the course, made by {known.author}")


def about_backup(course: Course) -> Finding:
    """When the last backup was made."""
    remedy = "`viva backup FILE` keeps gradebook, submissions and configuration."
    if (last := _last(course, ledger.BACKUP)) is None:
        return Finding("backup", "there was none yet", remedy, fatal=False)
    days = (datetime.now(UTC) - last.at).days
    what = f"the last one {days} days ago, by {last.author}" if days else "the last one today"
    return Finding("backup", what, remedy if days > OLD else "", fatal=False)


def _last(course: Course, kind: str) -> ledger.Entry | None:
    """The newest entry of a kind; None also of a gradebook that cannot be used."""
    try:
        return ledger.look_up(course, kind)
    except (Failure, ImportError):
        return None
