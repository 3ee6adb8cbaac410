"""Submission logs: read them as what they are, hostile text, and grade or compare them.

Reading costs bounded time and memory whatever the file holds: its size is looked at before it is
opened, JSON is parsed strictly, and every field is checked before anything uses it. docs/log.md
describes the form, and what a log can and cannot prove.
"""

import json
import stat
from dataclasses import dataclass, field
from pathlib import Path

from viva import plain
from viva.case import cases_of
from viva.compare import difference
from viva.log import MAX_OUTPUTS, SCHEMA, STATUSES
from viva.unbroken import read_json
from viva_examiner.limits import MAX_LOG_BYTES

MAX_EXERCISES, MAX_CASES, MAX_WORD = 200, 200, 200


class BadLog(Exception):
    """Not a submission log; the message says why."""


@dataclass
class GradedLog:
    """What came of one log. Plain enough to travel as JSON."""

    path: str
    student: str = ""
    homework: str = ""
    refused: str = ""  # why nothing could be judged; empty if it was
    exercises: list[dict] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def items(self) -> list[dict]:
        return [item for report in self.exercises for item in report["items"]]

    @property
    def score(self) -> float:
        return round(sum(item["earned"] or 0.0 for item in self.items), 6)

    @property
    def judged(self) -> float:
        """The points that a log can earn."""
        return round(sum(i["points"] for i in self.items if i["earned"] is not None), 6)

    @property
    def points(self) -> float:
        return round(sum(item["points"] for item in self.items), 6)


def read(path: Path, homework: str = "") -> dict:
    """The log in a file. Raises BadLog; opens nothing that is too large or not a file."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise BadLog("not a file")
        if about.st_size > MAX_LOG_BYTES:
            raise BadLog(f"{about.st_size / 1e6:.1f} MB; a log has at most "
                         f"{MAX_LOG_BYTES / 1e6:g} MB")
        with path.open("rb") as file:
            data = file.read(about.st_size + 1)
    except OSError as error:
        raise BadLog(f"cannot be read ({error.strerror})") from None
    return parse(data, homework)


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
    _demand(isinstance(log, dict), "not a JSON object")
    others = log.pop("others", {})
    if homework and log.get("homework") != homework and isinstance(others, dict):
        log = others.get(homework, log)
        _demand(isinstance(log, dict), "not a JSON object")
    _demand(log.get("schema") == SCHEMA, f"its schema is not {SCHEMA}")
    for name in ("homework", "student", "kit"):
        _demand(_is_word(log.get(name)), f"{name} is missing or not a word")
    entries = log.get("exercises")
    _demand(isinstance(entries, dict) and len(entries) <= MAX_EXERCISES, "no table of exercises")
    for name, entry in entries.items():
        _check_entry(name[:40], entry)
    return log


def _check_entry(name: str, entry) -> None:
    _demand(isinstance(entry, dict), f"{name}: not an object")
    _demand(entry.get("status") in STATUSES, f"{name}: unknown status")
    for part in ("time", "source", "digest"):
        _demand(isinstance(entry.get(part), str), f"{name}: {part} is missing or not text")
    outputs = entry.get("outputs")
    _demand(isinstance(outputs, dict) and len(outputs) <= MAX_CASES, f"{name}: no outputs")


def _demand(condition: bool, reason: str) -> None:
    if not condition:
        raise BadLog(_shown(reason))


def _shown(text: str) -> str:
    """Words of a log as they may stand in a remark: one line that can be written as UTF-8."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _is_word(value) -> bool:
    return isinstance(value, str) and len(value) <= MAX_WORD and value.isprintable()


def _no_constant(word: str):
    raise ValueError(f"{word} is not JSON")


def grade(library, path: Path, owner: str = "", causes: bool = True,
          homework: str = "") -> GradedLog:
    """Grade one log file with the course's library. Never raises for what the file holds.

    owner: who handed it in, if that is known; another student's log is worth nothing
    causes: whether to look for known mistakes in what is wrong
    homework: which of the file's logs, if it holds several; else that of the last one worked on
    """
    graded = GradedLog(str(path), owner)
    try:
        log = read(path, homework)
    except BadLog as error:
        graded.refused = str(error)
        return graded
    graded.student, graded.homework = owner or log["student"], log["homework"]
    if not log["student"]:
        graded.refused = "no student id; it belongs into the first cell, then all checks run again"
    elif owner and log["student"] != owner:
        graded.refused = f"the log of student {log['student']!r}, handed in by {owner!r}"
    elif not log["homework"] or not library.exercises(log["homework"]):
        graded.refused = f"there is no homework {log['homework'][:60]!r}"
    if not graded.refused:
        graded.exercises = library.grade_log(log, causes)
        graded.remarks = [f"{report['exercise']}: {remark}" for report in graded.exercises
                          for remark in report["remarks"]]
    return graded


def find_replays(logs: list[GradedLog]) -> None:
    """Add a remark where a student's wrong outputs are, bit for bit, another's right ones."""
    right = {(report["exercise"], report["right"]): graded.student
             for graded in logs for report in graded.exercises if report["right"]}
    for graded in logs:
        for report in graded.exercises:
            other = right.get((report["exercise"], report["wrong"])) if report["wrong"] else None
            if other is not None and other != graded.student:
                remark = f"{report['exercise']}: the outputs are those of student {other}"
                graded.remarks.append(remark)


def owner_of(course, path: Path) -> str:
    """The student in whose folder of submitted/ a log lies; empty if it lies elsewhere."""
    return _place(course, path).get("{student_id}", "")


def homework_of(course, path: Path) -> str:
    """The homework in whose folder of submitted/ a log lies; empty if it lies elsewhere."""
    return _place(course, path).get("{assignment_id}", "")


def _place(course, path: Path) -> dict[str, str]:
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


def compare(submitted: bytes, own: str) -> list[str]:
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
        return [f"the submitted log is unusable: {error}"]
    if not ours:
        return []
    if theirs["homework"] != ours["homework"]:
        return [f"the submitted log is of {theirs['homework']!r}"]
    if theirs["student"] != ours["student"]:
        return [f"the submitted log is of student {theirs['student']!r}"]
    remarks = []
    for name, entry in sorted(theirs["exercises"].items()):
        why = _mismatch(name, entry, ours["exercises"].get(name))
        if why:
            remark = f"the submitted log does not fit the notebook: {name[:60]}: {why[:200]}"
            remarks.append(_shown(remark))
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


def _agree(exercise: str, name: str, theirs, ours) -> bool:
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
