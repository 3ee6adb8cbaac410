"""Files written whole or not at all."""

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, data: bytes | str, mode: int = 0o644) -> None:
    """A reader sees the old file or the new one, after a power cut too, never half of one."""
    data = data.encode() if isinstance(data, str) else data
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        with open(fresh, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
