"""The candidates of one submission, one after the other, on one account of time."""

import time
from collections.abc import Mapping
from dataclasses import replace

from viva_examiner.limits import Limits
from viva_examiner.records import Kind, Remark
from viva_examiner.sandbox.clock import WALL_FACTOR, waited_here
from viva_examiner.sandbox.remote import RemoteInterpreter
from viva_examiner.sandbox.session import Session

REVIVALS = 3  # how often a candidate that died is started again for the rest of its notebook


class Restarting:
    """A candidate, and those that are started again when it dies.

    ran: the cells that the candidate has run, for starting it again
    """

    def __init__(self, warm: RemoteInterpreter, limits: Limits, student: str,
                 files: Mapping[str, bytes], ran: list[str]):
        self.warm, self.limits, self.student, self.files = warm, limits, student, files
        self.ran = ran
        self.session: Session | None = None
        self.deaths = 0
        self.incidents: list[Remark] = []
        self.started, self.waited = time.monotonic(), 0.0
        self.ours = waited_here()
        self.processor = 0.0  # seconds of the candidates that have ended

    def left(self) -> float:
        """Seconds that are left of the submission's time; waiting for a processor is no part."""
        wall, limit = time.monotonic() - self.started, self.limits.submission_seconds
        waited = self.waited + (self.session.waited_so_far() if self.session else 0.0)
        waited += waited_here() - self.ours
        return min(limit - wall + waited, WALL_FACTOR * limit - wall)

    def _start(self) -> Session:
        """A candidate, with what its predecessors left of the submission's time."""
        left = min(self.left(), self.limits.submission_seconds - self.processor)
        limits = replace(self.limits, submission_seconds=max(1.0, round(left, 1)))
        self.session = self.warm.fork(student=self.student, files=self.files, limits=limits)
        return self.session

    def _stop(self) -> None:
        if self.session is not None:
            for incident in self.session.incidents:
                self.note(incident.kind, incident.text)
            self.session.close()
            self.waited += self.session.waited
            self.processor += self.session.usage.get("cpu_seconds", 0.0)
            self.session = None

    def _revive(self) -> None:
        """Start the candidate again and replay what it had run, for the rest of its notebook."""
        self._stop()
        self.deaths += 1
        if self.deaths > REVIVALS:
            self.note(Kind.NOT_RUN, f"died {self.deaths} times; the rest was not run")
            return
        session = self._start()
        for source in self.ran:
            left = self.left()
            if left <= 0 or session.run_cell(source, min(left, self.limits.cell_seconds)).died:
                self.note(Kind.NOT_RUN, "could not be started again; the rest was not run")
                self._stop()
                return

    def _out_of_time(self) -> None:
        if self.session is not None:
            self.note(Kind.TOTAL_TIME,
                      f"took more than {self.limits.submission_seconds:g} s in all")
            self._stop()

    def note(self, kind: Kind, text: str) -> None:
        if (remark := Remark(kind, text)) not in self.incidents:
            self.incidents.append(remark)
