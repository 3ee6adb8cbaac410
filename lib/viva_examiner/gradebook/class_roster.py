"""The people around the marks: extensions, late days, groups and attempts, in one file.

`roster.csv` lies beside the gradebook. A line is about one student and one homework, or about all
of them (`*`); the more particular line wins, the student before the homework:

    extension_days  how much later the homework is due
    late_days       for all homeworks (`*`): the student's budget; for one: at most so many of it
    group           students with the same word hand in one work, and its mark is everybody's
    attempt_of      this submission is another attempt of that student
    counts          which of several submissions counts: best or last
    grader          who grades the written answers: a name, or question=name for single questions

The file is written whole or not at all, by one process at a time.
"""

import csv
import fcntl
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viva.nearest import did_you_mean
from viva.whole import write_whole
from viva_examiner.failure import Failure
from viva_examiner.gradebook import graders
from viva_examiner.harmless import one_line

if TYPE_CHECKING:
    from viva_examiner.course import Course

ALL = "*"
BEST, LAST = "best", "last"
MAX_DAYS = 3650.0


class RosterFault(Failure):
    """What is wrong in a roster, a sentence per line of it."""

    def __init__(self, faults: list[str], where: str = "") -> None:
        super().__init__("\n".join(f"{where}{fault}" for fault in faults))
        self.faults = faults


@dataclass(frozen=True)
class RosterLine:
    """What the roster says about a student and a homework; empty fields say nothing."""

    student: str
    homework: str = ALL
    extension_days: float | None = None
    late_days: int | None = None
    group: str = ""
    attempt_of: str = ""
    counts: str = ""
    grader: str = ""  # as `graders` reads it

    @property
    def key(self) -> tuple[str, str]:
        return self.student, self.homework

    def merged(self, newer: "RosterLine") -> "RosterLine":
        """This line with everything that a newer one says."""
        said = {name: value for name in VALUES if (value := getattr(newer, name)) not in (None, "")}
        if said.get("grader"):
            said["grader"] = graders.merged(self.grader, newer.grader)
        return replace(self, **said)


COLUMNS = tuple(each.name for each in fields(RosterLine))
VALUES = COLUMNS[2:]


@dataclass
class Roster:
    """All lines, by student and homework."""

    lines: dict[tuple[str, str], RosterLine] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Iterable[RosterLine]) -> "Roster":
        return cls({line.key: line for line in lines})

    def said(self, student: str, homework: str, what: str, default: Any = None) -> Any:
        """What holds for a student and a homework: the most particular line that says it."""
        for key in ((student, homework), (student, ALL), (ALL, homework), (ALL, ALL)):
            if key in self.lines and getattr(self.lines[key], what) not in (None, ""):
                return getattr(self.lines[key], what)
        return default

    def extension(self, student: str, homework: str) -> timedelta:
        return timedelta(days=self.said(student, homework, "extension_days", 0.0))

    def budget(self, student: str) -> int:
        """The late days that a student has for all homeworks together."""
        return self.said(student, ALL, "late_days", 0)

    def at_most(self, student: str, homework: str) -> int:
        """How many of them may be spent on one homework."""
        for key in ((student, homework), (ALL, homework)):
            days = self.lines[key].late_days if key in self.lines else None
            if days is not None:
                return days
        return self.budget(student)

    def counts(self, student: str, homework: str) -> str:
        return self.said(student, homework, "counts", LAST)

    def grader(self, student: str, homework: str, question: str) -> str:
        """Who is to grade an answer; empty if nobody was named."""
        owner = self.owner(student, homework)
        for key in ((owner, homework), (owner, ALL), (ALL, homework), (ALL, ALL)):
            named = graders.read(self.lines[key].grader) if key in self.lines else {}
            if who := named.get(question) or named.get(graders.ANY):
                return who
        return ""

    def owner(self, submission: str, homework: str) -> str:
        """Whose attempt a submission is."""
        return self.said(submission, homework, "attempt_of", submission)

    def group(self, student: str, homework: str) -> str:
        """The word that a student's group shares; empty for who works alone."""
        return self.said(self.owner(student, homework), homework, "group", "")

    def authors(self, submission: str, homework: str, students: Iterable[str]) -> list[str]:
        """Everybody for whom a submission counts: its owner, and the group."""
        owner = self.owner(submission, homework)
        group = self.group(owner, homework)
        return [each for each in students if self.owner(each, homework) == each
                and (each == owner or group and self.group(each, homework) == group)]

    def is_attempt(self, student: str) -> bool:
        """Whether this is no person of the course but another attempt of one."""
        return any(line.student == student and line.attempt_of for line in self.lines.values())

    def text(self) -> str:
        """The roster as CSV."""
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        for _, line in sorted(self.lines.items()):
            writer.writerow(["" if (value := getattr(line, name)) is None else
                             f"{value:g}" if isinstance(value, float) else value
                             for name in COLUMNS])
        return out.getvalue()


def path_of(course: "Course") -> Path:
    return Path(course.root) / "roster.csv"


def read(course: "Course") -> Roster:
    """The course's roster; an empty one if there is none. Raises RosterFault."""
    try:
        text = path_of(course).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Roster()
    except UnicodeDecodeError:
        raise RosterFault(["it is not UTF-8 text"], "roster.csv: ") from None
    try:
        return Roster.of(parsed(text))
    except RosterFault as fault:
        raise RosterFault(fault.faults, "roster.csv: ") from None


def change(course: "Course", how: Callable[[Roster], Roster]) -> Roster:
    """Read, change and write the roster while nobody else does."""
    with path_of(course).with_name(".roster.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        roster = how(read(course))
        write_whole(path_of(course), roster.text())
    return roster


def parsed(text: str, students: Iterable[str] | None = None,
           homeworks: Iterable[str] | None = None) -> list[RosterLine]:
    """The lines of a CSV file; all that is wrong is reported at once (RosterFault).

    students, homeworks: the names that there are, if they shall be looked up
    """
    try:
        return _parsed(csv.DictReader(io.StringIO(text, newline="")), students, homeworks)
    except csv.Error as error:
        raise RosterFault([f"this is not a CSV file: {error}"]) from None


def _parsed(reader: csv.DictReader, students: Iterable[str] | None,
            homeworks: Iterable[str] | None) -> list[RosterLine]:
    unknown = [name for name in reader.fieldnames or [] if name and name not in COLUMNS]
    faults = [f"there is no column {one_line(name, 40)}{did_you_mean(name, COLUMNS)}"
              for name in unknown]
    if "student" not in (reader.fieldnames or []):
        faults.append(f"the first line must name the columns: {','.join(COLUMNS)}")
    if faults:
        raise RosterFault(faults)
    lines: dict[tuple[str, str], RosterLine] = {}
    for row in reader:
        try:
            if None in row:
                raise ValueError("it has more fields than there are columns")
            line = checked(row, students, homeworks)
        except ValueError as error:
            faults.append(f"line {reader.line_num}: {error}")
            continue
        lines[line.key] = lines[line.key].merged(line) if line.key in lines else line
    faults += _chained(lines.values())
    if faults:
        raise RosterFault(faults)
    return list(lines.values())


def _chained(lines: Iterable[RosterLine]) -> list[str]:
    """Attempts of attempts: nobody could say whose they are."""
    attempts = {line.student: line.attempt_of for line in lines if line.attempt_of}
    return [f"{student} is an attempt of {owner}, who is one of {attempts[owner]}"
            for student, owner in attempts.items() if owner in attempts]


def checked(row: dict[str, str], students: Iterable[str] | None = None,
            homeworks: Iterable[str] | None = None) -> RosterLine:
    """A line from its words; ValueError says what is wrong with it."""
    words = {name: (row.get(name) or "").strip() for name in COLUMNS}
    student, homework = words["student"], words["homework"] or ALL
    if not student or any(not word.isprintable() for word in words.values()):
        raise ValueError("a student's id is missing" if not student else
                         "it contains characters that cannot be printed")
    for name, known, what in ((student, students, "student"), (homework, homeworks, "homework"),
                              (words["attempt_of"], students, "student")):
        if known is not None and name and name != ALL and name not in known \
                and not (what == "student" and name == student and words["attempt_of"]):
            raise ValueError(f"there is no {what} {one_line(name, 80)}{did_you_mean(name, known)}")
    for name in ("group", "grader"):
        if words[name].startswith(("=", "+", "-", "@")):
            raise ValueError(f"a {name}'s name begins with a letter: a spreadsheet would compute "
                             "this")
    if words["counts"] not in ("", BEST, LAST):
        raise ValueError(f"counts is {BEST} or {LAST}, not {one_line(words['counts'], 40)}")
    if words["attempt_of"] and (student == ALL or words["attempt_of"] in (ALL, student)):
        raise ValueError("attempt_of names another student's id")
    return RosterLine(student, homework, _days(words["extension_days"], "extension_days"),
                      _whole(words["late_days"]), words["group"], words["attempt_of"],
                      words["counts"], graders.text(graders.read(words["grader"])))


def _days(word: str, name: str) -> float | None:
    if not word:
        return None
    try:
        days = float(word)
    except ValueError:
        days = -1.0
    if not 0 <= days <= MAX_DAYS:  # also refuses NaN
        raise ValueError(f"{name} is a number of days, 0 to {MAX_DAYS:g}, not {one_line(word, 40)}")
    return days


def _whole(word: str) -> int | None:
    days = _days(word, "late_days")
    if days is not None and days != int(days):
        raise ValueError(f"late_days are whole days, not {one_line(word, 40)}")
    return None if days is None else int(days)
