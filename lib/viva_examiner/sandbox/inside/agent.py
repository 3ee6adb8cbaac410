"""The candidate's end of the conversation: runs cells and answers questions about the results.

Everything here is at the student's mercy: it shares a process with the student's code. Nothing
the examiner decides may depend on it being honest.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from viva import plain
from viva_examiner.sandbox.inside import frames, objects, renaming, shell
from viva_examiner.sandbox.inside.callback_gradients import CallbackGradient, gradients
from viva_examiner.sandbox.inside.failures import describe_error, exception_named
from viva_examiner.sandbox.inside.lending import Lending
from viva_examiner.sandbox.inside.operations import Operations
from viva_examiner.sandbox.inside.protocol import Note, Op, Shown

STATE: dict[str, Any] = {}


def prepare(plan: dict) -> None:
    """Once, in the warm interpreter: what every candidate inherits."""
    STATE["shell"] = shell.create()
    if "torch" in sys.modules:
        gradients()  # else when somebody has imported torch


def serve(sock: socket.socket, limits: dict) -> None:
    """In the candidate: answer until the examiner goes away."""
    agent = STATE["agent"] = Agent(sock, limits)
    try:
        agent.loop()
    except (EOFError, OSError):
        pass
    agent.leave()


class Agent(Operations):
    """State of one conversation."""

    def __init__(self, sock: socket.socket, limits: dict) -> None:
        self.sock, self.pid = sock, os.getpid()
        self.objects = objects.Objects()
        self.callbacks: dict[int, int] = {}
        self.functions: dict[int, Callable] = {}
        self.gradients: Any = None  # the module and its records, once torch is there
        self.calls: Any = None
        self.held: Any = None
        self.lock = threading.RLock()
        self.busy, self.sending, self.interrupted = False, False, False
        self.asked = self.heard = 0  # numbers of the last question and of the last request
        self.most = limits["message_mb"] << 20
        self.room, self.cell_room = 0, 2 * 1024 * limits["output_kb"]
        self.shell = STATE["shell"]
        self.renaming, self.lending = renaming.Renaming(self.shell.user_ns), Lending()
        self.shell.sink = self.output
        self.streams = [shell.Stream("stdout", 1, self.output),
                        shell.Stream("stderr", 2, self.output)]
        sys.stdout, sys.stderr = self.streams
        os.register_at_fork(after_in_child=self.orphan)

    def orphan(self) -> None:
        """In a process the student forked: the conversation is not its own."""
        self.sock.close()

    def leave(self) -> None:
        os._exit(0)

    # conversation

    def send(self, message: dict, special: plain.Special = None, most: int | None = None) -> None:
        if os.getpid() != self.pid:
            os._exit(0)  # a forked child that ran past the end of its cell
        payload = plain.pack(message, special)
        if most is not None:
            objects.check_size(payload, message, most)
        with self.lock:
            self.sending = True
            try:
                frames.send(self.sock, payload)
            finally:
                self.sending = False
        if self.interrupted:
            self.interrupted = False
            raise KeyboardInterrupt

    def output(self, output: dict) -> None:
        """Hand an output to the examiner; beyond twice the limit nothing is sent at all."""
        size = sum(len(text) for text in output.values() if isinstance(text, str))
        if self.room >= 0:
            self.room -= size
            if output["o"] == Shown.STREAM and size > self.cell_room:
                output = {**output, "text": output["text"][: self.cell_room]}
            try:
                self.send({"op": Op.OUTPUT, "output": output})
            except plain.NotPlain:
                pass  # a display object with strange contents: nothing to show

    def interrupt(self, *_: object) -> None:
        """SIGINT: only while student code runs, and never in the middle of a frame.

        What was started by it ends, as in Jupyter, which interrupts a whole group: left alone, the
        children of an endless cell would take the time of the questions that follow.
        """
        if os.getpid() == 1:  # of a namespace: else the others are not all the student's
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        if self.sending:
            self.interrupted = True
        elif self.busy:
            raise KeyboardInterrupt

    def loop(self) -> None:
        while True:
            self.busy = False
            self.take(frames.receive(self.sock))

    def take(self, payload: bytes) -> None:
        """Serve a request; one that cannot be read is answered as well."""
        try:
            request, call = self.read(payload)
        except Exception as error:
            self.heard += 1
            self.refuse(self.heard, f"the question could not be read: {error}")
            return
        self.answer(request, call, payload)

    def refuse(self, number: int, why: str) -> None:
        """The reply to a request that has no answer that could cross."""
        self.send({"op": Op.ERROR, "id": number, "error": {"cannot_cross": why[:300]}})

    def read(self, payload: bytes, inputs: Sequence = ()) -> tuple[dict, Any]:
        """A message of the examiner, and the record of tensors it brought along."""
        if self.gradients is None and "torch" in sys.modules:
            self.gradients = gradients()
            self.calls, self.held = self.gradients.Calls(), self.gradients.HeldCalls()
        call = self.calls.begin() if self.calls else None
        known = objects.decoder(self.objects, call, self.callback)

        def special(note: dict) -> Any:
            if note["k"] == Note.GRAPH:
                remote = CallbackGradient(self, note["call"], note["i"])
                return self.gradients.attach(remote, note["t"], inputs)
            return known(note)

        return plain.unpack(payload, special, max_nodes=len(payload)), call  # the examiner's word

    def answer(self, request: dict, call: Any, payload: bytes) -> None:
        """Serve one request and send exactly one reply to it."""
        reply, done, self.heard = {}, False, max(self.heard, request["id"])
        signal.signal(signal.SIGINT, self.interrupt)
        self.room = self.cell_room
        try:
            self.busy = True
            reply = self.do(request, payload)
            self.flush()
            self.busy = False
            done = True
        except BaseException as error:
            self.busy = False
            self.interrupted = False
            reply = {"error": describe_error(error)}
            self.flush()
        encode = objects.encoder(self.objects, call, self.callbacks)
        number = request["id"]
        try:
            self.send({"op": Op.DONE if done else Op.ERROR, "id": number, **reply}, encode,
                      self.most)
        except (plain.NotPlain, RuntimeError, RecursionError, MemoryError) as error:
            if done and request.get("several"):  # then those names that can
                found = {name: value for name, value in reply["value"].items()
                         if objects.can_cross(value, encode, self.most)}
                self.send({"op": Op.DONE, "id": number, "value": found}, encode)
            else:
                self.refuse(number, str(error) or repr(error))

    def flush(self) -> None:
        for stream in self.streams:
            stream.flush()

    def callback(self, index: int, name: str, doc: str | None) -> Callable:
        """A function of the examiner, as a function here: `functools.wraps` finds name and doc."""
        known = self.functions.get(index)
        if known is not None:
            return known

        def ask(*args: object, **kwargs: object) -> Any:
            return self.ask(index, args, kwargs)

        ask.__name__, ask.__qualname__, ask.__doc__ = name, name, doc
        self.functions[index] = ask
        self.callbacks[id(ask)] = index
        return ask

    def ask(self, index: int, args: Sequence, kwargs: Mapping[str, Any]) -> Any:
        """Call a function of the examiner; it may put further questions before it answers."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("a function given by the examiner needs the main thread")
        inputs: list = []
        encode = self.with_inputs(inputs)
        self.asked += 1
        number = self.asked
        self.flush()
        self.lending.add(*args, *kwargs.values())
        dropped: list[int] = self.held.take_dropped() if self.held else []
        self.send({"op": Op.CALLBACK, "id": number, "fn": index, "args": list(args),
                   "kwargs": kwargs, "drop_calls": dropped}, encode)
        reply = self.wait_for(number, inputs)
        if "raised" in reply:
            raise exception_named(reply["raised"])
        self.lending.add(reply["value"])
        return reply["value"]

    def wait_for(self, number: int, inputs: Sequence) -> dict:
        """The examiner's answer; until it comes, serve what the examiner asks."""
        while True:
            payload = frames.receive(self.sock)
            message, call = self.read(payload, inputs)
            if message["op"] == Op.ANSWER and message["id"] == number:
                return message
            self.answer(message, call, payload)
            self.busy = True

    def with_inputs(self, inputs: list) -> Callable[[Any], dict | None]:
        """An encoder that lets tensors requiring gradients cross as leaves of a callback."""
        encode = objects.encoder(self.objects, None, self.callbacks)
        torch = sys.modules.get("torch")

        def special(value: Any) -> dict | None:
            if torch is not None and isinstance(value, torch.Tensor) and value.requires_grad:
                inputs.append(value)
                return {"k": Note.LEAF, "t": value.detach(), "leaf": value.is_leaf}
            return encode(value)

        return special


def living() -> int:
    """How many objects the examiner holds (asked by tests of the examiner)."""
    return len(STATE["agent"].objects.of_handle)
