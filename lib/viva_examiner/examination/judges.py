"""Judges: a process per submission in which all test code runs, kept apart as a candidate is.

They are forked from a mother of their own, which has the course's library imported and has never
seen a submission. A judge sees the examiner, the library and the libraries of Python, read-only;
no gradebook, no other submission, no network; it is not root and has a scratch disk of its own.
"""

import contextlib
import functools
import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from viva import plain
from viva.unbroken import read_json
from viva.whole import write_whole
from viva_examiner.examination.judge_record import JudgeTask, Record
from viva_examiner.limits import Limits
from viva_examiner.notebook.cells import imports_in
from viva_examiner.notebook.released import Released
from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.clock import WALL_FACTOR
from viva_examiner.sandbox.errors import MalformedMessage
from viva_examiner.sandbox.inside import frames
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.process import Candidate
from viva_examiner.sandbox.warm_process import WarmProcess
from viva_examiner.sandbox.wire import ConnectionClosed, Wire

TENANT = "viva_examiner.examination.judge"
MAX_MESSAGE = 1 << 28  # bytes of a record with all its outputs
ANSWER = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)+")  # exercise, what, digest
MAX_NODES = 5_000_000  # of one answer


class Judges(WarmProcess):
    """The mother of judges.

    modules: packages that they find imported: the course's library, and what else tests import
    homeworks: whose exams are loaded before the first judge
    released: of the notebooks to come, where they are known: what is read off them is read once
    answers: the folder of what the library keeps between runs; "" if it keeps nothing
    rests_on: a digest of what else those answers rest on, apart from the library
    witness: whether the library notes what every question asks and gets
    """

    def __init__(self, preload: Iterable[str], hide: Iterable[str] = (),
                 way: str = isolation.NAMESPACES, modules: Iterable[str] = (),
                 homeworks: Iterable[str] = (), released: Iterable[Released] = (),
                 answers: str = "", rests_on: str = "", witness: bool = False):
        self.modules, released = frozenset(modules), tuple(released)
        self.answers, self.rests_on = answers, rests_on
        sources = {cell.source for each in released for cell in each.cells}
        sources |= {source for each in released for source in each.ordinary}
        super().__init__("judge", way, lambda stage, uid: isolation.plan_of_judge(
            stage, TENANT, tuple(preload), sorted(self.modules), hide, way, tuple(homeworks), uid,
        ) | {"sources": sorted(sources), "witness": witness})

    def is_alive(self) -> bool:
        return not self.process.wait(0)

    @contextlib.contextmanager
    def judge(self, limits: Limits) -> Iterator["Judge"]:
        """A judge for one submission, ended with the block."""
        seconds = (WALL_FACTOR + 1) * limits.submission_seconds
        own = replace(Limits(), memory_mb=limits.tests_mb, submission_seconds=seconds)
        wire, pidfd = self.start_tenant(own.as_dict(), {"MPLBACKEND": "agg"}, MAX_MESSAGE)
        judge = Judge(self, wire, Candidate(pidfd), own)
        try:
            yield judge
        finally:
            judge.end()

    def kept_answers(self, released: Released) -> dict[str, bytes]:
        """{name: bytes} of what the library has kept for the exercises of this homework."""
        folder = Path(self.answers)
        if not self.answers or not folder.is_dir():
            return {}
        asked = exercises_in(released)
        found = {path.name: path for path in folder.iterdir()
                 if ANSWER.fullmatch(path.name) and path.name.partition("-")[0] in asked}
        return {name: _read(path, path.stat().st_mtime_ns) for name, path in found.items()}

    def keep(self, record: Record, released: Released) -> None:
        """Write down what the library would keep: well-formed, about this homework, and new.

        What is there already stays: no judge replaces an answer that others rely on.
        """
        if not self.answers:
            return
        folder, asked = Path(self.answers), exercises_in(released)
        for name, data in record.answers.items():
            path = folder / name
            if not ANSWER.fullmatch(name) or name.partition("-")[0] not in asked or path.exists():
                continue
            with contextlib.suppress(plain.Malformed, OSError):  # computed again next time
                plain.unpack(data, max_nodes=MAX_NODES)
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                for old in folder.glob(f"{name.rpartition('-')[0]}-*"):
                    old.unlink(missing_ok=True)
                write_whole(path, data, mode=0o600)


class Judge:
    """One judge, from the worker's side."""

    def __init__(self, judges: Judges, wire: Wire, process: Candidate, limits: Limits):
        self.judges, self.wire, self.process, self.limits = judges, wire, process, limits
        self.usage: dict | None = None

    def send(self, job: JudgeTask, deadline: float) -> None:
        self.wire.send(job.to_bytes(), deadline)

    def hear(self, deadline: float) -> dict:
        """Its next message. Raises DeadlinePassed, Gone or Malformed."""
        try:
            message = read_json(self.wire.receive(deadline))
        except (ValueError, RecursionError):
            raise MalformedMessage("not a message") from None
        if type(message) is not dict:
            raise MalformedMessage("not a message")
        return message

    def record(self, deadline: float) -> Record:
        """The record that a message has announced. Raises DeadlinePassed, Gone or Malformed."""
        try:
            return Record.from_bytes(self.wire.receive(deadline))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise MalformedMessage(f"not a record: {error}"[:300]) from None

    def reply(self, message: dict, files: list[int]) -> None:
        """Answer a question; the files are closed here afterwards. Raises Gone."""
        try:
            frames.send_json(self.wire.sock, message, files)
        except OSError:
            raise ConnectionClosed from None
        finally:
            for each in files:
                os.close(each)

    def end(self) -> dict:
        """Kill it if it lives, and wait until it is reaped; its last account."""
        if self.usage is None:
            self.process.signal(9)
            self.usage = self.judges.buried()
            self.process.close()
            self.wire.close()
        return self.usage


def judges_of(warm: WarmInterpreter, released: Released) -> Judges:
    """The mother of the judges who ask this interpreter's candidates; started when first needed."""
    needed = modules_of(released)
    judges = warm.judges if isinstance(warm.judges, Judges) else None
    if judges is not None and (not needed <= judges.modules or not judges.is_alive()):
        needed |= judges.modules
        judges.close()
        judges = None
    if judges is None:
        judges = warm.judges = Judges(warm.preload, warm.hide, warm.way, needed,
                                      (released.homework,), (released,))
    return judges


@functools.lru_cache(maxsize=16)
def _modules(sources: tuple[str, ...]) -> frozenset[str]:
    named = {module.partition(".")[0] for source in sources
             for module, _ in imports_in(source).values()}
    return frozenset(name for name in named if _is_of_the_course(name))


def modules_of(released: Released) -> frozenset[str]:
    """The packages outside of Python's own folders that tests of a notebook import."""
    return _modules(tuple(cell.source for cell in released.cells if cell.grade))


def _is_of_the_course(name: str) -> bool:
    if name in sys.stdlib_module_names:
        return False
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None and not spec.origin.startswith(
        (sys.prefix, sys.base_prefix))


def exercises_in(released: Released) -> frozenset[str]:
    """The words that tests of a notebook write in quotes: their exercises are among them."""
    return frozenset(word for cell in released.cells if cell.grade
                     for word in re.findall(r"""["'](\w+)["']""", cell.source))


@functools.lru_cache(maxsize=64)
def _read(path: Path, stamp: int) -> bytes:
    return path.read_bytes()
