"""Several attempts of one student: where the best counts, an earlier one is kept beside the new."""

from pathlib import Path

from viva_examiner.course import Course
from viva_examiner.gradebook import class_roster as rosters
from viva_examiner.gradebook.class_roster import BEST, Roster, RosterLine


class Attempts:
    """Under which name an upload goes to submitted/, and what the roster must say about it."""

    def __init__(self, course: Course, homework: str):
        self.course, self.homework = course, homework
        self.roster = rosters.read(course)
        self.fresh: list[RosterLine] = []

    def name(self, student: str, files: dict[str, bytes]) -> str:
        """The student's own id, or, where the best attempt counts, one of a further attempt."""
        if self.roster.counts(student, self.homework) != BEST:
            return student
        others = [line.student for _, line in sorted(self.roster.lines.items())
                  if line.attempt_of == student and line.homework == self.homework]
        for name in (student, *others):
            held = _held(Path(self.course.path("submitted", name, self.homework)))
            if not held or all(held.get(path) == data for path, data in files.items()):
                return name
        number = 2
        while self._is_taken(name := f"{student}+{number}"):
            number += 1
        self.fresh.append(RosterLine(name, self.homework, attempt_of=student))
        return name

    def _is_taken(self, name: str) -> bool:
        return (name in {student for student, _ in self.roster.lines}
                or Path(self.course.path("submitted", name, self.homework)).exists())

    def keep(self) -> None:
        """Tell the roster whose the new attempts are; before they are put in place."""
        if self.fresh:
            rosters.change(self.course, lambda now: Roster(
                now.lines | {line.key: line for line in self.fresh}))


def _held(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if path.is_file() and not path.is_symlink()} if folder.is_dir() else {}
