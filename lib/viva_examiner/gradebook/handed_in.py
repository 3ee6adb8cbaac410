"""The one door through which what a student handed in is read.

Regular files only, opened without following links and without waiting, bounded in size, number,
depth and name. Whatever else lies in the folder is named in a remark and never touched.
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from viva.log import LOG_NAME
from viva.regrade import REQUEST_NAME
from viva_examiner.gradebook.standing import NOT_A_NOTEBOOK
from viva_examiner.harmless import one_line
from viva_examiner.limits import MAX_FILES_BYTES, MAX_LOG_BYTES, MAX_NOTEBOOK_BYTES
from viva_examiner.notebook.whose_homework import Profile, plain_stem, recognised
from viva_examiner.records import Kind, Remark

STAMP = "timestamp.txt"
EXCHANGE = "submission_secret.txt"  # nbgrader's, another one at each submission to its exchange
MAX_STAMP = 100  # bytes
MAX_ENTRIES = 1000  # files and folders that are looked at
MAX_DEPTH = 8
MAX_NAME = 150  # bytes of one name; what is written beside it while it is copied is longer
MAX_REMARKS = 20
OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass
class Contents:
    """What a submission's folder held when it was read, once: bytes by relative path, what was
    left out, and the two files that everybody looks for.

    log: no more of it than a log can have, and one byte; stamp: of timestamp.txt
    """

    files: dict[str, bytes] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    log: bytes = b""
    stamp: bytes = b""
    notebook_bytes: int = 0
    other_bytes: int = 0  # of what is no notebook
    entries: int = 0

    def leave(self, what: str, why: str) -> None:
        """Note that something was not taken; one line says that there was more of it."""
        if len(self.remarks) < MAX_REMARKS:
            self._note(f"{one_line(what, 120)} was not taken: {why}")
        elif len(self.remarks) == MAX_REMARKS:
            self._note("and more files were not taken")

    def _note(self, text: str) -> None:
        self.remarks.append(Remark(Kind.LEFT_OUT, text))

    def notebooks(self) -> list[str]:
        """Paths of notebooks, those at the top first."""
        found = [path for path in self.files if path.lower().endswith(".ipynb")]
        return sorted(found, key=lambda path: (path.count("/"), path))

    def other_files(self) -> dict[str, bytes]:
        """All but the notebooks, the log, requests and the time; nor what lies in folders of such
        names."""
        return {path: data for path, data in self.files.items()
                if not path.lower().endswith(".ipynb") and not _is_ours(path.split("/")[0])}

    def submitted_at(self) -> datetime | None:
        """The time in timestamp.txt; None if there is none that can be read."""
        try:
            return parse_utc(self.stamp.decode().strip())
        except Exception:  # dateutil raises whatever it trips over
            return None


def _is_ours(name: str) -> bool:
    """Whether a file of this name is ours to write or to read, and never the candidate's."""
    return name in (STAMP, LOG_NAME, REQUEST_NAME) or name.lower().endswith(".ipynb")


def is_plain_name(name: str) -> bool:
    """Whether a file's or a student's name can be written, shown and stored as it is."""
    return (name.isprintable() and 0 < len(name.encode()) <= MAX_NAME and "/" not in name
            and name not in (".", ".."))


def read_folder(folder: Path) -> Contents:
    """Everything of a submission's folder that can be taken; never raises for what is inside."""
    found = Contents()
    try:
        top = os.open(folder, OPEN | os.O_DIRECTORY)
    except OSError as error:
        found.leave(folder.name, f"the folder cannot be opened ({error.strerror})")
        return found
    try:
        found.log = _bounded(top, LOG_NAME, MAX_LOG_BYTES + 1)
        found.stamp = _bounded(top, STAMP, MAX_STAMP)
        _read(top, "", 1, found)
    finally:
        os.close(top)
    return found


def has_notebook(folder: Path) -> bool:
    """Whether a file in a submission's folder is called a notebook; no file is opened."""
    seen, above = 0, str(folder).count("/")
    for place, below, names in os.walk(folder):
        if any(name.lower().endswith(".ipynb") for name in names[:MAX_ENTRIES]):
            return True
        seen += 1 + len(names)
        if seen > MAX_ENTRIES:
            return False
        if place.count("/") - above >= MAX_DEPTH:  # os.walk recurses
            below.clear()
    return False


def read_file(path: Path, most: int) -> bytes:
    """One file by itself, no more of it than `most`; empty if it or its folder is a link."""
    try:
        folder = os.open(path.parent, OPEN | os.O_DIRECTORY)
    except OSError:
        return b""
    try:
        return _bounded(folder, path.name, most)
    finally:
        os.close(folder)


def _bounded(folder: int, name: str, most: int) -> bytes:
    """One file of an open folder, no more of it than `most`; empty if it cannot be taken."""
    try:
        with open(os.open(name, OPEN, dir_fd=folder), "rb") as file:
            return file.read(most) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except OSError:
        return b""


def _read(descriptor: int, above: str, depth: int, found: Contents) -> None:
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
            found.leave(path, "its name is too long or contains characters that cannot be printed")
            continue
        try:
            _take(descriptor, name, path, depth, found)
        except OSError as error:
            why = "it is a link" if error.errno == 40 else f"{error.strerror}".lower()
            found.leave(path, why)


def _take(folder: int, name: str, path: str, depth: int, found: Contents) -> None:
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
        kind = "a link" if stat.S_ISLNK(about.st_mode) else "not an ordinary file"
        found.leave(path, f"it is {kind}")
        return
    is_notebook = name.lower().endswith(".ipynb")
    room = (MAX_NOTEBOOK_BYTES - found.notebook_bytes if is_notebook
            else MAX_FILES_BYTES - found.other_bytes)
    if about.st_size > room:
        found.leave(path, f"it has {about.st_size / 2**20:.0f} MB, more than there is room for")
        return
    opened = os.open(name, OPEN, dir_fd=folder)
    with open(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):  # exchanged since the look
            found.leave(path, "it is not an ordinary file")
            return
        data = file.read(room + 1)
    if len(data) > room:
        found.leave(path, "it grew while it was read")
        return
    found.notebook_bytes += len(data) if is_notebook else 0
    found.other_bytes += 0 if is_notebook else len(data)
    found.files[path] = data


@dataclass(frozen=True)
class FoundNotebook:
    """The notebook of a homework in what was handed in, or why there is none."""

    data: bytes = b""
    remark: Remark | None = None
    other: str = ""  # the homework that was handed in instead


def find_notebook(handed_in: Contents, notebook: str, homework: str,
                  profiles: Callable[[], list[Profile]]) -> FoundNotebook:
    """The notebook under its own name, or under another if its cells show that it is.

    One whose cells are those of another homework is not taken, whatever its name.
    """
    own = f"{notebook}.ipynb"
    paths = handed_in.notebooks()
    named = [path for path in paths if plain_stem(path.rsplit("/", 1)[-1]) == notebook.lower()]
    for path in [own] if own in handed_in.files else named[:1]:
        profile = recognised(handed_in.files[path], profiles(), homework)
        if profile is not None and profile.homework != homework:
            return _another(path, profile, homework)
        renamed = Remark(Kind.RENAMED, f"{path} was taken as {own}")
        return FoundNotebook(handed_in.files[path], None if path == own else renamed)
    profiled = [(path, recognised(handed_in.files[path], profiles())) for path in paths]
    for path, profile in profiled:
        if profile is not None and (profile.homework, profile.notebook) == (homework, notebook):
            said = f"{path} was taken as {own}: its cells are those of {homework}"
            return FoundNotebook(handed_in.files[path], Remark(Kind.RENAMED, said))
    for path, profile in profiled:
        if profile is not None:
            return _another(path, profile, homework)
    if paths:
        unknown = f"{paths[0]} cannot be recognised as {own}"
        return FoundNotebook(remark=Remark(Kind.NO_NOTEBOOK, unknown))
    others = [path for path in handed_in.files if not _is_ours(path) and path != EXCHANGE]
    if others:
        said = f"{NOT_A_NOTEBOOK}: {', '.join(sorted(others)[:3])}"
        return FoundNotebook(remark=Remark(Kind.NO_NOTEBOOK, said))
    return FoundNotebook()


def _another(path: str, profile: Profile, homework: str) -> FoundNotebook:
    said = (f"{path} is the notebook of {profile.homework}, not of {homework}: not graded; "
            "ask for the right file")
    return FoundNotebook(other=profile.homework, remark=Remark(Kind.OTHER_HOMEWORK, said))
