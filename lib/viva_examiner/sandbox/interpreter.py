"""The examiner's handle on a warm interpreter, and the start of each candidate."""

import contextlib
from collections.abc import Iterable

from viva_examiner.limits import Limits
from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.errors import EngineError
from viva_examiner.sandbox.preload import PRELOAD
from viva_examiner.sandbox.process import Candidate
from viva_examiner.sandbox.session import Session
from viva_examiner.sandbox.warm_process import WarmProcess
from viva_examiner.sandbox.wire import Wire

INLINE = "module://matplotlib_inline.backend_inline"


class WarmInterpreter(WarmProcess):
    """One warm interpreter; forks one candidate at a time. Use it in a `with`.

    preload: modules that every candidate finds imported
    hide: further packages or paths that no candidate may see (the course's folder)
    way: how candidates are kept apart; without isolation every session has `isolated == False`
    homeworks: whose part of the kit is loaded before a candidate starts; of all if empty
    """

    def __init__(self, preload: Iterable[str] = PRELOAD, limits: Limits | None = None,
                 hide: Iterable[str] = (), way: str = isolation.NAMESPACES,
                 homeworks: Iterable[str] = ()):
        self.limits = limits or Limits()
        self.preload, self.hide, self.way = tuple(preload), tuple(hide), way
        self.session: Session | None = None
        self.judges: WarmProcess | None = None  # whoever asks its candidates in this process
        super().__init__("candidate", way, lambda stage, uid: isolation.plan(
            stage, self.preload, self.hide, way, homeworks, uid=uid))
        self.wait_until_ready()

    def fork(self, student: str = "", files: dict | None = None,
             limits: Limits | None = None) -> Session:
        """A candidate in its own cage, with the submission's files in its working directory."""
        if self.session is not None and self.session.dead is None:
            raise EngineError("the candidate before is still open")
        limits = limits or self.limits
        wire, process = self.start(student, limits)
        self.session = session = Session(self, wire, process, limits, self.isolated)
        session.start(dict(files or {}))
        return session

    def start(self, student: str, limits: Limits) -> tuple[Wire, Candidate]:
        """The process of a candidate, and the wire to it; nobody has spoken to it yet."""
        environment = {"MPLBACKEND": INLINE, "VIVA_STUDENT": str(student)}
        wire, pidfd = self.start_tenant(limits.as_dict(), environment, limits.message_mb << 20)
        return wire, Candidate(pidfd)

    def bury(self, session: Session) -> dict:
        """Wait until the warm interpreter has reaped a killed candidate; its last account."""
        return self.buried()

    def close(self) -> None:
        """End the candidate, the warm interpreter and everything below them."""
        if self.judges is not None:
            self.judges.close()
        if self.session is not None and self.session.dead is None:
            with contextlib.suppress(EngineError):
                self.session.close()
        super().close()
