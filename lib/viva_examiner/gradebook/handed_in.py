"""The one door through which what a student handed in is read.

Regular files only, opened without following links and without waiting, bounded in size, number,
depth and name. Whatever else lies in the folder is named in a remark and never touched.
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from viva_examiner.harmless import one_line
from viva_examiner.limits import MAX_FILES_BYTES, MAX_NOTEBOOK_BYTES
from viva_examiner.notebook.whose_homework import Face, plain_stem, recognised

MAX_ENTRIES = 1000  # files and folders that are looked at
MAX_DEPTH = 8
MAX_NAME = 150  # bytes of one name; what is written beside it while it is copied is longer
MAX_REMARKS = 20
OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass
class HandedIn:
    """What a submission's folder holds: bytes by relative path, and what was left out."""

    files: dict[str, bytes] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    notebook_bytes: int = 0
    beside: int = 0  # bytes of what is no notebook
    entries: int = 0

    def leave(self, what: str, why: str) -> None:
        """Note that something was not taken; one line says that there was more of it."""
        if len(self.remarks) < MAX_REMARKS:
            self.remarks.append(f"{one_line(what, 120)} was not taken: {why}")
        elif len(self.remarks) == MAX_REMARKS:
            self.remarks.append("and more that was not taken")

    def notebooks(self) -> list[str]:
        """Paths of notebooks, those at the top first."""
        found = [path for path in self.files if path.lower().endswith(".ipynb")]
        return sorted(found, key=lambda path: (path.count("/"), path))


def is_plain_name(name: str) -> bool:
    """Whether a file's or a student's name can be written, shown and stored as it is."""
    return (name.isprintable() and 0 < len(name.encode()) <= MAX_NAME and "/" not in name
            and name not in (".", ".."))


def read_folder(folder: Path) -> HandedIn:
    """Everything of a submission's folder that can be taken; never raises for what is inside."""
    found = HandedIn()
    try:
        top = os.open(folder, OPEN | os.O_DIRECTORY)
    except OSError as error:
        found.leave(folder.name, f"the folder cannot be opened ({error.strerror})")
        return found
    try:
        _read(top, "", 1, found)
    finally:
        os.close(top)
    return found


def read_file(folder: Path, name: str, most: int) -> bytes:
    """One file of a submission's folder, no more of it than `most`; empty if it cannot be taken."""
    try:
        top = os.open(folder, OPEN | os.O_DIRECTORY)
    except OSError:
        return b""
    try:
        with open(os.open(name, OPEN, dir_fd=top), "rb") as file:
            return file.read(most) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(top)


def _read(descriptor: int, above: str, depth: int, found: HandedIn) -> None:
    with os.scandir(descriptor) as listing:
        entries = []
        for entry in listing:
            found.entries += 1
            if found.entries > MAX_ENTRIES:
                found.leave("the rest of the folder", f"it holds more than {MAX_ENTRIES} files")
                break
            entries.append(entry.name)
    for name in sorted(entries):
        path = above + name
        if not is_plain_name(name):
            found.leave(path, "its name is too long or holds signs that cannot be shown")
            continue
        try:
            _take(descriptor, name, path, depth, found)
        except OSError as error:
            why = "it is a link" if error.errno == 40 else f"{error.strerror}".lower()
            found.leave(path, why)


def _take(folder: int, name: str, path: str, depth: int, found: HandedIn) -> None:
    about = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISDIR(about.st_mode):
        if depth >= MAX_DEPTH:
            found.leave(path, f"folders go deeper than {MAX_DEPTH} levels")
        elif found.entries <= MAX_ENTRIES:
            below = os.open(name, OPEN | os.O_DIRECTORY, dir_fd=folder)
            try:
                _read(below, f"{path}/", depth + 1, found)
            finally:
                os.close(below)
        return
    if not stat.S_ISREG(about.st_mode):
        kind = "a link" if stat.S_ISLNK(about.st_mode) else "no ordinary file"
        found.leave(path, f"it is {kind}")
        return
    is_notebook = name.lower().endswith(".ipynb")
    room = (MAX_NOTEBOOK_BYTES - found.notebook_bytes if is_notebook
            else MAX_FILES_BYTES - found.beside)
    if about.st_size > room:
        found.leave(path, f"it has {about.st_size / 2**20:.0f} MB, more than there is room for")
        return
    opened = os.open(name, OPEN, dir_fd=folder)
    with open(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):  # exchanged since the look
            found.leave(path, "it is no ordinary file")
            return
        data = file.read(room + 1)
    if len(data) > room:
        found.leave(path, "it grew while it was read")
        return
    found.notebook_bytes += len(data) if is_notebook else 0
    found.beside += 0 if is_notebook else len(data)
    found.files[path] = data


@dataclass(frozen=True)
class Found:
    """The notebook of a homework in what was handed in, or why there is none."""

    data: bytes = b""
    remark: str = ""
    other: str = ""  # the homework that was handed in instead


def find_notebook(handed_in: HandedIn, notebook: str, homework: str,
                  faces: Callable[[], list[Face]]) -> Found:
    """The notebook under its own name, or under another that can be told to be it.

    faces: asked only if there is no notebook of that name
    """
    own = f"{notebook}.ipynb"
    if own in handed_in.files:
        return Found(handed_in.files[own])
    paths = handed_in.notebooks()
    named = [path for path in paths if plain_stem(path.rsplit("/", 1)[-1]) == notebook.lower()]
    if named:
        return Found(handed_in.files[named[0]], f"{named[0]} was taken as {own}")
    told = [(path, recognised(handed_in.files[path], faces())) for path in paths]
    for path, face in told:
        if face is not None and (face.homework, face.notebook) == (homework, notebook):
            remark = f"{path} was taken as {own}: its cells are those of {homework}"
            return Found(handed_in.files[path], remark)
    for path, face in told:
        if face is not None:
            return Found(other=face.homework, remark=f"{path} is {face.homework}, not {homework}")
    if paths:
        return Found(remark=f"{paths[0]} cannot be told to be {own}")
    return Found()
