"""The secret seed of the hidden inputs: made once per course, kept outside the repository."""

import os
import secrets
from pathlib import Path


def course_secret() -> str:
    """The course's secret: $VIVA_SECRET, or the file that $VIVA_SECRET_FILE names.

    Without either, a file in the user's data directory; made at the first call, readable by its
    owner only. All who grade one course must share it: copy the file, or set the variable.
    """
    if word := os.environ.get("VIVA_SECRET"):
        return word
    path = secret_path()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(16))
        try:
            os.link(temporary, path)  # whoever is first wins, everybody reads the same
        except FileExistsError:
            pass
        temporary.unlink()
    return path.read_text().strip()


def secret_path() -> Path:
    """Where the secret lies when no variable holds it."""
    if named := os.environ.get("VIVA_SECRET_FILE"):
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "viva" / "secret"
