"""The secret seed of the hidden inputs: made once per course, kept outside the repository.

The examiner makes it at the first release and compares it with the gradebook before it grades
(`viva secret`). It lies in $VIVA_SECRET, or in the file that $VIVA_SECRET_FILE names, or in the
user's data directory.
"""

import os
import secrets
from pathlib import Path

from viva.whole import write_whole


def course_secret() -> str:
    """The secret of this account; made at the first call, readable by its owner only."""
    if not (found := find_secret()):
        keep_secret(secrets.token_hex(16), replace=False)
        found = find_secret()
    return found


def find_secret() -> str:
    """The secret of this account; empty if it has none."""
    if word := os.environ.get("VIVA_SECRET"):
        return word
    try:
        return secret_path().read_text().strip()
    except FileNotFoundError:
        return ""


def keep_secret(secret: str, replace: bool = True) -> None:
    """Write the secret's file, whole and for its owner alone.

    replace: else, if two write at once, whoever is first wins and everybody reads the same
    """
    write_whole(secret_path(), secret, 0o600, replace)


def secret_path() -> Path:
    """Where the secret lies when no variable holds it."""
    if named := os.environ.get("VIVA_SECRET_FILE"):
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "viva" / "secret"
