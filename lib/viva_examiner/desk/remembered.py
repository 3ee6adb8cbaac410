"""What the desk remembers between two looks, and how it knows that nothing has changed since.

Only what can be read again is kept, and only as long as the files that it was read from are the
same: SQLite counts the transactions in the head of its file. A gradebook on a server tells no such
number, so there everything is read again.
"""

import os
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.api import Gradebook

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import autograded, class_roster
from viva_examiner.gradebook.database import file_of, gradebook_errors, is_there
from viva_examiner.gradebook.submissions import submissions
from viva_examiner.gradebook.texts import Texts
from viva_examiner.records import Graded

T = TypeVar("T")
HEAD = slice(24, 28)  # where SQLite counts its transactions
MOST = 64  # answers that are kept


class DeskState:
    """The course of a desk, who sits at it, and what was read of it."""

    def __init__(self, course: Course | None, me: str) -> None:
        self.course_or_none, self.me = course, me
        self._answers: dict[Hashable, tuple[Hashable, Any]] = {}
        self._records: dict[Path, tuple[tuple[int, int], Graded | None]] = {}

    @property
    def course(self) -> Course:
        assert self.course_or_none is not None  # handlers ask before
        return self.course_or_none

    def demand_gradebook(self) -> None:
        """Failure where there is no gradebook: whoever opens it would make one."""
        if not is_there(self.course.db_url):
            raise Failure("There is no gradebook yet: `viva release` makes it with the first "
                          "homework.")

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        self.demand_gradebook()
        with gradebook_errors(), Gradebook(
                self.course.db_url, self.course.directory.course_id) as book:
            yield book

    def once(self, key: Hashable, stamp: Hashable | None, make: Callable[[], T]) -> T:
        """What `make` gave when the stamp was the same; None as a stamp: nothing is kept."""
        if stamp is not None and key in self._answers and self._answers[key][0] == stamp:
            return self._answers[key][1]
        made = make()
        if stamp is not None:
            self._answers.pop(key, None)
            self._answers[key] = stamp, made
            while len(self._answers) > MOST:
                self._answers.pop(next(iter(self._answers)))
        return made

    def stamp(self, homework: str | None = None) -> Hashable | None:
        """Another one when gradebook, roster or submitted/ have changed; None: nobody can tell."""
        file = file_of(self.course.db_url)
        if file is None:
            return None
        found: list[Hashable] = [_head(file), *(_about(file.with_name(file.name + end))
                                                for end in ("", "-wal", "-journal"))]
        found.append(_about(class_roster.path_of(self.course)))
        if homework is not None:
            found += [(each.student, _about(each.folder))
                      for each in submissions(self.course, homework)]
        return tuple(found)

    def record(self, student: str, homework: str, notebook: str) -> Graded | None:
        """The record of an autograded notebook, read again only if the file is another one."""
        path = Path(self.course.path("autograded", student, homework)) / f"{notebook}.ipynb"
        about = _about(path)
        if path not in self._records or self._records[path][0] != about:
            self._records[path] = about, autograded.record(path)
        return self._records[path][1]

    def records(self, homework: str) -> dict[str, list[Graded]]:
        """{submitter: the records of the notebooks} of everybody who was autograded."""
        found: dict[str, list[Graded]] = {}
        for path, name in self._notebooks(homework):
            if (graded := self.record(name, homework, path.stem)) is not None:
                found.setdefault(name, []).append(graded)
        return found

    def warming(self, homework: str) -> Iterator[None]:
        """Read what the pages of a homework will ask for: a step for each file that is new."""
        texts = Texts(self.course, homework)
        for path, name in self._notebooks(homework):
            if path not in self._records or self._records[path][0] != _about(path):
                self.record(name, homework, path.stem)
                texts.of(name, path.stem)
                yield

    def _notebooks(self, homework: str) -> Iterator[tuple[Path, str]]:
        """(path, submitter) of every autograded notebook."""
        pattern = Path(self.course.path("autograded", "*", homework)) / "*.ipynb"
        anchor = Path(pattern.anchor)
        for path in sorted(anchor.glob(str(pattern.relative_to(anchor)))):
            yield path, path.parent.relative_to(self.course.root).parts[self._depth]

    @property
    def _depth(self) -> int:
        return self.course.directory.directory_structure.split("/").index("{student_id}")


def _about(path: Path) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0)
    return found.st_mtime_ns, found.st_size


def _head(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(HEAD.stop)[HEAD]
    except OSError:
        return b""
