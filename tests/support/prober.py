"""A tenant of a judge's cage that runs whatever it is sent: for asking what a judge could do."""

import contextlib
import io
import json
from types import SimpleNamespace

from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.isolation import plan_of_judge
from viva_examiner.sandbox.life import how_it_ended
from viva_examiner.sandbox.process import Candidate
from viva_examiner.sandbox.warm_process import WarmProcess
from viva_examiner.sandbox.wire import ConnectionClosed

SECONDS = 60


def prepare(plan: dict) -> None:
    """Nothing: what a judge has imported is no part of its cage."""


def serve(sock, limits: dict) -> None:
    """Inside: run one text after the other, and say what it printed or raised."""
    names: dict = {}
    with contextlib.suppress(EOFError):
        while source := frames.receive(sock).decode():
            printed, reply = io.StringIO(), {}
            try:
                with contextlib.redirect_stdout(printed):
                    exec(source, names)
            except BaseException as error:
                reply["ename"] = type(error).__name__
            frames.send(sock, json.dumps(reply | {"text": printed.getvalue()}).encode())


class Judges(WarmProcess):
    """Judges that can be asked to run anything, in the cage of a judge."""

    def __init__(self, way: str, limits, preload=("numpy",), hide=()):
        self.limits = limits
        super().__init__("judge", way, lambda stage, uid: plan_of_judge(
            stage, "prober", preload, hide=hide, way=way, uid=uid))

    def fork(self, *_) -> "Probe":
        return Probe(self)


class Probe:
    """One such judge, with as much of a session as the conformance suite asks for."""

    def __init__(self, judges: Judges):
        self.judges, self.limits, self.isolated = judges, judges.limits, judges.isolated
        self.wire, pidfd = judges.start_tenant(judges.limits.as_dict(), {}, 1 << 20)
        self.process, self.dead = Candidate(pidfd), None

    def run_cell(self, source: str) -> SimpleNamespace:
        import time

        deadline = time.monotonic() + SECONDS
        try:
            self.wire.send(source.encode(), deadline)
            reply = json.loads(self.wire.receive(deadline))
        except ConnectionClosed:
            self.process.has_left(1)  # of itself: how it ended is asked for
            self._end()
            return SimpleNamespace(died=True, outputs=[], error={"ename": "died"})
        error = {"ename": reply["ename"]} if "ename" in reply else None
        return SimpleNamespace(died=False, outputs=[{"text": reply["text"]}], error=error)

    def _end(self) -> None:
        if self.dead is None:
            self.process.signal(9)
            self.dead = how_it_ended(self.judges.buried(), self.limits).text
            self.process.close()
            self.wire.close()

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, *_) -> None:
        self._end()
