"""Files written whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes | str, mode: int = 0o644, replace: bool = True) -> None:
    """A reader sees the old file or the new one, after a power cut too, never half of one.

    replace: else a file that is there already stays; if two write at once, the first one wins
    """
    with whole(path, mode, replace) as file:
        file.write(data.encode() if isinstance(data, str) else data)


@contextlib.contextmanager
def whole(path: Path, mode: int = 0o644, replace: bool = True) -> Iterator[BinaryIO]:
    """The same for a file that is written piece by piece; a block that fails leaves nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        with open(fresh, "w+b", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(fresh, path)
        else:
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()
