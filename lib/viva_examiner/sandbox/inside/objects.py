"""How the candidate's side speaks of things: plain data as data, everything else by handle."""

import contextlib
import functools
import importlib
import inspect
import pickle
import random
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from viva import plain
from viva_examiner.sandbox.inside import values
from viva_examiner.sandbox.inside.protocol import SPECIAL, Note
from viva_examiner.sandbox.inside.values import DATA

MAX_OBJECTS, MAX_FAMILY = 100_000, 20
LARGE_BYTES, LARGE_LENGTH = 1 << 22, 100_000
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial,
             types.MethodWrapperType, types.WrapperDescriptorType, np.ufunc)


def _array(value: Any) -> np.ndarray:
    found = np.asarray(value)
    if found.dtype.kind not in "biufc" or found.nbytes > LARGE_BYTES:
        raise TypeError("not an array of numbers, or a large one")
    return found


CONVERSIONS = (("float", "__float__", float), ("int", "__int__", int), ("int", "__index__", int),
               ("array", "__array__", _array))


class Objects:
    """The candidate's objects that the examiner holds proxies of."""

    def __init__(self) -> None:
        self.of_handle: dict[int, object] = {}
        self.of_id: dict[int, int] = {}
        self.last = 0

    def handle(self, value: object) -> int:
        """The handle of an object; the same object always has the same one."""
        known = self.of_id.get(id(value))
        if known is not None:
            return known
        if len(self.of_handle) >= MAX_OBJECTS:
            raise plain.NotPlain("too many objects have crossed")
        self.last += 1
        self.of_handle[self.last] = value
        self.of_id[id(value)] = self.last
        return self.last

    def drop(self, handle: int) -> None:
        value = self.of_handle.pop(handle, None)
        self.of_id.pop(id(value), None)

    def describe(self, value: Any) -> dict:
        """What the examiner learns about an object that is not plain data."""
        kind = type(value)
        if isinstance(value, type):
            word, name = "class", value.__name__
        elif isinstance(value, FUNCTIONS):
            word, name = "function", getattr(value, "__name__", "function")
        else:
            word, name = "instance", kind.__name__
        note = {"k": Note.OBJECT, "h": self.handle(value), "kind": word, "name": str(name),
                "type": kind.__name__, "doc": _text(getattr(value, "__doc__", None)),
                "module": _text(getattr(value, "__module__", None)),
                "callable": callable(value),
                "family": family(value if word == "class" else kind),
                "special": special_methods(value if word == "class" else kind)}
        if word == "instance":
            note["cls"] = self.handle(kind)
            note["settled"] = settled(value)
        return note


def settled(value: Any) -> dict:
    """The number and the array that an object of the student's own gives up, as it crosses.

    What it would say later could depend on what it has heard meanwhile.
    """
    kind, found = type(value), {}
    if kind.__module__ == "__main__":
        for name, method, convert in CONVERSIONS:
            if hasattr(kind, method):
                with contextlib.suppress(Exception):
                    found[name] = convert(value)
    return found


def family(kind: type) -> list[str]:
    """The library classes that a class is or derives from; the examiner's isinstance goes by it.

    "" stands in the first place if the class itself is the student's own.
    """
    found = []
    for base in kind.__mro__[:MAX_FAMILY]:
        if base is not object and base.__module__ != "__main__":
            found.append(f"{base.__module__}:{base.__qualname__}"[:200])
        elif base is kind:
            found.append("")
    return found


def special_methods(kind: type) -> list[str]:
    """Of the methods that Python's syntax calls, those that a class has beyond `object`'s own."""
    found = {name for base in kind.__mro__ if base is not object
             for name in SPECIAL & vars(base).keys()}
    return sorted(name for name in found | {"__hash__"} if getattr(kind, name, None) is not None)


def parameters(function: Callable) -> list[tuple]:
    """The signature of a function as plain data: name, kind, whether it has a default, and that."""
    found = []
    for each in inspect.signature(function).parameters.values():
        empty = each.default is inspect.Parameter.empty
        found.append((each.name, int(each.kind), not empty, None if empty else each.default))
    return found


def is_large(value: Any) -> bool:
    """Whether a value is better sent alone."""
    if isinstance(value, list | tuple | dict | set | str | bytes):
        return len(value) > LARGE_LENGTH
    return getattr(value, "nbytes", 0) > LARGE_BYTES if isinstance(value, DATA) else False


def can_cross(value: object, special: plain.Special, most: int) -> bool:
    try:
        check_size(plain.pack(value, special), value, most)
    except (plain.NotPlain, RuntimeError, RecursionError, MemoryError):
        return False
    return True


def check_size(payload: bytes, message: object, most: int) -> None:
    """Raises NotPlain for an answer that the examiner would not take."""
    if len(payload) > most:
        raise plain.NotPlain(f"an answer of {len(payload) >> 20} MB; at most {most >> 20} MB can "
                             "be examined")
    if len(payload) > 2 * plain.MAX_NODES and count(message) > plain.MAX_NODES - 1000:
        raise plain.NotPlain(f"an answer of more than {plain.MAX_NODES} values; arrays, and lists "
                             "of numbers, may be longer")


def count(value: Any) -> int:
    """How many values a tree has; a list of numbers counts as one."""
    kind = type(value)
    if kind is list and len(value) >= plain.LONG and set(map(type, value)) in ({float}, {int}):
        return 1
    if kind in (list, tuple, set, frozenset):
        return 1 + sum(map(count, value))
    if isinstance(value, dict):
        return 1 + sum(1 + count(child) for child in value.values())
    if isinstance(value, np.ndarray) and value.dtype.kind in "US":
        return value.size
    return 1


def encoder(objects: Objects, call: Any, callbacks: dict) -> Callable[[Any], dict | None]:
    """The `special` of plain.pack for what the candidate sends in answer to one call."""
    torch = sys.modules.get("torch")

    def special(value: Any) -> dict | None:
        if torch is not None and isinstance(value, torch.Tensor):
            if not value.requires_grad:
                return None
            if call is not None and (value.grad_fn is not None or call.is_mine(value)):
                return {"k": Note.GRAPH, "call": call.number, "i": call.keep(value),
                        "t": value.detach()}
            gradient = value.grad
            return {"k": Note.PARAMETER, "h": objects.handle(value), "t": value.detach(),
                    "g": None if gradient is None else gradient.detach()}
        if isinstance(value, tuple) and hasattr(type(value), "_fields"):
            return named_tuple(value)
        note = values.encode(value)
        if note is not None:
            return note
        if isinstance(value, np.ndarray | np.generic) and value.dtype.kind not in "biufcUS":
            return objects.describe(value)
        if isinstance(value, DATA) or (torch is not None and isinstance(value, torch.dtype)):
            return None
        if isinstance(value, types.ModuleType):
            return {"k": Note.MODULE, "name": value.__name__}
        mine = callbacks.get(id(value))
        if mine is not None:
            return {"k": Note.OURS, "i": mine}
        return objects.describe(value)

    return special


def named_tuple(value: Any) -> dict | None:
    """A named tuple of plain data with its names; None (an ordinary tuple) otherwise."""
    fields = [str(name) for name in type(value)._fields]
    note = {"k": Note.TUPLE, "name": type(value).__name__, "fields": fields, "values": list(value)}
    try:
        plain.pack(note)
    except plain.NotPlain:
        return None
    return note


def decoder(objects: Objects, call: Any,
            make_callback: Callable[[int, str, str | None], Callable]) -> Callable[[dict], Any]:
    """The `special` of plain.unpack for what the examiner sends with one request."""

    def special(note: dict) -> Any:
        kind = note["k"]
        if kind == Note.REF:
            return objects.of_handle[note["h"]]
        if kind == Note.FUNCTION:
            return make_callback(note["i"], note["name"], note["doc"])
        if kind == Note.GLOBAL:
            return look_up(note["m"], note["q"])
        if kind == Note.LEAF:
            return call.receive(note["t"], note["leaf"])
        if kind == Note.GENERATOR:
            return generator(note)
        if kind == Note.VALUE:
            return values.decode(note)
        if kind == Note.PICKLE:  # written by the examiner, who is trusted
            return pickle.loads(note["b"])
        raise plain.Malformed(f"unknown kind {kind!r}")

    return special


def look_up(module: str, qualname: str) -> Any:
    """An object of an importable module by its dotted name."""
    found = importlib.import_module(module)
    for part in qualname.split(".") if qualname else ():
        found = getattr(found, part)
    return found


def generator(note: dict) -> Any:
    """A random generator in the state that the examiner's one has."""
    kind, state = note["kind"], note["state"]
    if kind == "random.Random":
        made = random.Random()
        made.setstate((state[0], tuple(state[1]), state[2]))
        return made
    if kind == "torch.Generator":
        made = sys.modules["torch"].Generator()
        made.set_state(state)
        return made
    if kind == "RandomState":
        legacy = np.random.RandomState()
        legacy.set_state(state)
        return legacy
    bits = getattr(np.random, kind)()
    bits.state = state
    return np.random.Generator(bits)


def _text(value: object) -> str | None:
    return value[:4000] if isinstance(value, str) else None
