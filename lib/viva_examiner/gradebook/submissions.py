"""What was submitted: a folder per student, read with limits on what it may hold."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.utils import parse_utc

from viva.log import LOG_NAME
from viva_examiner.limits import MAX_FILES_BYTES, MAX_LOG_BYTES, MAX_NOTEBOOK_BYTES
from viva_examiner.records import Work


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
                return file.read(MAX_NOTEBOOK_BYTES + 1)
        except OSError:
            return None

    def files(self) -> dict[str, bytes]:
        """The files beside the notebooks, by their relative path, up to a total size."""
        found, total = {}, 0
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder).as_posix()
            if not path.is_file() or path.is_symlink() or path.suffix == ".ipynb":
                continue
            if inside in ("timestamp.txt", LOG_NAME):
                continue
            total += path.stat().st_size
            if total > MAX_FILES_BYTES:
                break
            found[inside] = path.read_bytes()
        return found

    def work(self, name: str) -> Work:
        """All that grading one of its notebooks needs."""
        return Work(self.notebook(name) or b"", self.files(), self.log() or b"")

    def log(self) -> bytes | None:
        """The submission log that was handed in, no more of it than a log can have."""
        path = self.folder / LOG_NAME
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(MAX_LOG_BYTES + 1)


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
