"""The rooms on disk: what was submitted, and what was autograded, written whole or not at all."""

import json
import os
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from viva_examiner import logs
from viva_examiner.grading import Graded
from viva_examiner.sanitise import MAX_BYTES

MAX_FILES_BYTES = 32 * 2**20  # of the files beside a notebook that travel with it
CHANGED = "viva"  # the key of our record in an autograded notebook's metadata


@dataclass(frozen=True)
class Submission:
    """One student's folder for one homework."""

    student: str
    homework: str
    folder: Path

    def notebook(self, name: str) -> bytes | None:
        """The bytes of a submitted notebook; None if it was not handed in.

        Of a file that is too large to be graded, only as much as shows that it is.
        """
        path = self.folder / f"{name}.ipynb"
        try:
            if path.is_symlink():
                return None
            with path.open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except OSError:
            return None

    def files(self) -> dict[str, bytes]:
        """The files beside the notebooks, by their relative path, up to a total size."""
        found, total = {}, 0
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder).as_posix()
            if not path.is_file() or path.is_symlink() or path.suffix == ".ipynb":
                continue
            if inside in ("timestamp.txt", logs.NAME):
                continue
            total += path.stat().st_size
            if total > MAX_FILES_BYTES:
                break
            found[inside] = path.read_bytes()
        return found

    def log(self) -> bytes | None:
        """The submission log that was handed in, no more of it than a log can have."""
        path = self.folder / logs.NAME
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(logs.MAX_BYTES + 1)


def submissions(course, homework: str, student: str = "*") -> list[Submission]:
    """The submissions of a homework, by student."""
    pattern = Path(course.path("submitted", student, homework))
    anchor = Path(pattern.anchor)
    excluded = set(filter(None, course.directory.student_id_exclude.split(",")))
    depth = course.directory.directory_structure.split("/").index("{student_id}")
    found = []
    for folder in sorted(anchor.glob(str(pattern.relative_to(anchor)))):
        name = folder.relative_to(course.root).parts[depth]
        if folder.is_dir() and name not in excluded:
            found.append(Submission(name, homework, folder))
    return found


def submitted_at(submission: Submission) -> datetime | None:
    """The time in a submission's timestamp.txt; None if there is none that can be read."""
    try:
        return parse_utc((submission.folder / "timestamp.txt").read_text()[:100].strip())
    except (OSError, ValueError, OverflowError):
        return None


def stored(course, submission: Submission, notebook: str) -> Graded | None:
    """The record of an earlier autograding, from the notebook it left; None if there is none."""
    path = _autograded(course, submission) / f"{notebook}.ipynb"
    try:
        text = path.read_text()
        summary = json.loads(text)["metadata"][CHANGED]
        return Graded(**summary, text=text)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(course, submission: Submission, graded: list[Graded]) -> None:
    """Write a submission's autograded folder: complete under its final name, or not there."""
    final = _autograded(course, submission)
    fresh = final.with_name(f".{final.name}.new-{os.getpid()}")
    old = final.with_name(f".{final.name}.old-{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        timestamp = submission.folder / "timestamp.txt"
        for name, data in submission.files().items():
            _write(fresh / name, data)
        if timestamp.is_file():
            _write(fresh / "timestamp.txt", timestamp.read_bytes())
        for each in graded:
            _write(fresh / f"{each.notebook}.ipynb", each.text.encode())
            if each.log:
                _write(fresh / logs.NAME, each.log.encode())
        if final.exists():
            final.rename(old)
        fresh.rename(final)
        _sync(final.parent)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        if old.exists() and not final.exists():
            old.rename(final)
        shutil.rmtree(old, ignore_errors=True)


def tidy(course, homework: str) -> None:
    """Remove what an interrupted run left under temporary names; bring back a moved folder."""
    for left in Path(course.path("autograded", "*", homework)).parents[1].glob(f"*/.{homework}.*"):
        final = left.parent / homework
        if ".old-" in left.name and not final.exists():
            left.rename(final)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _autograded(course, submission: Submission) -> Path:
    return Path(course.path("autograded", submission.student, submission.homework))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
