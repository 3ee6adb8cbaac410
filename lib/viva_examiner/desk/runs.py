"""What can be started from the desk: the commands of `viva`, one at a time per course.

A run is a process of its own that holds a lock beside the gradebook. Its state and its output are
files, so that every desk on the course shows the same run, and a desk that is started again too.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import follow_ups
from viva_examiner.harmless import one_line

FOLDER = ".viva-desk"
MAX_LOG = 200_000  # bytes of output that are shown, the last ones
LETS_GO = 30.0  # seconds that a runner may take to exit after it has noted its end


class Busy(Failure):
    """Another run is under way."""


@dataclass(frozen=True)
class DeskCommand:
    """A command that the desk offers.

    words: of the command line; HW, ARCHIVE and STUDENT stand for what is chosen
    """

    title: str
    words: tuple[str, ...]
    says: str = ""


KINDS = {
    "collect-look": DeskCommand(
        "See what the archive holds", ("collect", "HW", "ARCHIVE", "--dry-run"), "writes nothing"),
    "collect": DeskCommand("Take it into submitted/", ("collect", "HW", "ARCHIVE", "--yes")),
    "autograde": DeskCommand("Autograde", ("autograde", "HW", "--json"),
                             "what has not changed is not run again"),
    "regrade-look": DeskCommand("Whose mark would change?", ("regrade", "HW", "--dry-run"),
                                "examines again, writes nothing"),
    "regrade": DeskCommand("Regrade", ("regrade", "HW")),
    "feedback": DeskCommand("Make feedback pages", ("feedback", "HW")),
    "export-csv": DeskCommand("Export for a spreadsheet", ("export", "HW", "--for", "csv")),
    "export-canvas": DeskCommand("Export for Canvas", ("export", "HW", "--for", "canvas")),
    "export-moodle": DeskCommand("Export for Moodle", ("export", "HW", "--for", "moodle")),
    "push-look": DeskCommand("What would be pushed?", ("lms", "push", "HW", "--dry-run"),
                             "reads the platform, sends nothing"),
    "push": DeskCommand("Push marks to the platform", ("lms", "push", "HW")),
    "roster-look": DeskCommand("Who came, who left?", ("lms", "roster", "--dry-run"),
                               "reads the platform, writes nothing"),
    "report": DeskCommand("Class report", ("report", "HW")),
    "explain": DeskCommand("Examine again, with inputs and answers", ("explain", "HW", "STUDENT")),
}


@dataclass(frozen=True)
class Run:
    """The run that is under way, or the last one."""

    kind: str
    homework: str
    by: str
    began: float
    running: bool
    code: int | None = None
    stopped: bool = False
    student: str = ""
    ended: float | None = None
    lines: list[str] = field(default_factory=list)
    done: int = 0
    total: int = 0

    @property
    def title(self) -> str:
        return KINDS[self.kind].title if self.kind in KINDS else self.kind

    @property
    def outcome(self) -> str:
        """How it is, in words."""
        if self.running:
            return f"{self.done} of {self.total} done" if self.total else "running"
        if self.stopped:
            return "stopped; what was done is kept"
        if self.code is None:
            return "ended without a word: the machine may have been restarted"
        return "done" if self.code == 0 else f"ended with {self.code}: read the log"


def start(course: Course, kind: str, homework: str, by: str, archive: str = "",
          student: str = "") -> None:
    """Start a run. Raises Busy if one is under way in this course."""
    named = {"HW": homework, "ARCHIVE": archive, "STUDENT": student}
    words = [named.get(word, word) for word in KINDS[kind].words]
    folder = _folder(course)
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not _taken(lock, folder):
            raise Busy(f"{_under_way(course)}: wait until it is over, or stop it. Nothing was "
                       "started.")
        state = {"kind": kind, "homework": homework, "by": by, "began": time.time(),
                 "student": student}
        (folder / "run.json").write_text(json.dumps(state))
        (folder / "run.log").write_bytes(b"")
        subprocess.Popen(
            [sys.executable, "-m", "viva_examiner.desk.runner", str(folder), str(lock), *words],
            cwd=course.root, pass_fds=[lock], start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"VIVA_GRADER": by})
    finally:
        os.close(lock)  # the runner holds it


def _taken(lock: int, folder: Path) -> bool:
    """Take the lock of runs; one that has ended lets go of it when its process is gone."""
    until = time.monotonic() + LETS_GO
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if "ended" not in _state(folder) or time.monotonic() > until:
                return False
        time.sleep(0.02)


def _state(folder: Path) -> dict:
    try:
        return json.loads((folder / "run.json").read_text())
    except (OSError, ValueError):
        return {}


def current(course: Course) -> Run | None:
    """The run that is under way, else the last one; None if there never was one."""
    folder = Path(course.root) / FOLDER
    state = _state(folder)
    if not state:
        return None
    lines, done, total = _output(folder / "run.log")
    running = "ended" not in state and _locked(folder)
    return Run(state["kind"], state["homework"], state["by"], state["began"], running,
               state.get("code"), state.get("stopped", False), state.get("student", ""),
               state.get("ended"), lines, done, total)


def _under_way(course: Course) -> str:
    run = current(course)
    if run is None or not run.running:
        return "another run has just begun"
    of = f" of {run.homework}" if run.homework else ""
    return f"“{run.title}”{of} is under way, started by {run.by}"


def stop(course: Course, began: float | None = None) -> bool:
    """Stop the run as Ctrl-C does; False if none is under way, or another than what began then."""
    folder = Path(course.root) / FOLDER
    try:
        state = json.loads((folder / "run.json").read_text())
        if "ended" in state or not _locked(folder) or began not in (None, state["began"]):
            return False
        os.kill(state["pid"], signal.SIGTERM)
    except (OSError, ValueError, KeyError):
        return False
    return True


def _folder(course: Course) -> Path:
    folder = Path(course.root) / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    return folder


def _locked(folder: Path) -> bool:
    try:
        with (folder / "lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _output(log: Path) -> tuple[list[str], int, int]:
    """(what a run said, how much is done, of how much); the words are others' too."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - MAX_LOG))
            text = file.read().decode(errors="replace")
    except OSError:
        return [], 0, 0
    lines, done, total = [], 0, 0
    for line in text.splitlines():
        event = _event(line)
        if event.get("event") == "start":
            total = event.get("total", 0)
        done += event.get("event") == "done"
        said = _said(event) if event else line
        if said:
            lines.append("".join(sign if sign.isprintable() else " " for sign in said))
    return lines, done, total


def _event(line: str) -> dict:
    try:
        event = json.loads(line) if line.startswith("{") else {}
    except ValueError:
        return {}
    return event if isinstance(event, dict) and "event" in event else {}


def _said(event: dict) -> str:
    """An event of `viva autograde --json` as a line."""
    kind = event["event"]
    if kind == "start":
        return f"{event['total']} to grade, {event['skipped']} unchanged"
    if kind == "done":
        noted = f" ({one_line(event['remarks'][0], 200)})" if event.get("remarks") else ""
        waits = f", {event['waiting']:g} wait for a TA" if event.get("waiting") else ""
        return f"{event['student']}: {event['earned']:g} of {event['judged']:g}{waits}{noted}"
    if kind == "marked":
        return f"all marks are in the gradebook; the other cells of {event['left']} run now"
    if kind == "completed":
        return ""
    if kind == "end":
        looks = [follow_ups.sentence(name, why)
                 for name, why in sorted(event.get("look", {}).items())]
        return "; ".join([f"{event['graded']} graded, {event['skipped']} unchanged, "
                          f"{event['failed']} need a look", *looks])
    return one_line(json.dumps(event), 200)
