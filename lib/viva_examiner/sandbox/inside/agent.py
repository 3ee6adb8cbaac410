"""The candidate's end of the conversation: runs cells and answers questions about the results.

Everything here is at the student's mercy: it shares a process with the student's code. Nothing
the examiner decides may depend on it being honest.
"""

import contextlib
import os
import resource
import signal
import sys
import threading

import numpy as np

from viva import plain
from viva_examiner.sandbox.inside import beside, frames, objects, renaming, shell
from viva_examiner.sandbox.inside.callback_gradients import CallbackGradient, gradients
from viva_examiner.sandbox.inside.failures import describe_error, exception_named
from viva_examiner.sandbox.inside.mutation import mutations
from viva_examiner.sandbox.inside.routines import Watch
from viva_examiner.sandbox.inside.words import lighter

STATE = {}
MAX_WATCHED = 1 << 26  # bytes; of more a second copy to compare with may not fit


def prepare() -> None:
    """Once, in the warm interpreter: what every candidate inherits."""
    STATE["shell"] = shell.create()
    if "torch" in sys.modules:
        gradients()  # else when somebody has imported torch


def serve(sock, limits: dict) -> None:
    """In the candidate: answer until the examiner goes away."""
    agent = STATE["agent"] = Agent(sock, limits)
    try:
        agent.loop()
    except (EOFError, OSError):
        pass
    agent.leave()


class Agent:
    """State of one conversation."""

    def __init__(self, sock, limits: dict):
        self.sock, self.pid = sock, os.getpid()
        self.objects, self.callbacks, self.functions = objects.Objects(), {}, {}
        self.gradients = self.calls = self.held = None
        self.lock = threading.RLock()
        self.busy, self.sending, self.interrupted = False, False, False
        self.asked = self.heard = 0  # numbers of the last question and of the last request
        self.most = limits["message_mb"] << 20
        self.room, self.cell_room = 0, 2 * 1024 * limits["output_kb"]
        self.shell = STATE["shell"]
        self.renaming = renaming.Renaming(self.shell.user_ns)
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

    def send(self, message: dict, special=None, most: int | None = None) -> None:
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
            if output["o"] == "stream" and size > self.cell_room:
                output = {**output, "text": output["text"][: self.cell_room]}
            try:
                self.send({"op": "output", "output": output})
            except plain.NotPlain:
                pass  # a display object with strange contents: nothing to show

    def interrupt(self, *_) -> None:
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
        self.send({"op": "error", "id": number, "error": {"cannot_cross": why[:300]}})

    def read(self, payload: bytes, inputs=()):
        """A message of the examiner, and the record of tensors it brought along."""
        if self.gradients is None and "torch" in sys.modules:
            self.gradients = gradients()
            self.calls, self.held = self.gradients.Calls(), self.gradients.Held()
        call = self.calls.begin() if self.calls else None
        known = objects.decoder(self.objects, call, self.callback)

        def special(note):
            if note["k"] == "graph":
                remote = CallbackGradient(self, note["call"], note["i"])
                return self.gradients.attach(remote, note["t"], inputs)
            return known(note)

        return plain.unpack(payload, special, max_nodes=len(payload)), call  # the examiner's word

    def answer(self, request: dict, call, payload: bytes) -> None:
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
            self.send({"op": "done" if done else "error", "id": number, **reply}, encode, self.most)
        except (plain.NotPlain, RuntimeError, RecursionError, MemoryError) as error:
            if done and request.get("several"):  # then those names that can
                found = {name: value for name, value in reply["value"].items()
                         if objects.can_cross(value, encode, self.most)}
                self.send({"op": "done", "id": number, "value": found}, encode)
            else:
                self.refuse(number, str(error) or repr(error))

    def flush(self) -> None:
        for stream in self.streams:
            stream.flush()

    def callback(self, index: int, name: str):
        """A function of the examiner, as a function here."""
        known = self.functions.get(index)
        if known is not None:
            return known

        def ask(*args, **kwargs):
            return self.ask(index, args, kwargs)

        ask.__name__ = ask.__qualname__ = name
        self.functions[index] = ask
        self.callbacks[id(ask)] = index
        return ask

    def ask(self, index: int, args, kwargs):
        """Call a function of the examiner; it may put further questions before it answers."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("a function given by the examiner needs the main thread")
        inputs = []
        encode = self.with_inputs(inputs)
        self.asked += 1
        number = self.asked
        self.flush()
        dropped = self.held.take_dropped() if self.held else []
        self.send({"op": "callback", "id": number, "fn": index, "args": list(args),
                   "kwargs": kwargs, "drop_calls": dropped}, encode)
        reply = self.wait_for(number, inputs)
        if "raised" in reply:
            raise exception_named(reply["raised"])
        return reply["value"]

    def wait_for(self, number: int, inputs):
        """The examiner's answer; until it comes, serve what the examiner asks."""
        while True:
            payload = frames.receive(self.sock)
            message, call = self.read(payload, inputs)
            if message["op"] == "answer" and message["id"] == number:
                return message
            self.answer(message, call, payload)
            self.busy = True

    def with_inputs(self, inputs: list):
        """An encoder that lets tensors requiring gradients cross as leaves of a callback."""
        encode = objects.encoder(self.objects, None, self.callbacks)
        torch = sys.modules.get("torch")

        def special(value):
            if torch is not None and isinstance(value, torch.Tensor) and value.requires_grad:
                inputs.append(value)
                return {"k": "leaf", "t": value.detach(), "leaf": value.is_leaf}
            return encode(value)

        return special

    def do(self, request: dict, payload: bytes) -> dict:
        for number in request.get("drop", ()):
            self.objects.drop(number)
        for number in request.get("drop_calls", ()):
            self.calls.drop(number)
        for value, data, gradient in request.get("sync", ()):
            self.assign(value, data, gradient)
        self.renaming.follow(request)
        return getattr(self, "do_" + request["op"])(request, payload)

    def assign(self, parameter, data, gradient) -> None:
        """Take over a parameter that the examiner changed (its optimiser made a step)."""
        if data is not None:
            parameter.data.copy_(data)
        parameter.grad = gradient

    def do_start(self, request, payload):
        beside.write(request["files"])
        if "" not in sys.path:
            sys.path.insert(0, "")  # modules beside the notebook, as in a kernel
        return {}

    def do_append(self, request, payload):
        beside.write({request["name"]: request["data"]}, mode="ab")
        return {}

    def do_files(self, request, payload):
        return {"value": beside.changed(request["known"], request["suffixes"], self.most // 4)}

    def do_read(self, request, payload):
        if not os.path.isfile(request["name"]):
            return {"value": None}
        with open(request["name"], "rb") as file:
            return {"value": np.frombuffer(file.read(request["most"]), np.uint8)}

    def do_cell(self, request, payload):
        self.renaming.forget()
        before = resource.getrusage(resource.RUSAGE_SELF)
        error = self.shell.run(request["source"])
        after = resource.getrusage(resource.RUSAGE_SELF)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"failed": error is not None, "cpu": cpu}

    def do_resolve(self, request, payload):
        names, wanted = self.shell.user_ns, request["names"]
        return {"value": {name: lighter(names[name]) for name in wanted if name in names and (
            len(wanted) == 1 or not objects.is_large(names[name]))}}  # asked for alone if used

    def do_call(self, request, payload):
        args, kwargs = request["args"], request["kwargs"]
        with Watch(request.get("routines", ())) as watch:
            reply = {"value": lighter(request["target"](*args, **kwargs))}
        if watch.used:
            reply["used"] = watch.used
        if request["watch"] and len(payload) <= MAX_WATCHED:
            wanted = reply["value"] is None or request["changes"]
            reply |= mutations(args, kwargs, lambda: self.read(payload)[0], wanted)
        return reply

    def do_gradient(self, request, payload):
        return {"value": self.calls.backward(request["call"], request["i"], request["gradient"])}

    def do_gradients_of(self, request, payload):
        return {"value": [None if p.grad is None else p.grad.detach()
                          for p in request["parameters"]]}


def living() -> int:
    """How many objects the examiner holds (asked by tests of the examiner)."""
    return len(STATE["agent"].objects.of_handle)
