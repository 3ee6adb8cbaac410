"""Files hashed, and zipped to bytes that depend on nothing else. `viva.whole` writes them."""

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

MAX_HOLES = 2**30  # bytes of a file that says to be larger, and holds less on the disk
MOMENT = (1980, 1, 1, 0, 0, 0)  # the zip format's first; every entry has it


def sync(folder: Path) -> None:
    """What was renamed in this folder survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def zipped(entries: dict[str, bytes], executable: tuple[str, ...] = ()) -> bytes:
    """{name: bytes} as a zip, the same bytes for the same entries on every machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, MOMENT)
            info.external_attr = (0o100755 if name in executable else 0o100644) << 16
            info.create_system = 3  # unix, wherever it was built
            archive.writestr(info, entries[name], zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def digest(*parts: object) -> str:
    """A short hash of strings and bytes, each with its length, so that none runs into the next."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()[:32]


def regular_files(top: Path) -> Iterator[Path]:
    """Every regular file below a folder that others may have filled.

    No link is followed. `os.walk` and `rglob` end in a RecursionError where folders nest deep
    enough; a path that is too long for the system is left out.
    """
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        waiting += [folder / each.name for each in reversed(entries)
                    if each.is_dir(follow_symlinks=False)]
        yield from (folder / each.name for each in entries if each.is_file(follow_symlinks=False))


def can_be_kept(path: Path) -> bool:
    """Whether an archive can hold a file of others: by its name, its rights, and what is in it."""
    try:
        about = path.lstat()
        str(path).encode()
    except (OSError, UnicodeEncodeError):  # a name that is no text
        return False
    holes = about.st_size > MAX_HOLES > 512 * about.st_blocks
    return not holes and os.access(path, os.R_OK)


def files_of(folder: Path) -> list[Path]:
    """The files below a folder, or the file itself, without what Python makes of them."""
    found = folder.rglob("*") if folder.is_dir() else [folder]
    return sorted(p for p in found if p.is_file() and "__pycache__" not in p.parts)


def digest_of(root: Path, paths: Iterable[Path]) -> str:
    """Of files' names below a folder and of their contents."""
    return digest(*(part for path in paths for part in (path.relative_to(root), path.read_bytes())))
