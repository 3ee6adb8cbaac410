"""What the examiner can ask of a candidate, operation by operation.

As everything in this folder it shares a process with the student's code.
"""

import os
import resource
import sys
from typing import Any

import numpy as np

from viva.routines import Watch
from viva_examiner.sandbox.inside import candidate_files, objects
from viva_examiner.sandbox.inside.mutation import mutations
from viva_examiner.sandbox.inside.state import state
from viva_examiner.sandbox.inside.word_lists import interned, lighter

MAX_WATCHED = 1 << 26  # bytes; of more a second copy to compare with may not fit


class Operations:
    """The operations of an agent, which has the conversation, the shell and the objects."""

    objects: Any
    calls: Any
    renaming: Any
    lending: Any
    shell: Any
    read: Any
    most: int

    def do(self, request: dict, payload: bytes) -> dict:
        for number in request.get("drop", ()):
            self.objects.drop(number)
        for number in request.get("drop_calls", ()):
            self.calls.drop(number)
        for value, data, gradient in request.get("sync", ()):
            self.assign(value, data, gradient)
        self.renaming.follow(request)
        return getattr(self, "do_" + request["op"])(request, payload)

    def assign(self, parameter: Any, data: Any, gradient: Any) -> None:
        """Take over a parameter that the examiner changed (its optimiser made a step)."""
        if data is not None:
            parameter.data.copy_(data)
        parameter.grad = gradient

    def do_start(self, request: dict, payload: bytes) -> dict:
        candidate_files.write(request["files"])
        if "" not in sys.path:
            sys.path.insert(0, "")  # modules beside the notebook, as in a kernel
        return {}

    def do_append(self, request: dict, payload: bytes) -> dict:
        candidate_files.write({request["name"]: request["data"]}, mode="ab")
        return {}

    def do_files(self, request: dict, payload: bytes) -> dict:
        return {"value": candidate_files.changed(request["known"], request["suffixes"],
                                                 self.most // 4)}

    def do_read(self, request: dict, payload: bytes) -> dict:
        if not os.path.isfile(request["name"]):
            return {"value": None}
        with open(request["name"], "rb") as file:
            return {"value": np.frombuffer(file.read(request["most"]), np.uint8)}

    def do_cell(self, request: dict, payload: bytes) -> dict:
        self.renaming.forget()
        self.lending.forget()
        before = resource.getrusage(resource.RUSAGE_SELF)
        error = self.shell.run(request["source"])
        after = resource.getrusage(resource.RUSAGE_SELF)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"failed": error is not None, "cpu": cpu}

    def do_resolve(self, request: dict, payload: bytes) -> dict:
        names, wanted = self.shell.user_ns, request["names"]
        if request["several"]:  # a test begins
            self.lending.forget()
        return {"value": {name: lighter(names[name]) for name in wanted if name in names and (
            len(wanted) == 1 or not objects.is_large(names[name]))}}  # asked for alone if used

    def do_call(self, request: dict, payload: bytes) -> dict:
        args = list(map(interned, request["args"]))
        kwargs = {name: interned(value) for name, value in request["kwargs"].items()}
        before = state() if request["state"] else ()
        self.lending.begin(request["state"])
        with Watch(request.get("routines", ())) as watch:
            reply = {"value": lighter(request["target"](*args, **kwargs))}
        if before and state() != before:
            reply["state"] = True
        if watch.used:
            reply["used"] = watch.used
        if request["watch"] and len(payload) <= MAX_WATCHED:
            wanted = reply["value"] is None or request["changes"]
            reply |= mutations(args, kwargs, lambda: self.read(payload)[0], wanted)
            reply["lent"] = self.renaming.has_changed() or self.lending.has_changed()
        self.lending.add(*args, *kwargs.values())
        return reply

    def do_gradient(self, request: dict, payload: bytes) -> dict:
        return {"value": self.calls.backward(request["call"], request["i"], request["gradient"])}

    def do_gradients_of(self, request: dict, payload: bytes) -> dict:
        return {"value": [None if p.grad is None else p.grad.detach()
                          for p in request["parameters"]]}
