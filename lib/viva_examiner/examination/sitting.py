"""Examine one notebook, inside a judge: its cells run in a candidate, its test code here.

The score of a test comes from the ledger kept here, never from what the candidate printed. What
could not be examined is "not graded" with a reason, never a zero.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import replace

from nbformat import NotebookNode

from viva.seam import RUBRIC_MIME
from viva_examiner.examination import second_opinion
from viva_examiner.examination.hidden import HiddenCode, RunResult, error_output
from viva_examiner.examination.judge_record import CellOutput, Record
from viva_examiner.examination.needed import still_known
from viva_examiner.examination.restarts import Restarting
from viva_examiner.examination.scores import NO_SCORE, is_number, one_number, score_of
from viva_examiner.limits import MAX_LOG_BYTES, Limits
from viva_examiner.notebook.cells import (
    Segment,
    judges,
    names_bound,
    names_perhaps_bound,
    names_used,
    split_hidden,
)
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import Released
from viva_examiner.records import Kind, KnownMark, Mark, Rubric
from viva_examiner.sandbox.errors import (
    CandidateDied,
    CandidateError,
    CannotCross,
    EngineError,
    Undecided,
)
from viva_examiner.sandbox.remote import RemoteInterpreter
from viva_examiner.sandbox.session import Session


def _last_uses(cells: list[NotebookNode]) -> dict[str, int]:
    """{name: number of the last cell that uses it}."""
    return {name: number for number, cell in enumerate(cells) if cell.cell_type == "code"
            for name in names_used(cell.source)}


class Sitting(Restarting):
    """One submission, from its first cell to its last.

    warm: forks its candidates
    files: that lay beside the notebook; staffs: those of the released folder
    known: grade_id -> mark and outputs of an earlier run that still hold
    skip: number of a cell that is not run -> the outputs it is shown with
    """

    def __init__(self, warm: RemoteInterpreter, limits: Limits, student: str, released: Released,
                 files: Mapping[str, bytes], staffs: Mapping[str, bytes],
                 known: Mapping[str, KnownMark], skip: Mapping[int, list]) -> None:
        self.hidden = HiddenCode(released, files, staffs)
        super().__init__(warm, limits, student, {**files, **staffs}, self.hidden.sources)
        self.known, self.skip = dict(known), skip
        self.whose = released.second_opinion
        self.undecided: set[str] = set()  # tests that an object of the candidate left open
        self.unseen: dict[str, set[str]] = {}  # by test: what one kernel would have shown to it
        self.ended = False  # whether a cell of the notebook died or ran too long
        self.shown = 0  # characters of all outputs so far

    def examine(self, notebook: NotebookNode) -> Record:
        """Run and examine all cells; the notebook gets their outputs, and so does the record."""
        marks: dict[str, Mark] = {}
        seconds: dict[str, float] = {}
        log = b""
        last_uses = _last_uses(notebook.cells)
        self.known = still_known(self.known, notebook.cells)
        try:
            self._start()
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
        shown = {str(index): CellOutput(tuple(cell.outputs), cell.execution_count)
                 for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
        return Record(marks, shown, tuple(self.incidents), seconds, log.decode())

    def _test(self, cell: NotebookNode, later: set[str]) -> Mark:
        """Ask one test cell's questions. `later`: names of its own that cells below it use."""
        points = float(cell.metadata.nbgrader.points)
        segments = split_hidden(cell.source)
        mark = Mark(points, points)
        value, deaths = None, self.deaths
        for index, segment in enumerate(segments):
            others = set().union(*(names_used(s.source) for s in segments if s is not segment))
            if self._is_trusted(segment, points, index == len(segments) - 1, others):
                try:
                    ran, rubric = self._ask(segment, cell)
                    mark = replace(mark, rubric=mark.rubric + rubric)
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
                    name = cell.metadata.nbgrader.grade_id
                    self.unseen.setdefault(name, set()).update(ran.unseen)
                    value = ran.value
                    if not segment.hidden and self.deaths == deaths and (
                            names_bound(segment.source) & later) and self.session is not None:
                        self._hand_over(segment.source, self.session)
                    if ran.error is not None:
                        reason = f"{type(ran.error).__name__}: {ran.error}".strip(": ")
                        return Mark(0.0, points, reason[:300], mark.rubric)
                    continue
            outputs, wrong = self._candidate(segment.source)
            cell.outputs += self._fitting(outputs)
            if wrong is not None:
                return Mark(0.0, points, wrong[:300], mark.rubric)
        if not any(judges(segment.source) for segment in segments):
            value = one_number(value)
            if value is NO_SCORE:
                return Mark(None, points, "not graded: the test asserts nothing, and what it ends "
                            "in is not a score", mark.rubric)
        declared = sum(rubric.points for rubric in mark.rubric)
        if mark.rubric and is_number(value) and abs(declared - points) > 1e-9:
            fault = f"the exam has {declared:g} points, the cell {points:g}"
            return self._unfair(cell, mark, fault)
        score, reason = score_of(value, points)
        mark = replace(mark, score=score, reason=reason)
        if is_number(value):  # as nbgrader shows partial credit
            data = {"text/plain": repr(mark.score)}
            cell.outputs.append({"output_type": "execute_result", "data": data, "metadata": {},
                                 "execution_count": cell.execution_count})
        return mark

    def _unfair(self, cell: NotebookNode, mark: Mark, fault: str) -> Mark:
        """A test whose own code or points are wrong: no mark, and the place of it for the TA."""
        name = cell.metadata.nbgrader.grade_id
        self.note(Kind.EXAM, f"{name} is not graded, a fault of the exam: {fault}")
        words = "This test could not be run, so it is not graded. Tell the staff."
        cell.outputs = [error_output(EngineError(words))]
        return Mark(None, mark.points, f"not graded: a fault of the exam: {fault}", mark.rubric)

    def _recall(self, cell: NotebookNode, later: set[str]) -> Mark:
        """A test that need not be asked again: only what it binds for later cells is run."""
        kept = self.known[cell.metadata.nbgrader.grade_id]
        for segment in split_hidden(cell.source):
            if not segment.hidden and names_bound(segment.source) & later:
                self._candidate(segment.source)
        cell.outputs = list(kept.outputs)
        return kept.mark

    def _is_trusted(self, segment: Segment, points: float, last: bool, others: set[str]) -> bool:
        """Whether code runs here: hidden code always, visible code if a point depends on it."""
        if segment.hidden:
            return True
        return points > 0 and (last or judges(segment.source)
                               or bool(names_bound(segment.source) & others))

    def _ask(self, segment: Segment, cell: NotebookNode) -> tuple[RunResult, tuple[Rubric, ...]]:
        """Run trusted code on the candidate's work; outputs and rubric go where they belong."""
        left = self.left()
        if left <= 0:
            self._out_of_time()
        if self.session is None:
            gone = CandidateDied(self._why_gone())
            cell.outputs.append(error_output(gone))
            return RunResult(error=gone), ()
        seconds = max(left / 2, min(self.limits.question_seconds, left))  # tests below need some
        ran = self.hidden.run(segment.source, self.session, seconds, segment.hidden)
        if isinstance(ran.error, CannotCross):
            raise ran.error
        if ran.fault:
            return ran, ()
        cell.outputs += ran.outputs
        rubric = tuple(Rubric.from_plain(shown) for output in ran.outputs
                       if (shown := output.get("data", {}).get(RUBRIC_MIME)))
        if ran.error is not None:
            cell.outputs.append(error_output(ran.error, ran.line, segment.source))
        if self.session.dead:
            self._revive()
        return ran, rubric

    def _candidate(self, source: str) -> tuple[list[dict], str | None]:
        """Run a cell in the candidate: its outputs, and in words what went wrong."""
        names = self.hidden.names
        names.forget(names_perhaps_bound(source) | names.shared(names_used(source)))
        return self._run(source)

    def _hand_over(self, source: str, session: Session) -> None:
        """What a visible test has bound, for the cells below it: definitions are run over there,
        data goes over. Only what can do neither is run once more, with the student's functions.
        """
        definitions, data = self.hidden.handed_over(source)
        if data is None or not all(map(session.can_send, data.values())):
            self._run(source)
            return
        if definitions:
            session.run_cell(definitions, self.limits.cell_seconds)
        if session.dead is None:
            session.bind(data)
        self.ran.append(source)  # for a candidate that is started again

    def _run(self, source: str) -> tuple[list[dict], str | None]:
        left = self.left()
        if left <= 0:
            self._out_of_time()
        if self.session is None:
            reason = f"not run: {self._why_gone()}"
            return [error_output(CandidateDied(reason))], reason
        result = self.session.run_cell(source, min(left, self.limits.cell_seconds))
        self.ended = self.ended or result.died or result.timed_out
        if result.died:
            self._revive()
        else:
            self.ran.append(source)
        error = result.error
        return result.outputs, f"{error['ename']}: {error['evalue']}" if error else None

    def _why_gone(self) -> str:
        return self.incidents[-1].text if self.incidents else "the candidate ended"

    def _fitting(self, outputs: list[dict]) -> list[dict]:
        """The outputs of a cell; beyond the limit of all cells, a line instead of them."""
        self.shown += len(json.dumps(outputs))
        if self.shown <= self.limits.outputs_mb << 20:
            return outputs
        self.note(Kind.CUT, f"shows more than {self.limits.outputs_mb} MB; the rest is left out")
        return [{"output_type": "stream", "name": "stdout",
                 "text": "(left out: the cells above show too much)\n"}]

    def _log(self) -> bytes:
        """The submission log that this run wrote; empty if the notebook keeps none."""
        if self.session is None or not any("viva" in source for source in self.ran):
            return b""
        try:
            text = self.session.call_in_candidate("viva.log", "log_text", [], {})
        except (CandidateError, CannotCross):
            return b""
        return text.encode() if isinstance(text, str) and len(text) <= MAX_LOG_BYTES else b""
