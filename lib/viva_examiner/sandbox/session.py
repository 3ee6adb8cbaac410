"""One candidate, as the examiner uses it: run cells, resolve names, call what they define."""

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from viva_examiner.records import Kind
from viva_examiner.sandbox.bridge import proxies
from viva_examiner.sandbox.bridge.codec import Codec
from viva_examiner.sandbox.bridge.forwarding import Global, handle_of
from viva_examiner.sandbox.bridge.kept_values import KeptValues
from viva_examiner.sandbox.bridge.seeds import forwarded_seeds
from viva_examiner.sandbox.conversation import Conversation
from viva_examiner.sandbox.errors import (
    CandidateDied,
    CandidateError,
    CandidateTimeout,
    CannotCross,
    EngineError,
)
from viva_examiner.sandbox.inside.protocol import Op
from viva_examiner.sandbox.outputs import CellResult, Collector, clean

PIECE = 8 << 20  # bytes of a file that cross at once


class Session(Conversation):
    """What can be asked of a candidate."""

    def __init__(self, *life: Any) -> None:
        super().__init__(*life)
        self.codec = Codec(self)
        self.cells = 0
        self.calls = 0  # of student code, each of which may change what a name stands for
        self.handed_over = 0  # calls of a test with arguments, from which student code may learn
        self.question_seconds = self.limits.question_seconds
        self.files_known: dict[str, str] = {}
        # called after each call of a test, which may have written files
        self.after_call: Callable[[], None] | None = None
        self.known_as: dict[int, set[str]] = {}  # handle of a function -> names in this test
        # functions that change their arguments, by staff's own word
        self.changes: frozenset[str] = frozenset()
        self.hung: dict[object, str] = {}  # what took too long in this test: no second question
        self.kept = KeptValues()  # what has crossed in this test
        self.unseen: set[str] = set()  # what one kernel would have shown to the test and this not

    def start(self, files: dict) -> None:
        """Hand over the files of the submission; a failure here is the engine's."""
        try:
            arrays = {name: np.frombuffer(data, np.uint8) for name, data in files.items()}
            small = {name: data for name, data in arrays.items() if len(data) <= PIECE}
            self.demand({"op": Op.START, "files": small}, 30)
            for name in arrays.keys() - small.keys():
                for first in range(0, len(arrays[name]), PIECE):
                    piece = arrays[name][first:first + PIECE]
                    self.demand({"op": Op.APPEND, "name": name, "data": piece}, 30)
        except CandidateError as error:
            raise EngineError(f"the candidate could not be started: {error}") from None

    def run_cell(self, source: str, seconds: float | None = None) -> CellResult:
        """Run a cell in the candidate's IPython shell."""
        seconds = self.limits.cell_seconds if seconds is None else seconds
        self.alive()
        self.cells += 1
        self.collector = Collector(self.limits.output_kb, self.cells)
        result = CellResult()
        began = time.monotonic()
        try:
            reply = self.demand({"op": Op.CELL, "source": source}, seconds)
            cpu = reply.get("cpu")
            result.cpu_seconds = float(cpu) if type(cpu) is float and cpu >= 0 else 0.0
            if reply.get("failed") is True and self.collector.error is None:
                self.collector.fail("Exception", "The cell failed without saying why.")
        except CandidateTimeout:
            result.timed_out = True
            self.collector.fail("CellTimeoutError", f"the cell ran longer than {seconds:g} s")
        except CandidateDied as error:
            result.died, result.timed_out = True, error.kind is Kind.TIME
            kind = "CellTimeoutError" if result.timed_out else "DeadKernelError"
            self.collector.fail(kind, f"The notebook's process ended: {error.reason}.")
        except CandidateError as error:
            self.collector.fail(type(error).__name__, clean(str(error)))
        result.seconds = time.monotonic() - began
        result.outputs, result.error = self.collector.outputs, self.collector.error
        self.collector = None
        return result

    def resolve(self, names: Collection[str]) -> dict:
        """The candidate's global names as data, proxies or ModuleName; undefined are absent."""
        found = self._resolve(names)
        self.codec.named.clear()  # a class that an earlier test named judges nothing in this one
        self.known_as.clear()
        for name, item in found.items():
            self.know(item, name)
            if isinstance(item, proxies.ClassProxy):
                self.codec.named.add(handle_of(item))
        return found

    def know(self, item: object, name: str) -> None:
        """Remember under which name a test got a function: its own word for it proves nothing."""
        if isinstance(item, proxies.FunctionProxy):
            self.known_as.setdefault(handle_of(item), set()).add(name)

    def may_change(self, target: object, argument: int | str = "") -> bool:
        """Whether a function may show changes of its arguments with a result, or of this one.

        That is so if staff's own version changes them, under every name that the test knows.
        """
        names = self.known_as.get(handle_of(target), set()) if isinstance(
            target, proxies.Proxy) else set()
        return bool(names) and (names <= self.changes or {
            f"{name}:{argument}" for name in names} <= self.changes)

    def bind(self, values: dict) -> None:
        """Give names of the candidate's notebook these values: data, or objects of its own."""
        self.demand({"op": Op.RESOLVE, "names": [], "several": True, "bind": values},
                    self.question_seconds)

    def look_up(self, name: str) -> dict:
        """One global name, of any size; empty if it is undefined."""
        return self._resolve([name], several=False)

    def _resolve(self, names: Collection[str], several: bool = True) -> dict:
        message = {"op": Op.RESOLVE, "names": list(names), "several": several}
        value = self.demand(message, self.question_seconds)
        found = value.get("value")
        if not isinstance(found, dict):
            self.die("sent a malformed frame")
        return {name: item for name, item in found.items() if name in names}

    def files_written(self, suffixes: Collection[str]) -> dict[str, bytes]:
        """Files with these suffixes that the candidate's code has written since the last time."""
        message = {"op": Op.FILES, "known": self.files_known, "suffixes": list(suffixes)}
        written, found = self.demand(message, self.question_seconds).get("value"), {}
        for name, about in written.items() if isinstance(written, dict) else ():
            if _is_file_name(name) and name.lower().endswith(tuple(suffixes)) and (
                    isinstance(about, tuple) and len(about) == 2
                    and isinstance(about[1], np.ndarray)):
                self.files_known[name] = clean(about[0], 100)
                found[name] = about[1].tobytes()
        return found

    def can_send(self, value: object) -> bool:
        """Whether a value may cross to the candidate."""
        try:
            return len(self.codec.pack({"value": value}, [])) <= self.wire.max_bytes
        except CannotCross:
            return False

    def read_file(self, name: str) -> bytes:
        """A file of the candidate's working directory; empty if there is none."""
        message = {"op": Op.READ, "name": name, "most": self.limits.message_mb << 19}
        data = self.demand(message, self.question_seconds).get("value")
        return data.tobytes() if isinstance(data, np.ndarray) else b""

    @contextlib.contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """Another time limit for the questions in this block."""
        before, self.question_seconds = self.question_seconds, seconds
        try:
            yield
        finally:
            self.question_seconds = before

    @contextlib.contextmanager
    def limited(self, mb: float) -> Iterator[bool]:
        """In this block the candidate gets so many MB more, and no further process.

        Gives whether that could be: False where a process of its own might hold the memory.
        """
        self.alive()
        done = self.process.tighten(mb)
        try:
            yield done
        finally:
            if done and self.dead is None:
                self.process.loosen()

    def forward_seeds(self) -> AbstractContextManager[None]:
        """In this block, seeding a global generator here seeds the candidate's as well."""
        return forwarded_seeds(self)

    def call(self, target: object, args: Sequence, kwargs: Mapping[str, Any],
             watch: bool = False) -> dict:
        """Call an object of the candidate; the whole reply."""
        message = {"op": Op.CALL, "target": target, "args": list(args), "kwargs": kwargs,
                   "watch": watch, "routines": list(self.routines),
                   "changes": self.may_change(target), "state": watch and self.kept.on}
        self.calls += 1
        keys = {_key(each) for each in (target, *args) if isinstance(each, proxies.Proxy)}
        if hung := next((words for key, words in self.hung.items() if key in keys), ""):
            raise CandidateTimeout(f"not asked again: it {hung}")
        try:
            reply = self.request(message, self.question_seconds)
        except CandidateTimeout as error:
            self.hung |= dict.fromkeys(keys, str(error))
            raise
        if reply.get("used") in self.routines:
            self.used = reply["used"]
        return reply

    def call_global(self, module: str, name: str, args: Sequence = (),
                    kwargs: Mapping[str, Any] | None = None) -> Any:
        """Call a function of an importable module inside the candidate."""
        target = Global(module, name)
        return self.call(target, args, kwargs or {}).get("value")

    def call_in_candidate(self, module: str, qualname: str, args: Sequence,
                    kwargs: Mapping[str, Any]) -> Any:
        """Run a function of the public kit in the candidate's process, by its name."""
        if not module.startswith("viva."):
            raise CannotCross(f"{module}.{qualname} is not part of the public kit")
        return self.call_global(module, qualname, args, kwargs)


def _key(proxy: proxies.Proxy) -> object:
    """By which a function is known again: a method is a new object each time it is asked for."""
    note = proxy._viva[1]
    return ("method", note["name"]) if note["type"] == "method" else note["h"]


def _is_file_name(name: object) -> bool:
    return type(name) is str and name.isprintable() and len(name) < 200
