"""Archives and folders as lists of entries, read within bounds and never written to disk.

A name inside an archive is only ever a label: nothing is unpacked under it, no link is followed,
and whoever lies about sizes is cut off while reading.
"""

import io
import os
import stat
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO

MAX_ENTRIES = 50_000  # of one archive or folder: a class of a thousand with fifty files each
MAX_DEPTH = 12
MAX_NAME = 400  # characters of a path inside an archive
MAX_FILE = 64 * 2**20  # bytes of one file; larger ones are not read to their end
LITTER = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints")
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # a kilobyte of bzip2 is a gigabyte at once


class UnreadableArchive(Exception):
    """An archive or file that cannot be taken. The message is for staff."""


@dataclass(frozen=True)
class ArchivedFile:
    """One file: its path as a tuple of names, when it was changed, and how to read it.

    changed: by the clock of whoever made the archive; a platform's word in a platform's export only
    """

    path: tuple[str, ...]
    changed: datetime | None
    size: int
    read: Callable[[], bytes]

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def shown(self) -> str:
        return "/".join(self.path)

    @property
    def is_zip(self) -> bool:
        return self.name.lower().endswith(".zip")

    def below(self, depth: int) -> "ArchivedFile":
        """The same file, its path without the first names."""
        return replace(self, path=self.path[depth:])

    def called(self, name: str) -> "ArchivedFile":
        """The same file, under the name that its owner gave it."""
        return replace(self, path=(name, *self.path[1:]))


def entries_of(source: Path) -> list[ArchivedFile]:
    """The files of a folder or of a zip archive; Unreadable says why there are none."""
    try:
        return _folder(source) if source.is_dir() else zip_entries(source.name, source)
    except OSError as error:
        raise UnreadableArchive(f"{source}: {error.strerror}") from None


def file_entry(path: Path) -> ArchivedFile:
    """A file on disk as an entry by its own name."""
    return ArchivedFile((path.name,), None, path.stat().st_size, _file_reader(path))


def zip_entries(name: str, data: bytes | Path) -> list[ArchivedFile]:
    """The files of a zip archive, by name. It stays open: its list of files is read once."""
    if isinstance(data, bytes) and data.count(b"PK\x01\x02") > MAX_ENTRIES:
        # before they are listed
        raise UnreadableArchive(f"{name}: holds more than {MAX_ENTRIES} files")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data) if isinstance(data, bytes) else data)
    except Exception as error:  # zlib, lzma and struct raise what is of no other kind
        raise UnreadableArchive(f"{name}: not a zip archive that can be read ({error})") from None
    infos = archive.infolist()
    if len(infos) > MAX_ENTRIES:
        archive.close()
        raise UnreadableArchive(f"{name}: holds {len(infos)} files, more than {MAX_ENTRIES}")

    def reader(info: zipfile.ZipInfo) -> Callable[[], bytes]:
        def read() -> bytes:
            if info.compress_type not in BOUNDED:
                raise UnreadableArchive(f"{name}: {info.filename}: compressed in an unusual way; "
                                        "make it an ordinary zip archive")
            try:
                with archive.open(info) as file:
                    return _bounded(file, f"{name}: {info.filename}")
            except UnreadableArchive:
                raise
            except Exception as error:  # as above
                raise UnreadableArchive(f"{name}: {info.filename}: {str(error)[:200]}") from None
        return read

    found = []
    for info in infos:
        path = tuple(part for part in info.filename.replace("\\", "/").split("/") if part)
        kind = stat.S_IFMT(info.external_attr >> 16)
        is_dir = info.filename.endswith("/")  # an empty name breaks zipfile's own question
        if not is_dir and kind in (0, stat.S_IFREG) and _is_kept(path):
            found.append(ArchivedFile(path, _time(info.date_time), info.file_size, reader(info)))
    return found


def _folder(root: Path) -> list[ArchivedFile]:
    found = []
    for folder, below, files in os.walk(root):
        inside = Path(folder).relative_to(root).parts
        below[:] = [] if len(inside) >= MAX_DEPTH else sorted(below)
        for name in sorted(files):
            path = Path(folder) / name
            about = path.lstat()
            if stat.S_ISREG(about.st_mode) and _is_kept((*inside, name)):
                changed = datetime.fromtimestamp(about.st_mtime)
                found.append(ArchivedFile((*inside, name), changed, about.st_size,
                                          _file_reader(path)))
        if len(found) > MAX_ENTRIES:
            raise UnreadableArchive(f"{root}: holds more than {MAX_ENTRIES} files")
    return found


def _file_reader(path: Path) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(descriptor, "rb") as file:
                return _bounded(file, str(path))
        except OSError as error:
            raise UnreadableArchive(f"{path}: {error.strerror}") from None
    return read


def _bounded(file: IO[bytes], name: str) -> bytes:
    data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise UnreadableArchive(f"{name}: larger than {MAX_FILE >> 20} MB")
    return data


def _is_kept(path: tuple[str, ...]) -> bool:
    """Whether a path is one that a person may have made: none that climbs, none of an editor."""
    return (bool(path) and len(path) <= MAX_DEPTH and sum(map(len, path)) <= MAX_NAME
            and not any(part in LITTER or part == ".." or part.startswith("._") for part in path)
            and all(part.isprintable() for part in path))


def _time(date_time: tuple[int, int, int, int, int, int]) -> datetime | None:
    try:
        return datetime(*date_time) if date_time[0] > 1980 else None  # 1980: not known
    except (ValueError, TypeError):
        return None
