"""What a run shows: a live line on a terminal, plain lines elsewhere, JSON for scripts."""

import json
import shutil
import sys
import time
from typing import Any, TextIO

from viva_examiner.autograde.agenda import Job
from viva_examiner.autograde.grading_run import Summary
from viva_examiner.gradebook import follow_ups
from viva_examiner.gradebook.standing import of_record
from viva_examiner.harmless import one_line
from viva_examiner.records import Graded


class Progress:
    """Receives the events of `autograde` and shows them in one of three forms."""

    def __init__(self, as_json: bool = False, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.form = "json" if as_json else "live" if self.stream.isatty() else "plain"
        self.began = time.monotonic()
        self.total = self.done = self.failed = 0
        self.running: dict[str, float] = {}  # since when
        self.slowest: list[tuple[float, str, str]] = []  # seconds, student, cell

    def on_event(self, event: str, **facts: Any) -> None:
        getattr(self, f"_{event}")(**facts)

    def _waiting(self, other: dict) -> None:
        pid, homework = other.get("pid", "?"), other.get("homework", "?")
        done, total = other.get("done", "?"), other.get("total", "?")
        self._event("waiting", f"another viva autograde (process {pid}) is at {done} of {total} of "
                    f"{homework}; waiting for it to end", **other)

    def _stray(self, what: str) -> None:
        self._event("stray", f"not graded: submitted/{what}", what=what)

    def _start(self, total: int, skipped: int, notebooks: int = 1) -> None:
        self.total, self.began = total, time.monotonic()
        kept = f"; {skipped} unchanged since their last grading" if skipped else ""
        what = "submissions" if notebooks == 1 else f"notebooks ({notebooks} a submission)"
        self._event("start", f"{total} {what} to grade{kept}", total=total, skipped=skipped)

    def _grading(self, job: Job) -> None:
        self.running[_named(job)] = time.monotonic()
        self._redraw()

    def _done(self, graded: Graded, known: dict | None = None) -> None:
        self.done += 1
        self.failed += graded.needs_a_look
        self.running.pop(_named(graded), None)
        self.slowest += [(spent, _named(graded), cell) for cell, spent in graded.seconds.items()]
        self.slowest = sorted(self.slowest, reverse=True)[:5]
        remark = f"  ({one_line(str(graded.remarks[0]))})" if graded.remarks else ""
        if graded.kept:
            tests = len(graded.tests)
            remark += f"  ({tests - graded.kept} of {tests} tests examined again)"
        standing = of_record(graded, known or {})
        line = f"{_named(graded)}: {standing.words}{remark}"
        self._event("done", line, student=graded.student, notebook=graded.notebook,
                    status=graded.status, score=graded.score, points=graded.points,
                    earned=standing.earned, judged=standing.judged, waiting=standing.waiting,
                    remarks=list(map(str, graded.remarks)), kept=graded.kept,
                    seconds=round(sum(graded.seconds.values()), 3))

    def _marked(self, seconds: float, left: int) -> None:
        if left:
            self.total, self.done, self.began = left, 0, time.monotonic()
            self._event("marked", f"all marks are in the gradebook after {seconds:.1f} s; running "
                        f"the other cells of {left}", seconds=round(seconds, 2), left=left)

    def _completed(self, graded: Graded) -> None:
        self.done += 1
        self.running.pop(_named(graded), None)
        self._event("completed", "", student=graded.student, notebook=graded.notebook)

    def finish(self, summary: Summary) -> None:
        """The last lines: how much, how fast, and what was slow."""
        graded = len(summary.results)
        rate = graded / max(summary.marks_seconds or summary.seconds, 1e-9)
        facts = {"graded": graded, "skipped": summary.skipped, "failed": self.failed,
                 "per_minute": round(60 * rate, 1), "seconds": round(summary.seconds, 2),
                 "marks_seconds": round(summary.marks_seconds, 2)}
        line = (f"{graded} graded, {summary.skipped} unchanged, {self.failed} need a look; "
                f"{summary.seconds:.1f} s, {60 * rate:.0f} marks a minute")
        self._event("end", line, slowest=self.slowest, look=summary.look, **facts)
        if self.form != "json":
            for student, why in sorted(summary.look.items()):
                print(follow_ups.sentence(student, why), file=self.stream)
        if self.form != "json" and self.slowest and self.slowest[0][0] > 1:
            cells = ", ".join(f"{cell} of {who} {spent:.1f} s" for spent, who, cell in self.slowest)
            print(f"slowest cells: {cells}", file=self.stream)

    def _event(self, event: str, line: str, **facts: object) -> None:
        if self.form == "json":
            print(json.dumps({"event": event, **facts}), file=self.stream, flush=True)
        elif self.form == "plain" and line:
            print(line, file=self.stream, flush=True)
        elif event in ("done", "completed"):
            self._redraw()
        elif line:
            print(f"\r\x1b[K{line}", file=self.stream, flush=True)

    def _redraw(self) -> None:
        if self.form != "live":
            return
        spent = max(time.monotonic() - self.began, 1e-9)
        rate = self.done / spent
        left = f"{(self.total - self.done) / rate:.0f} s left" if self.done else "starting"
        now = one_line(", ".join(sorted(self.running)), 40)
        line = (f"{self.done} of {self.total} done, {self.failed} need a look, "
                f"{60 * rate:.0f} a minute, {left}; running {now}")
        room = shutil.get_terminal_size().columns - 3  # a second row would not be wiped away
        print(f"\r\x1b[K{one_line(line, room)}", end="", file=self.stream, flush=True)


def _named(part: Job | Graded) -> str:
    """Whose notebook a job or a record is about; which one, where a homework has several."""
    own = part.notebook == part.homework
    return part.student if own else f"{part.student}, {part.notebook}"
