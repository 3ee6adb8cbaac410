"""One candidate, seen from the examiner: run cells, ask questions, and end it in any case.

Whatever arrives from the candidate is hostile: it is read with limits, checked, and rebuilt as
plain data or as proxies of our own making. A message that makes no sense ends the candidate.
"""

import contextlib
import select
import signal
import sys
import time

import numpy as np

from viva import plain
from viva_examiner.limits import Limits
from viva_examiner.sandbox.bridge import proxies
from viva_examiner.sandbox.bridge.codec import Codec
from viva_examiner.sandbox.bridge.exceptions import rebuild
from viva_examiner.sandbox.bridge.forwarding import Global, handle_of
from viva_examiner.sandbox.bridge.seeds import forwarded_seeds
from viva_examiner.sandbox.clock import Clock, Process, Timer
from viva_examiner.sandbox.endings import how_it_ended
from viva_examiner.sandbox.errors import (
    CandidateDied,
    CandidateError,
    CandidateTimeout,
    CannotCross,
    EngineError,
    Malformed,
)
from viva_examiner.sandbox.outputs import CellResult, Collector, clean
from viva_examiner.sandbox.wire import Gone, Late, Wire

GRACE_SECONDS = 2.0
LEAVE_SECONDS = 1.0  # between a closed socket and the end of its process
MAX_NESTING = 20


class Session:
    """A candidate process and the conversation with it. Close it, or use it in a `with`."""

    def __init__(self, warm, wire: Wire, pidfd: int, pid: int, limits: Limits, isolated: bool):
        self.warm, self.wire, self.pidfd, self.pid = warm, wire, pidfd, pid
        self.limits, self.isolated = limits, isolated
        self.incidents: list[str] = []
        self.dead: str | None = None  # why, once the candidate has ended
        self.waited = 0.0  # seconds for a processor, once it has ended
        self.usage: dict = {}
        self.codec = Codec(self)
        self.asked, self.nesting, self.cells = 0, 0, 0
        self.question_seconds = limits.question_seconds
        self.process = Process(pid)
        self.total = Clock(self.process, limits.submission_seconds)
        self.collector: Collector | None = None
        self.printed = 0
        self.spoken: list[str] = []  # what the student's code printed while a test asked

    # the engine's side

    def start(self, files: dict) -> None:
        """Hand over the files of the submission; a failure here is the engine's."""
        try:
            arrays = {name: np.frombuffer(data, np.uint8) for name, data in files.items()}
            self._demand({"op": "start", "files": arrays}, 30)
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
            reply = self._demand({"op": "cell", "source": source}, seconds)
            cpu = reply.get("cpu")
            result.cpu_seconds = float(cpu) if type(cpu) is float and cpu >= 0 else 0.0
            if reply.get("failed") is True and self.collector.error is None:
                self.collector.fail("Exception", "The cell failed without saying why.")
        except CandidateTimeout:
            result.timed_out = True
            self.collector.fail("CellTimeoutError", f"the cell ran longer than {seconds:g} s")
        except CandidateDied as error:
            result.died, result.timed_out = True, error.reason.startswith("ran longer")
            kind = "CellTimeoutError" if result.timed_out else "DeadKernelError"
            self.collector.fail(kind, f"The notebook's process ended: {error.reason}.")
        except CandidateError as error:
            self.collector.fail(type(error).__name__, clean(str(error)))
        result.seconds = time.monotonic() - began
        result.outputs, result.error = self.collector.outputs, self.collector.error
        self.collector = None
        return result

    def resolve(self, names) -> dict:
        """The candidate's global names as data, proxies or ModuleName; undefined are absent."""
        value = self._demand({"op": "resolve", "names": list(names)}, self.question_seconds)
        found = value.get("value")
        if not isinstance(found, dict):
            self.die("sent a malformed frame")
        found = {name: item for name, item in found.items() if name in names}
        for item in found.values():
            if isinstance(item, proxies.ClassProxy):
                self.codec.named.add(handle_of(item))
        return found

    def read_file(self, name: str) -> bytes:
        """A file of the candidate's working directory; empty if there is none."""
        message = {"op": "read", "name": name, "most": self.limits.message_mb << 19}
        data = self._demand(message, self.question_seconds).get("value")
        return data.tobytes() if isinstance(data, np.ndarray) else b""

    @contextlib.contextmanager
    def deadline(self, seconds: float):
        """Another time limit for the questions in this block."""
        before, self.question_seconds = self.question_seconds, seconds
        try:
            yield
        finally:
            self.question_seconds = before

    def forward_seeds(self):
        """In this block, seeding a global generator here seeds the candidate's as well."""
        return forwarded_seeds(self)

    # questions

    def call(self, target, args, kwargs, watch: bool = False):
        """Call an object of the candidate; the whole reply."""
        message = {"op": "call", "target": target, "args": list(args), "kwargs": kwargs,
                   "watch": watch}
        return self.request(message, self.question_seconds)

    def call_global(self, module: str, name: str, args=(), kwargs=None):
        """Call a function of an importable module inside the candidate."""
        target = Global(module, name)
        return self.call(target, args, kwargs or {}).get("value")

    def call_beside(self, module: str, qualname: str, args, kwargs):
        """Run a function of the public kit beside the candidate's code, by its name."""
        if not module.startswith("viva."):
            raise CannotCross(f"{module}.{qualname} is not part of the public kit")
        return self.call_global(module, qualname, args, kwargs)

    def request(self, message: dict, seconds: float) -> dict:
        """Send a request and serve the candidate until its reply. Raises CandidateError kinds."""
        self.alive()
        if self.nesting >= MAX_NESTING:
            self.die("nested calls too deeply")
        self.asked += 1
        number = self.asked
        inputs: list = []
        payload = self.codec.pack({**message, "id": number, **self.codec.news()}, inputs)
        if len(payload) > self.wire.max_bytes:
            raise CannotCross(f"a question of {len(payload) >> 20} MB cannot cross")
        timer = Timer(self.process, seconds)
        self.wire.on_text = self._raw_text
        self.nesting += 1
        try:
            return self._converse(number, payload, inputs, timer)
        except Gone:
            self._gone()
        except Malformed as error:
            self.die(f"sent a malformed frame ({error})")
        finally:
            self.nesting -= 1

    def _demand(self, message: dict, seconds: float) -> dict:
        """A request that runs no code of a test: whatever error is claimed is the candidate's."""
        try:
            return self.request(message, seconds)
        except Exception as error:
            if isinstance(error, CandidateError) or not hasattr(error, "trace"):
                raise
            raise CandidateError(f"{type(error).__name__}: {error}") from None

    def _converse(self, number: int, payload: bytes, inputs: list, timer: Timer) -> dict:
        while True:
            deadline = time.monotonic() + min(timer.clock.left(), self.total.left())
            try:
                if payload is not None:
                    self.wire.send(payload, deadline)
                    payload = None
                frame = self.wire.receive(deadline)
            except Late:
                self._late(timer, sent=payload is None)
                continue
            message, call = self.codec.unpack(frame, inputs)
            kind, reply_to = message.get("op"), message.get("id")
            if type(kind) is not str:  # an array would not compare as true or false
                raise Malformed("a message of no kind")
            if kind == "output":
                self._output(message.get("output"))
            elif kind in ("callback", "gradient"):
                payload = self._answer(kind, message, call)
            elif kind in ("done", "error") and type(reply_to) is int and reply_to == number:
                if timer.interrupted:
                    raise CandidateTimeout(f"took longer than {timer.seconds:.3g} seconds")
                if kind == "error":
                    raise self._exception(message.get("error"))
                return message
            else:
                raise Malformed("a reply to nothing that was asked")

    def _late(self, timer: Timer, sent: bool) -> None:
        if self.total.left() <= 0:
            self.die("used up the time of the whole submission")
        if timer.clock.left() > 0:
            return  # it had to wait for a processor meanwhile
        if timer.interrupted or not sent:
            self.die(f"ran longer than {timer.seconds:.3g} seconds and ignored the interrupt")
        timer.interrupted = True
        timer.clock = Clock(self.process, GRACE_SECONDS)
        self.signal(signal.SIGINT)

    def _answer(self, kind: str, message: dict, call) -> bytes:
        """Serve a callback or a gradient; what the function raises is kept, not shown."""
        number = message.get("id")
        if type(number) is not int:
            raise Malformed("a callback without a number")
        try:
            value = self.codec.serve(kind, message, call)
            return self.codec.pack({"op": "answer", "id": number, "value": value}, [], call)
        except (Malformed, EngineError):
            raise
        except Exception as error:
            self.codec.raised = error
            return plain.pack({"op": "answer", "id": number, "raised": type(error).__name__})

    def _exception(self, note) -> Exception:
        error = rebuild(note)
        if self.codec.raised is not None and str(error) == "raised by a function of the test":
            error, self.codec.raised = self.codec.raised, None
        return error

    # output

    def _output(self, output) -> None:
        if self.collector is not None and self.nesting == 1:
            self.collector.add(output)
        elif isinstance(output, dict) and type(output.get("o")) is str and output["o"] == "stream":
            self._print(clean(output.get("text")))

    def _raw_text(self, name: str, data: bytes) -> None:
        if self.collector is not None:
            self.collector.raw(name, data)
        else:
            self._print(data.decode("utf-8", "replace"))

    def _print(self, text: str) -> None:
        room = self.limits.output_kb * 1024 - self.printed
        self.printed += len(text)
        if room > 0:
            self.spoken.append(text[:room])
            sys.stdout.write(text[:room])  # a test may capture it and judge it

    # life and death

    def alive(self) -> None:
        if self.dead is not None:
            raise CandidateDied(self.dead)

    def waited_so_far(self) -> float:
        """Seconds in which the candidate was ready and had no processor."""
        return self.process.waited() if self.dead is None else self.waited

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, number)

    def die(self, reason: str):
        """Kill the candidate for a reason that the TA will read. Always raises CandidateDied."""
        self.end(reason)
        raise CandidateDied(reason)

    def end(self, reason: str) -> None:
        """Kill the candidate for a reason that the TA will read."""
        self.incidents.append(reason)
        self._end(reason)

    def _gone(self):
        """The candidate went by itself: say how."""
        leaving = select.poll()
        leaving.register(self.pidfd, select.POLLIN)
        if not leaving.poll(LEAVE_SECONDS * 1000):
            self.die("closed its connection")
        self._end("")
        self.dead = how_it_ended(self.usage, self.limits)
        self.incidents.append(self.dead)
        raise CandidateDied(self.dead)

    def _end(self, reason: str) -> None:
        if self.dead is None:
            self.dead = reason or "ended"
            self.waited = self.process.waited()
            self.signal(signal.SIGKILL)
            self.process.close()
            self.usage = self.warm.bury(self)
            self.wire.close()

    def close(self) -> None:
        """End the candidate and everything it started; returns when nothing is left."""
        self._end("closed")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
