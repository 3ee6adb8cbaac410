"""What may cross between examiner and candidate, and as what."""

import collections
import functools
import keyword
import pickle
import random
import sys
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from viva import plain
from viva_examiner.sandbox.bridge import proxies
from viva_examiner.sandbox.bridge.forwarding import COPIED, WATCHED, Global, handle_of
from viva_examiner.sandbox.bridge.making import make
from viva_examiner.sandbox.errors import CannotCross, MalformedMessage
from viva_examiner.sandbox.inside import values
from viva_examiner.sandbox.inside.protocol import Note, Op
from viva_examiner.sandbox.inside.values import DATA

if TYPE_CHECKING:
    from viva_examiner.sandbox.bridge.remote_gradients import Gradients
    from viva_examiner.sandbox.session import Session

SHARED = ("torch", "numpy", "math", "operator", "builtins", "scipy", "functools", "itertools")
NO_COPIES = sys.stdlib_module_names | {"__main__", "viva"}
MAX_FIELDS = 64


class ModuleName(str):
    """A module of the candidate, by name only."""

    @property
    def viva_module(self) -> str:
        return str(self)


class Codec:
    """Packs what the examiner sends, rebuilds what the candidate sends."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self.functions: list = []  # the examiner's functions that the candidate may call
        self.index: dict[int, int] = {}
        self.counts: collections.Counter[int] = collections.Counter()  # living proxies per handle
        # handle -> its proxy
        self.living: weakref.WeakValueDictionary[int, proxies.Proxy] = (
            weakref.WeakValueDictionary())
        self.dropped: set[int] = set()
        self.named: set[int] = set()  # classes that a hidden test calls by name
        self.raised: Exception | None = None
        self.is_students = lambda module: False  # whether the candidate has a module as well
        self._gradients: Gradients | None = None

    @property
    def gradients(self) -> "Gradients":
        """The autograd bridge, made when the first tensor with a gradient crosses."""
        if self._gradients is None:
            from viva_examiner.sandbox.bridge.remote_gradients import Gradients

            self._gradients = Gradients(self.session)
        return self._gradients

    def updates(self) -> dict:
        """What every request carries along: handles let go, parameters changed here."""
        gone = [handle for handle in self.dropped if not self.counts[handle]]
        self.dropped.clear()
        message = {"drop": gone} if gone else {}
        if self._gradients is not None:
            message |= self._gradients.updates()
        return message

    # to the candidate

    def pack(self, message: dict, inputs: list, call: Callable[[], Any] | None = None) -> bytes:
        """A message as bytes. Tensors that require gradients are added to `inputs`."""
        special = functools.partial(self._send, inputs=inputs, call=call)
        try:
            return plain.pack(message, special)
        except plain.NotPlain as error:
            raise CannotCross(str(error).replace("is not plain data", "cannot cross")) from None

    def _send(self, value: Any, inputs: list, call: Callable[[], Any] | None) -> dict | None:
        if isinstance(value, proxies.Proxy):
            return {"k": Note.REF, "h": handle_of(value, self.session)}
        if isinstance(value, Global):
            return {"k": Note.GLOBAL, "m": value.module, "q": value.name}
        torch = sys.modules.get("torch")
        if torch is not None:
            if isinstance(value, torch.Tensor):
                return self._send_tensor(value, inputs, call)
            if isinstance(value, torch.dtype):
                return None
            if isinstance(value, torch.Generator):
                return {"k": Note.GENERATOR, "kind": "torch.Generator", "state": value.get_state()}
        note = values.encode(value)
        if note is not None:
            return note
        if isinstance(value, DATA):
            if type(value).__module__ == "__main__":  # a class of the test's own
                self.session.unseen.add(WATCHED)
            return None
        if isinstance(value, np.random.Generator):
            bits = value.bit_generator
            return {"k": Note.GENERATOR, "kind": type(bits).__name__, "state": bits.state}
        if isinstance(value, np.random.RandomState):
            return {"k": Note.GENERATOR, "kind": "RandomState", "state": value.get_state()}
        if isinstance(value, random.Random):
            version, words, gauss = value.getstate()
            return {"k": Note.GENERATOR, "kind": "random.Random",
                    "state": [version, list(words), gauss]}
        place = shared_name(value)
        if place is not None:
            return {"k": Note.GLOBAL, "m": place[0], "q": place[1]}
        if torch is not None and isinstance(value, torch.nn.Module | torch.device):
            self.session.unseen |= {COPIED} if isinstance(value, torch.nn.Module) else set()
            return {"k": Note.PICKLE, "b": _pickled(value)}
        if callable(value) and not isinstance(value, type):
            if (copy := self._copy_of(value)) is not None:
                self.session.unseen.add(COPIED)
                return {"k": Note.PICKLE, "b": copy}
            name, doc = getattr(value, "__name__", "function"), getattr(value, "__doc__", None)
            return {"k": Note.FUNCTION, "i": self._index_of(value), "name": str(name),
                    "doc": doc if isinstance(doc, str) else None}
        kind = type(value)
        raise CannotCross(f"a {kind.__module__}.{kind.__qualname__} cannot cross to the candidate; "
                          "only plain data, functions and its own objects can")

    def _send_tensor(self, value: Any, inputs: list, call: Callable[[], Any] | None) -> dict | None:
        known = self._gradients.handle(value) if self._gradients is not None else None
        if known is not None:
            return {"k": Note.REF, "h": known}
        if not value.requires_grad:
            return None
        if call is not None:
            record = call()
            return {"k": Note.GRAPH, "call": record.number, "i": record.keep(value),
                    "t": value.detach()}
        inputs.append(value)
        return {"k": Note.LEAF, "t": value.detach(), "leaf": value.is_leaf}

    def _copy_of(self, value: object) -> bytes | None:
        """A copy of an object that can be called and is more than a function, such as a layer.

        None for what is of Python's own or the test's own making: that is called over here.
        """
        module = type(value).__module__
        if module.partition(".")[0] in NO_COPIES or not self.is_students(module):
            return None
        try:
            data = pickle.dumps(value)
        except Exception:  # a lambda inside, an open file: pickle raises many kinds
            return None
        return None if b"__main__" in data else data

    def _index_of(self, function: Callable) -> int:
        known = self.index.get(id(function))
        if known is None:
            known = self.index[id(function)] = len(self.functions)
            self.functions.append(function)
        return known

    # from the candidate

    def unpack(self, frame: bytes, inputs: list) -> tuple[dict, Callable[[], Any]]:
        """A message of the candidate, and the record of its tensors. Raises Malformed."""
        call = functools.cache(lambda: self.gradients.calls.begin())  # made if a tensor needs it
        try:
            special = functools.partial(self._receive, inputs=inputs, call=call)
            message = plain.unpack(frame, special)
        except plain.Malformed as error:
            raise MalformedMessage(str(error)[:200]) from None
        if type(message) is not dict:
            raise MalformedMessage("not a message")
        return message, call

    def _receive(self, note: Any, inputs: list, call: Callable[[], Any]) -> Any:
        if type(note) is not dict:
            raise plain.Malformed("not a note")
        kind = note.get("k")
        if kind == Note.OBJECT:
            return make(self.session, note)
        if kind == Note.GRAPH:
            call_number, index = _number(note, "call"), _number(note, "i")
            return self.gradients.attach(call_number, index, note["t"], inputs)
        if kind == Note.PARAMETER:
            return self.gradients.parameter(_number(note, "h"), note["t"], note.get("g"))
        if kind == Note.LEAF:
            return self.gradients.receive(call(), note["t"], note.get("leaf") is True)
        if kind == Note.MODULE:
            return ModuleName(note["name"])
        if kind == Note.OURS:
            return self.functions[_number(note, "i")]
        if kind == Note.TUPLE:
            return named_tuple(note)
        if kind == Note.VALUE:
            return values.decode(note)
        raise plain.Malformed("an unknown kind of thing")

    def serve(self, kind: str, message: dict, call: Callable[[], Any]) -> Any:
        """Run one of our functions (or our part of a backward pass) for the candidate."""
        for number in message.get("drop_calls") or ():
            self.gradients.calls.drop(number)
        if kind == Op.GRADIENT:
            return self.gradients.calls.backward(message["call"], message["i"], message["gradient"])
        args, kwargs, index = message.get("args"), message.get("kwargs"), message.get("fn")
        if type(args) is not list or type(kwargs) is not dict or type(index) is not int or not (
                0 <= index < len(self.functions)):
            raise MalformedMessage("a call of no function of ours")
        self.session.kept.add(*args, *kwargs.values())
        return self.functions[index](*args, **{str(name): arg for name, arg in kwargs.items()})


def shared_name(value: Any) -> tuple[str, str] | None:
    """Module and name of a library's class or function, which the candidate has as well."""
    if isinstance(value, np.ufunc):
        ufunc = value.__name__
        return ("numpy", ufunc) if getattr(np, ufunc, None) is value else None
    if not isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        return None
    module, name = getattr(value, "__module__", None) or "torch", value.__qualname__
    if module.partition(".")[0] not in SHARED:
        return None
    found = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return (module, name) if found is value else None


def named_tuple(note: dict) -> tuple:
    """A named tuple of a fresh class with the names claimed."""
    fields, values, name = note["fields"], note["values"], note["name"]
    names = [*fields, name]
    if len(fields) > MAX_FIELDS or len(fields) != len(values) or not all(
            type(n) is str and n.isidentifier() and not keyword.iskeyword(n) for n in names):
        raise plain.Malformed("not a named tuple")
    return collections.namedtuple(name, fields, rename=True)(*values)


def _pickled(value: object) -> bytes:
    if type(value).__module__ == "__main__":
        raise CannotCross(f"a {type(value).__qualname__}, a class of the test, cannot cross")
    try:
        return pickle.dumps(value)
    except Exception as error:
        kind = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}"
        raise CannotCross(f"a {name} cannot cross: {error}") from None


def _number(note: dict, key: str) -> int:
    value = note.get(key)
    if type(value) is not int:
        raise plain.Malformed(f"{key} is not a number")
    return value


