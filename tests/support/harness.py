"""Runs of `viva autograde` that tests strike, and what a TA writes meanwhile."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from nbgrader.api import Gradebook

from viva_examiner.course import Course


class Run:
    """`viva autograde` as a process of its own; its events are read as they come."""

    def __init__(self, course: Course, *words: str, wrapper=(), env=None):
        command = [*wrapper, sys.executable, "-m", "viva_examiner.cli", "autograde", "plain",
                   "--json", "--jobs", "2", *words]
        self.process = subprocess.Popen(command, cwd=course.root, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.PIPE, env=os.environ | (env or {}),
                                        preexec_fn=_as_in_a_terminal)
        self.events: list[dict] = []

    def until(self, event: str, times: int = 1) -> None:
        """Read events until one has come this often."""
        while sum(each["event"] == event for each in self.events) < times:
            line = self.process.stdout.readline()
            assert line, f"the run ended early: {self.process.stderr.read()}"
            self.events.append(json.loads(line))

    def end(self, seconds: float = 900) -> int:
        """Wait for the end; the exit status."""
        out, self.errors = self.process.communicate(timeout=seconds)
        self.events += [json.loads(line) for line in out.splitlines()]
        return self.process.returncode

    def children(self, name: str = "") -> list[int]:
        """Process ids below this run, of all or of those with this name."""
        found, waiting = [], [self.process.pid]
        while waiting:
            pid = waiting.pop()
            with contextlib.suppress(OSError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    below = list(map(int, (task / "children").read_text().split()))
                    found += below
                    waiting += below
        return [pid for pid in found if name in ("", _name(pid))]


def _as_in_a_terminal() -> None:
    """Interrupts end a run, also where the tests themselves run in the background, without them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "gone"


def grade_by_hand(course: Course, student: str) -> None:
    """What a TA writes into the gradebook."""
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        grade = gradebook.find_grade("essay", "plain", "plain", student)
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 2.5, 0.5, False
        gradebook.find_comment("essay", "plain", "plain", student).manual_comment = "well put"
        gradebook.db.commit()


def by_hand(course: Course, student: str) -> tuple:
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        grade = gradebook.find_grade("essay", "plain", "plain", student)
        comment = gradebook.find_comment("essay", "plain", "plain", student)
        return grade.manual_score, grade.extra_credit, comment.manual_comment
