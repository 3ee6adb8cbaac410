"""Submission logs: read them as what they are, hostile text, and grade or compare them.

Reading costs bounded time and memory whatever the file holds: its size is looked at before it is
opened, JSON is parsed strictly, and every field is checked before anything uses it. docs/log.md
describes the form, and what a log can and cannot prove.
"""

import json
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from viva import plain
from viva.case import cases_of
from viva.compare import difference
from viva.log import MAX_OUTPUTS, fault_of_log
from viva.unbroken import read_json
from viva_examiner.course import Course
from viva_examiner.gradebook.handed_in import read_file
from viva_examiner.limits import MAX_LOG_BYTES
from viva_examiner.records import Kind, Remark, RubricItem
from viva_examiner.travel import Travels

DIFFERS = "the submitted log records something else than the submitted code answers"


class BadLog(Exception):
    """Not a submission log; the message says why."""


@dataclass(frozen=True)
class LoggedExercise(Travels):
    """What the recorded outputs of one exercise show; an item that they cannot tell has no mark."""

    exercise: str
    points: float
    items: tuple[RubricItem, ...]
    mistake: str = ""
    hint: str = ""
    remarks: tuple[str, ...] = ()
    right: str = ""  # a fingerprint of its personal outputs, where they are right
    wrong: str = ""  # where they are wrong


@dataclass
class GradedLog:
    """What came of one log. Plain enough to travel as JSON."""

    path: str
    student: str = ""
    homework: str = ""
    refused: str = ""  # why nothing could be judged; empty if it was
    exercises: list[LoggedExercise] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    provisional: dict[str, str] = field(default_factory=dict)  # exercise: why nothing counts yet

    @property
    def items(self) -> list[RubricItem]:
        return [item for each in self.exercises for item in each.items]

    @property
    def score(self) -> float:
        return round(sum(item.earned or 0.0 for item in self.items), 6)

    @property
    def judged(self) -> float:
        """The points that a log can earn."""
        return round(sum(i.points for i in self.items if i.earned is not None), 6)

    @property
    def points(self) -> float:
        return round(sum(item.points for item in self.items), 6)


def read(path: Path, homework: str = "") -> dict:
    """The log in a file. Raises BadLog; opens nothing that is too large, a link or not a file."""
    return parse(taken(path), homework)


def taken(path: Path) -> bytes:
    """The bytes of a log's file, through the one door. Raises BadLog."""
    try:
        about = path.lstat()
    except OSError as error:
        raise BadLog(f"cannot be read ({error.strerror})") from None
    if stat.S_ISLNK(about.st_mode):
        raise BadLog("a link, and links are not followed")
    if not stat.S_ISREG(about.st_mode):
        raise BadLog("not a file")
    if about.st_size > MAX_LOG_BYTES:
        raise BadLog(f"{about.st_size / 1e6:.1f} MB; a log has at most {MAX_LOG_BYTES / 1e6:g} MB")
    data = read_file(path, MAX_LOG_BYTES + 1)
    if not data and about.st_size:
        raise BadLog("cannot be read, or lies behind a link")
    return data


def parse(data: bytes, homework: str = "") -> dict:
    """The log that these bytes hold. Raises BadLog.

    homework: whose log it is to be, if the file holds those of several; else the last one's
    """
    if len(data) > MAX_LOG_BYTES:
        raise BadLog(f"more than {MAX_LOG_BYTES / 1e6:g} MB")
    try:
        log = read_json(data, parse_constant=_no_constant)
    except RecursionError:
        raise BadLog("nested too deeply") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise BadLog(f"not JSON ({str(error)[:80]})") from None
    others = log.pop("others", {}) if isinstance(log, dict) else None
    if homework and isinstance(others, dict) and log.get("homework") != homework:
        log = others.get(homework, log)
    if fault := fault_of_log(log):
        raise BadLog(_shown(fault))
    return log


def _shown(text: str) -> str:
    """Words of a log as they may stand in a remark: one line that can be written as UTF-8."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def grade(library: Any, path: Path, owner: str = "", causes: bool = True,
          homework: str = "") -> GradedLog:
    """What the outputs in a log file show. Never raises for what the file holds.

    It is what the student saw, and no mark: `logged` runs the code of the log.

    owner: who handed it in, if that is known; another student's log is worth nothing
    causes: whether to look for known mistakes in what is wrong
    homework: which of the file's logs, if it holds several; else that of the last one worked on
    """
    try:
        log = read(path, homework)
    except BadLog as error:
        return GradedLog(str(path), owner, refused=str(error))
    return grade_read(library, log, str(path), owner, causes)


def grade_read(library: Any, log: dict, path: str, owner: str = "",
               causes: bool = True) -> GradedLog:
    """The same of a log that was read."""
    graded = GradedLog(path, owner or log["student"], log["homework"])
    if not log["student"]:
        graded.refused = "no student id: write it into the first cell, then run all checks again"
    elif owner and log["student"] != owner:
        graded.refused = f"the log of student {log['student']!r}, handed in by {owner!r}"
    elif not log["homework"] or not library.exercises(log["homework"]):
        graded.refused = f"there is no homework {log['homework'][:60]!r}"
    if not graded.refused:
        graded.exercises = list(map(LoggedExercise.from_plain, library.grade_log(log, causes)))
        graded.remarks = [f"{each.exercise}: {remark}" for each in graded.exercises
                          for remark in each.remarks]
    return graded


def find_replays(logs: list[GradedLog]) -> None:
    """Add a remark where a student's wrong outputs are, bit for bit, another's right ones."""
    right = {(each.exercise, each.right): graded.student
             for graded in logs for each in graded.exercises if each.right}
    for graded in logs:
        for each in graded.exercises:
            other = right.get((each.exercise, each.wrong)) if each.wrong else None
            if other is not None and other != graded.student:
                graded.remarks.append(
                    f"{each.exercise}: the outputs are those of student {other}")


def owner_of(course: Course, path: Path) -> str:
    """The student in whose folder of submitted/ a log lies; empty if it lies elsewhere."""
    return _place(course, path).get("{student_id}", "")


def homework_of(course: Course, path: Path) -> str:
    """The homework in whose folder of submitted/ a log lies; empty if it lies elsewhere."""
    return _place(course, path).get("{assignment_id}", "")


def _place(course: Course, path: Path) -> dict[str, str]:
    shape = course.directory.directory_structure.split("/")
    try:
        parts = path.resolve().parent.relative_to(course.root).parts
    except ValueError:
        return {}
    found = dict(zip(shape, parts, strict=False))
    if len(parts) != len(shape) or found.get("{nbgrader_step}") != (
            course.directory.submitted_directory):
        return {}
    return found


def compare(submitted: bytes, own: str) -> list[Remark]:
    """What a TA should know: where a submitted log is not that of the submitted notebook.

    own: the log that the examiner's run of the notebook wrote
    """
    if not submitted or not own:
        return []
    try:
        ours = parse(own.encode())
    except BadLog:
        ours = {}  # the student's own code wrote over it; the marks do not depend on it
    try:
        theirs = parse(submitted, ours.get("homework", ""))
    except BadLog as error:
        return [Remark(Kind.LOG, f"the submitted log is unusable: {error}")]
    if not ours:
        return []
    if theirs["homework"] != ours["homework"]:
        return [Remark(Kind.LOG, f"the submitted log is of {theirs['homework']!r}")]
    if theirs["student"] != ours["student"]:
        return [Remark(Kind.LOG, f"the submitted log is of student {theirs['student']!r}")]
    remarks = []
    for name, entry in sorted(theirs["exercises"].items()):
        why = _mismatch(name, entry, ours["exercises"].get(name))
        if why:
            shown = _shown(f"{DIFFERS}: {name[:60]}: {why[:200]}")
            remarks.append(Remark(Kind.LOG, shown, _shown(name[:60])))
    return remarks[:20]


def _mismatch(exercise: str, theirs: dict, ours: dict | None) -> str:
    if ours is None:
        return "the notebook does not check it"
    if theirs["status"] != ours["status"]:
        return f"{theirs['status']} in the log, {ours['status']} in the notebook"
    if "".join(theirs["source"].split()) != "".join(ours["source"].split()):
        return "other source"
    wrong = [name for name, node in sorted(ours["outputs"].items())
             if theirs["outputs"].get(name) != node
             and not _agree(exercise, name, theirs["outputs"].get(name), node)]
    return f"other outputs ({', '.join(wrong)})" if wrong else ""


def _agree(exercise: str, name: str, theirs: Any, ours: Any) -> bool:
    """Whether two recorded outputs agree up to the case's tolerance: machines differ a little."""
    try:
        if len(json.dumps(theirs)) > MAX_OUTPUTS:  # no kit wrote it, and it may be slow to read
            return False
        known = next(each for each in cases_of(exercise) if each.name == name)
        found = difference(plain.from_json(theirs), plain.from_json(ours),
                           max(known.rtol, 1e-6), max(known.atol, 1e-8), known.dtype)
    except Exception:  # hostile data, or a case that this kit does not have
        return False
    return found is None
