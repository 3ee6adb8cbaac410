"""Examine one notebook: its cells run in a sandboxed candidate, its hidden tests here.

The score of a test comes from the ledger kept here, never from what the candidate printed. What
could not be examined is "not graded" with a reason, never a zero.
"""

import json
import time
from dataclasses import dataclass, replace

from viva.seam import RUBRIC_MIME
from viva_examiner.examination import second_opinion
from viva_examiner.examination.beside import released_files
from viva_examiner.examination.hidden import HiddenCode, Ran, error_output, is_number, score_of
from viva_examiner.examination.needed import still_known
from viva_examiner.limits import MAX_LOG_BYTES, Limits
from viva_examiner.notebook.cells import Segment, judges, names_bound, names_used, split_hidden
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import Released
from viva_examiner.records import Mark
from viva_examiner.sandbox.clock import WALL_FACTOR, waited_here
from viva_examiner.sandbox.errors import (
    CandidateDied,
    CandidateError,
    CannotCross,
    EngineError,
    Undecided,
)

REVIVALS = 3  # how often a candidate that died is started again for the rest of its notebook


@dataclass
class Examined:
    """What came of a submission: the executed notebook, its marks, and what staff should know."""

    notebook: object
    marks: dict[str, Mark]
    incidents: list[str]
    seconds: dict[str, float]  # by cell id
    isolated: bool = True
    log: bytes = b""  # the submission log of this run


def _last_uses(cells) -> dict[str, int]:
    """{name: number of the last cell that uses it}."""
    return {name: number for number, cell in enumerate(cells) if cell.cell_type == "code"
            for name in names_used(cell.source)}


class Examination:
    """One submission, from its first cell to its last."""

    def __init__(self, warm, limits: Limits, student: str, released: Released, files=None,
                 known=None, skip=None):
        self.warm, self.limits, self.student = warm, limits, student
        self.skip = skip or {}  # number of a cell that is not run -> the outputs it is shown with
        self.files = {**(files or {}), **released_files(released.folder)}  # staff's come last
        self.known = known or {}  # grade_id -> mark and outputs of an earlier run that still hold
        self.hidden = HiddenCode(released, files or ())
        self.session = None
        self.ran = self.hidden.sources  # what the candidate has run, for starting it again
        self.whose = released.second_opinion
        self.undecided: set[str] = set()  # tests that an object of the candidate left open
        self.deaths, self.ended = 0, False
        self.incidents: list[str] = []
        self.shown = 0  # characters of all outputs so far
        self.started, self.waited = time.monotonic(), 0.0
        self.ours = waited_here()
        self.processor = 0.0  # seconds of the candidates that have ended

    def examine(self, notebook) -> Examined:
        """Run and examine all cells; the notebook gets their outputs."""
        marks, seconds, log = {}, {}, b""
        last_uses = _last_uses(notebook.cells)
        self.known = still_known(self.known, notebook.cells)
        try:
            self._start()
            isolated = self.session.isolated
            for index, cell in enumerate(notebook.cells):
                if cell.cell_type != "code":
                    continue
                if index in self.skip:
                    cell.outputs, cell.execution_count = self._fitting(self.skip[index]), None
                    continue
                began = time.monotonic()
                cell.outputs, cell.execution_count = [], index + 1
                if is_test(cell):
                    name = cell.metadata.nbgrader.grade_id
                    again = self._recall if name in self.known else self._test
                    later = {bound for part in split_hidden(cell.source)
                             for bound in names_bound(part.source)
                             if last_uses.get(bound, -1) > index}
                    marks[name] = again(cell, later)
                    self.hidden.end()
                else:
                    outputs, _ = self._candidate(cell.source)
                    cell.outputs = self._fitting(outputs)
                seconds[cell.get("id", str(index))] = time.monotonic() - began
            log = self._log()
            self._stop()
            second_opinion.ask(self, notebook, marks)
        finally:
            self._stop()
            self.hidden.close()
        return Examined(notebook, marks, self.incidents, seconds, isolated, log)

    def _test(self, cell, later: set[str]) -> Mark:
        """Ask one test cell's questions. `later`: names of its own that cells below it use."""
        points = float(cell.metadata.nbgrader.points)
        segments = split_hidden(cell.source)
        mark = Mark(points, points)
        value, deaths = None, self.deaths
        for index, segment in enumerate(segments):
            others = set().union(*(names_used(s.source) for s in segments if s is not segment))
            if self._is_trusted(segment, points, index == len(segments) - 1, others):
                try:
                    ran = self._ask(segment, cell, mark)
                except CannotCross as error:
                    if segment.hidden or isinstance(error, Undecided):
                        if isinstance(error, Undecided):
                            self.undecided.add(cell.metadata.nbgrader.grade_id)
                        cell.outputs.append(error_output(error))
                        return Mark(None, points, f"not graded: {error}", mark.rubric)
                    ran = None  # visible code may as well run where the student's code is
                if ran is not None and ran.fault:
                    return self._unfair(cell, mark, ran.fault)
                if ran is not None:
                    value = ran.value
                    if not segment.hidden and self.deaths == deaths and (
                            names_bound(segment.source) & later):
                        self._run(segment.source)  # for what it binds; it has been judged here
                    if ran.error is not None:
                        reason = f"{type(ran.error).__name__}: {ran.error}".strip(": ")
                        return Mark(0.0, points, reason[:300], mark.rubric)
                    continue
            outputs, error = self._candidate(segment.source)
            cell.outputs += self._fitting(outputs)
            if error is not None:
                return Mark(0.0, points, error[:300], mark.rubric)
        declared = sum(report["points"] for report in mark.rubric)
        if mark.rubric and is_number(value) and abs(declared - points) > 1e-9:
            fault = f"the exam has {declared:g} points, the cell {points:g}"
            return self._unfair(cell, mark, fault)
        mark.score, mark.reason = score_of(value, points)
        if is_number(value):  # as nbgrader shows partial credit
            data = {"text/plain": repr(mark.score)}
            cell.outputs.append({"output_type": "execute_result", "data": data, "metadata": {},
                                 "execution_count": cell.execution_count})
        return mark

    def _unfair(self, cell, mark: Mark, fault: str) -> Mark:
        """A test whose own code or points are wrong: no mark, and the place of it for the TA."""
        name = cell.metadata.nbgrader.grade_id
        self.note(f"{name} is not graded, a fault of the exam: {fault}")
        told = "This test could not be asked; it is not graded. Tell the staff."
        cell.outputs = [error_output(EngineError(told))]
        return Mark(None, mark.points, f"not graded: a fault of the exam: {fault}", mark.rubric)

    def _recall(self, cell, later: set[str]) -> Mark:
        """A test that need not be asked again: only what it binds for later cells is run."""
        kept = self.known[cell.metadata.nbgrader.grade_id]
        for segment in split_hidden(cell.source):
            if not segment.hidden and names_bound(segment.source) & later:
                self._candidate(segment.source)
        cell.outputs = kept["outputs"]
        return Mark(**kept["mark"])

    def _is_trusted(self, segment: Segment, points: float, last: bool, others: set[str]) -> bool:
        """Whether code runs here: hidden code always, visible code if a point depends on it."""
        if segment.hidden:
            return True
        return points > 0 and (last or judges(segment.source)
                               or bool(names_bound(segment.source) & others))

    def _ask(self, segment: Segment, cell, mark: Mark):
        """Run trusted code on the candidate's work; outputs and rubric go where they belong."""
        if self.session is None:
            gone = CandidateDied(self.incidents[-1] if self.incidents else "the candidate ended")
            cell.outputs.append(error_output(gone))
            return Ran(error=gone)
        seconds = max(self._left() / 2, self.limits.question_seconds)  # the tests below need some
        ran = self.hidden.run(segment.source, self.session, seconds, segment.hidden)
        if isinstance(ran.error, CannotCross):
            raise ran.error
        if ran.fault:
            return ran
        cell.outputs += ran.outputs
        for output in ran.outputs:
            if rubric := output.get("data", {}).get(RUBRIC_MIME):
                mark.rubric.append(rubric)
        if ran.error is not None:
            cell.outputs.append(error_output(ran.error, ran.line, segment.source))
        if self.session.dead:
            self._revive()
        return ran

    def _candidate(self, source: str) -> tuple[list[dict], str | None]:
        """Run a cell in the candidate: its outputs, and in words what went wrong."""
        self.hidden.names.forget(names_bound(source))
        return self._run(source)

    def _run(self, source: str) -> tuple[list[dict], str | None]:
        left = self._left()
        if self.session is None or left <= 0:
            if left <= 0 and self.session is not None:
                self.note(f"took more than {self.limits.submission_seconds:g} s in all")
                self._stop()
            reason = f"not run: {self.incidents[-1] if self.incidents else 'the candidate ended'}"
            return [error_output(CandidateDied(reason))], reason
        result = self.session.run_cell(source, min(left, self.limits.cell_seconds))
        self.ended = self.ended or result.died or result.timed_out
        if result.died:
            self._revive()
        else:
            self.ran.append(source)
        error = result.error
        return result.outputs, f"{error['ename']}: {error['evalue']}" if error else None

    def _fitting(self, outputs: list[dict]) -> list[dict]:
        """The outputs of a cell; beyond the limit of all cells, a line instead of them."""
        self.shown += len(json.dumps(outputs))
        if self.shown <= self.limits.outputs_mb << 20:
            return outputs
        self.note(f"shows more than {self.limits.outputs_mb} MB; the rest is left out")
        return [{"output_type": "stream", "name": "stdout",
                 "text": "(left out: the cells above show too much)\n"}]

    def _left(self) -> float:
        """Seconds that are left of the submission's time; waiting for a processor is no part."""
        wall, limit = time.monotonic() - self.started, self.limits.submission_seconds
        waited = self.waited + (self.session.waited_so_far() if self.session else 0.0)
        waited += waited_here() - self.ours
        return min(limit - wall + waited, WALL_FACTOR * limit - wall)

    def _start(self) -> None:
        """A candidate, with what its predecessors left of the submission's time."""
        left = min(self._left(), self.limits.submission_seconds - self.processor)
        limits = replace(self.limits, submission_seconds=max(1.0, round(left, 1)))
        self.session = self.warm.fork(student=self.student, files=self.files, limits=limits)

    def _stop(self) -> None:
        if self.session is not None:
            for incident in self.session.incidents:
                self.note(incident)
            self.session.close()
            self.waited += self.session.waited
            self.processor += self.session.usage.get("cpu_seconds", 0.0)
            self.session = None

    def _revive(self) -> None:
        """Start the candidate again and replay what it had run, for the rest of its notebook."""
        self._stop()
        self.deaths += 1
        if self.deaths > REVIVALS:
            self.note(f"died {self.deaths} times; the rest was not run")
            return
        self._start()
        for source in self.ran:
            left = self._left()
            if left <= 0 or self.session.run_cell(source, min(left, self.limits.cell_seconds)).died:
                self.note("could not be started again; the rest was not run")
                self._stop()
                return

    def _log(self) -> bytes:
        """The submission log that this run wrote; empty if the notebook keeps none."""
        if self.session is None or not any("viva" in source for source in self.ran):
            return b""
        try:
            text = self.session.call_beside("viva.log", "log_text", [], {})
        except (CandidateError, CannotCross):
            return b""
        return text.encode() if isinstance(text, str) and len(text) <= MAX_LOG_BYTES else b""

    def note(self, incident: str) -> None:
        if incident not in self.incidents:
            self.incidents.append(incident)
