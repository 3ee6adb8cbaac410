"""Examine one notebook: a judge of its own runs the test code, and what it says is checked.

No line of a test runs in this process. The judge is a process per submission that reaches nothing
but this submission (`judges`, `judge`); what comes back is one bounded record (`judge_record`).
What could not be examined is "not graded" with a reason, never a zero.
"""

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass

from nbformat import NotebookNode

from viva_examiner.examination.judge_record import BadRecord, JudgeTask, Record, checked
from viva_examiner.examination.judges import Judge, Judges, judges_of
from viva_examiner.examination.seed import handed_over
from viva_examiner.examination.work_folder import released_files
from viva_examiner.limits import Limits
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import Released
from viva_examiner.records import Kind, KnownMark, Mark, Remark
from viva_examiner.sandbox.attendant import Attendant
from viva_examiner.sandbox.clock import WALL_FACTOR
from viva_examiner.sandbox.errors import EngineError, MalformedMessage
from viva_examiner.sandbox.inside.protocol import Control
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.life import how_it_ended
from viva_examiner.sandbox.wire import ConnectionClosed, DeadlinePassed

MAX_WORDS = 5_000  # of a failure
SPARE_SECONDS = 30.0  # beyond all limits of its own, before a judge that says nothing is ended


@dataclass
class Examined:
    """What came of a submission: the executed notebook, its marks, and what staff should know."""

    notebook: NotebookNode
    marks: dict[str, Mark]
    incidents: list[Remark]
    seconds: dict[str, float]  # by cell id
    isolated: bool = True
    log: bytes = b""  # the submission log of this run


class Examination:
    """One submission, from its first cell to its last."""

    def __init__(self, warm: WarmInterpreter, limits: Limits, student: str, released: Released,
                 files: Mapping[str, bytes] | None = None,
                 known: Mapping[str, KnownMark] | None = None,
                 skip: Mapping[int, list] | None = None):
        self.warm, self.limits, self.student, self.released = warm, limits, student, released
        self.files, self.known, self.skip = dict(files or {}), dict(known or {}), dict(skip or {})

    def examine(self, notebook: NotebookNode) -> Examined:
        """Run and examine all cells; the notebook gets their outputs. Raises EngineError."""
        judges, began = judges_of(self.warm, self.released), time.monotonic()
        word = secrets.token_hex(16)
        # a judge keeps to its own limits; this is for one that hangs inside a call of C
        longest = (WALL_FACTOR + 1) * self.limits.submission_seconds + SPARE_SECONDS
        with judges.judge(self.limits) as judge:
            try:
                judge.send(self._job(notebook, judges, word), began + longest)
                record = self._attended(judge, notebook, began + longest, word)
            except DeadlinePassed:
                return self._stuck(notebook, longest)
            except ConnectionClosed:
                why = how_it_ended(judge.end(), judge.limits).text
                raise EngineError(f"the process of the tests {why}") from None
            except (MalformedMessage, BadRecord) as error:
                raise EngineError(f"the record of the tests cannot be trusted: {error}") from None
        judges.keep(record, self.released)
        for index, shown in record.shown.items():
            cell = notebook.cells[int(index)]
            cell.outputs, cell.execution_count = list(shown.outputs), shown.count
        return Examined(notebook, record.marks, list(record.incidents), record.seconds,
                        self.warm.isolated, record.log.encode())

    def _job(self, notebook: NotebookNode, judges: Judges, word: str) -> JudgeTask:
        return JudgeTask(self.released.to_json(), self.limits, self.student, self.files,
                   released_files(self.released.folder), self.known,
                   {str(number): tuple(shown) for number, shown in self.skip.items()},
                   json.dumps(notebook), handed_over(),
                   judges.kept_answers(self.released), judges.rests_on, word)

    def _attended(self, judge: Judge, notebook: NotebookNode, deadline: float,
                  word: str) -> Record:
        """Serve the judge until it has said what it found; that, checked."""
        attendant = Attendant(self.warm, self.student, self.limits)
        try:
            while (message := judge.hear(deadline)).get("op") != Control.RECORD:
                reply, files = attendant.answer(message)
                judge.reply(reply, files)
        finally:
            attendant.close()
        if message.get("word") != word:
            raise MalformedMessage("not the judge's own")
        if failed := message.get("failed"):
            if failed == "memory":
                raise MemoryError
            raise EngineError(str(failed)[:MAX_WORDS])
        return checked(judge.record(deadline), notebook)

    def _stuck(self, notebook: NotebookNode, seconds: float) -> Examined:
        """A test that does not end, whatever is done: nothing is known of any mark."""
        why = f"a test did not end within {seconds:g} s with its answers"
        marks = {cell.metadata.nbgrader.grade_id:
                 Mark(None, float(cell.metadata.nbgrader.points), f"not graded: {why}")
                 for cell in notebook.cells if is_test(cell)}
        return Examined(notebook, marks, [Remark(Kind.TIME, f"not graded: {why}")], {"": seconds},
                        self.warm.isolated)
