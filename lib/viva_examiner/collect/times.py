"""Times that platforms write into names and manifests, and when they are believed.

Nothing here raises for a date that does not exist: such a time is not known.
"""

import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

MONTHS = {name: number for number, name in enumerate(
    "jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
SPOKEN = re.compile(r"(?:([A-Za-z]{3,9}) (\d{1,2}),|(\d{1,2}) ([A-Za-z]{3,9})) "
                    r"(\d{4}) (\d{1,2}):?(\d\d) ([AP]M)")
ISO = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,12})? ?(Z|[+-]\d\d:?\d\d)?")


def dashed(text: str) -> datetime | None:
    """Blackboard's 2026-10-12-17-05-09, by the clock of this machine."""
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None


def spoken(text: str) -> datetime | None:
    """Brightspace's "Sep 24, 2026 926 PM" or "24 September 2026 926 PM", by this clock."""
    found = SPOKEN.fullmatch(text)
    if not found:
        return None
    month, day, other_day, other_month, year, hour, minute, half = found.groups()
    number = MONTHS.get((month or other_month).lower()[:3], 0)
    try:
        return datetime(int(year), number, int(day or other_day),
                        int(hour) % 12 + 12 * (half == "PM"), int(minute))
    except ValueError:
        return None


def iso(text: str) -> datetime | None:
    """Gradescope's 2026-10-12 17:05:09.000000000 Z; without a zone it is UTC."""
    found = ISO.fullmatch(text.strip())
    if not found:
        return None
    day, clock, zone = found.groups()
    try:
        return datetime.fromisoformat(f"{day}T{clock}{(zone or 'Z').replace('Z', '+00:00')}")
    except ValueError:
        return None


def believed(when: datetime | None, since: datetime | None, now: datetime) -> datetime | None:
    """A platform's time in UTC if it lies between the release and now; else None.

    since: when the homework was released; None if that is not known
    """
    if when is None:
        return None
    try:
        when = when.astimezone(UTC)
    except (OverflowError, ValueError, OSError):  # the year 0001 has no local time
        return None
    return when if when <= now and (since is None or when >= since) else None


def released_at(folder: Path, due: datetime | None) -> datetime | None:
    """When a homework was released: its first commit, else the age of its files; None if unknown.

    A copy or a second release makes files younger than the homework. So a date after the due date
    is no date of a release, and a year before the due date stands for it.

    folder: of the homework in release/
    due: in UTC
    """
    seconds = _first_commit(folder)
    if seconds is None:
        seconds = min((path.stat().st_mtime for path in folder.glob("*.ipynb")), default=None)
    if seconds is None:
        return None
    released = datetime.fromtimestamp(seconds, UTC)
    return due - timedelta(days=366) if due is not None and released > due else released


def _first_commit(folder: Path) -> float | None:
    command = ["git", "-C", str(folder), "log", "--diff-filter=A", "--format=%ct", "--", "."]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
        return float(done.stdout.split()[-1]) if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, IndexError, ValueError):
        return None
