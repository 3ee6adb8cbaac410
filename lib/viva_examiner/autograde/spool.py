"""Works on their way from the door to a worker: read once, then kept here and not on the disk."""

import tempfile
from collections.abc import Callable
from pathlib import Path

IN_MEMORY = 64 << 20  # bytes of all works together; beyond, they go to a file without a name


class Spool:
    """Keeps bytes until they are asked for. Whatever changes in a folder, they do not.

    folder: where the file lies if it is needed; it has no name, and ends with the process
    """

    def __init__(self, folder: Path) -> None:
        self.file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(folder))

    def keep(self, data: bytes) -> Callable[[], bytes]:
        """What gives these bytes back."""
        at, size = self.file.seek(0, 2), len(data)
        self.file.write(data)

        def read() -> bytes:
            self.file.seek(at)
            return self.file.read(size)

        return read

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()
