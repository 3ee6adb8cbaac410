"""Stand-ins for the candidate's functions, classes and objects.

What a proxy returns is plain data or another proxy. Two rules keep a hostile object from
answering a test in its own favour. A proxy never hands a protocol of numpy or torch to the
library (an `__array_interface__` from a stranger would read our memory). And an object never
decides an operation with our data: its operators serve only two objects of its own kind, in a test
that calls their class by name; with a number or an array of the test, the data that the object
gives up takes its place, or a person has to look. Only an object that the test itself made may
answer an operation with another object of its own (`Vector(1, 2) * 3`). What kit and exams may ask
of a proxy (`__viva_…__`) is described in `viva.seam`.
"""

import inspect
import types
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from viva_examiner.sandbox.bridge import exceptions
from viva_examiner.sandbox.bridge.forwarding import (
    ask,
    call,
    given_up,
    handle_of,
    judges,
    known_base,
    settled,
    signature_of,
    text_of,
)
from viva_examiner.sandbox.bridge.operators import made
from viva_examiner.sandbox.bridge.remote_iterator import RemoteIterator
from viva_examiner.sandbox.errors import CandidateError, CannotCross, NotData
from viva_examiner.sandbox.inside.protocol import SPECIAL
from viva_examiner.sandbox.outputs import clean

if TYPE_CHECKING:
    from viva_examiner.sandbox.session import Session

PUBLIC_DUNDERS = ("__wrapped__", "__annotations__", "__defaults__", "__kwdefaults__", "__mro__",
                  "__init__", "__call__", "__code__", "__dataclass_fields__", "__flags__",
                  "__slots__", "__match_args__", "__abstractmethods__")
FUNCTIONS = {"function": types.FunctionType,
             "builtin_function_or_method": types.BuiltinFunctionType}


class Proxy:
    """An object of the candidate. Attributes, calls and operators happen over there."""

    __array_ufunc__ = None  # arithmetic with arrays comes to us, not element by element

    def __init__(self, session: "Session", note: dict) -> None:
        self.__dict__.update({
            "_viva": (session, note), "_viva_handed_over": session.handed_over,
            "__viva_mutated__": False, "__name__": note["name"],
            "__qualname__": note["name"], "__module__": note["module"], "__doc__": note["doc"]})
        session.codec.counts[note["h"]] += 1

    def __del__(self) -> None:
        session, note = self._viva
        counts, handle = session.codec.counts, note["h"]
        counts[handle] -= 1
        if counts[handle] <= 0 and note["kind"] != "class":
            del counts[handle]
            session.codec.dropped.add(handle)

    @property
    def __viva_kind__(self) -> str:
        return self._viva[1]["kind"]

    @property
    def __viva_pid__(self) -> int:
        return self._viva[0].pid

    @property
    def __viva_source__(self) -> str:
        """The source text: as the notebook has it, else as the candidate tells it, else empty."""
        if text := self.__dict__.get("_viva_text"):
            return text
        try:
            text = ask(self, "inspect", "getsource", self)
        except (CandidateError, TypeError, OSError):
            return ""
        return clean(text, 1 << 18)

    def __viva_watch_routines__(self, words: Iterable[str]) -> str:
        """From now on notice these library routines when the candidate's code runs them.

        Returns the one that was seen since the last call, or "".
        """
        session = self._viva[0]
        used, session.used, session.routines = session.used, "", tuple(words)
        return used

    def __viva_limited__(self, mb: float) -> AbstractContextManager[bool]:
        return self._viva[0].limited(mb)

    def __viva_call_in_candidate__(self, module: str, qualname: str, args: tuple,
                             kwargs: dict[str, Any]) -> Any:
        return self._viva[0].call_in_candidate(module, qualname, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name not in PUBLIC_DUNDERS:
            raise AttributeError(name)
        found = ask(self, "builtins", "getattr", self, name)
        self._viva[0].know(found, name)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        ask(self, "builtins", "setattr", self, name, value)

    def __delattr__(self, name: str) -> None:
        ask(self, "builtins", "delattr", self, name)

    def __dir__(self) -> Any:
        return ask(self, "builtins", "dir", self)

    def __repr__(self) -> str:
        return text_of(ask(self, "builtins", "repr", self))

    def __str__(self) -> str:
        return text_of(ask(self, "builtins", "str", self))

    def __hash__(self) -> int:
        return hash(self._viva[1]["h"])

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Proxy) and handle_of(other) == handle_of(self):
            return True
        if isinstance(other, Proxy):
            return judges(self) and judges(other) and ask(self, "operator", "eq", self, other)
        if not judges(self):
            return False
        return given_up(self, other, "==") == other

    def __ne__(self, other: object) -> Any:
        equal = type(self).__eq__(self, other)
        return not equal if isinstance(equal, bool | np.bool_) else ~equal

    def __copy__(self) -> Any:
        return ask(self, "copy", "copy", self)

    def __deepcopy__(self, memo: dict) -> Any:
        return ask(self, "copy", "deepcopy", self)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise CannotCross(f"the candidate's {self.__name__} cannot be pickled here")


class FunctionProxy(Proxy):
    """A function, builtin or bound method of the candidate."""

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return call(self, args, kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        return self  # put into a class of ours it stays a plain function

    @property  # type: ignore[misc]  # Python asks for it, and nobody sets it
    def __class__(self) -> type:
        return FUNCTIONS.get(self._viva[1]["type"], type(self))

    @property
    def __signature__(self) -> inspect.Signature:
        return signature_of(self)


class ClassProxy(FunctionProxy):
    """A class of the candidate; calling it makes an instance over there."""

    def __getattribute__(self, name: str) -> Any:
        if name not in SPECIAL:
            return super().__getattribute__(name)
        if name in self._viva[1]["special"]:
            return ask(self, "builtins", "getattr", self, name)
        return None if name == "__hash__" else getattr(object, name)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return made(call(self, args, kwargs))

    def __instancecheck__(self, instance: object) -> bool:
        if not isinstance(instance, InstanceProxy):
            return exceptions.is_named(instance, self.__name__)
        return ask(self, "builtins", "isinstance", instance, self) is True

    def __subclasscheck__(self, other: object) -> bool:
        if not isinstance(other, ClassProxy):
            return exceptions.is_named(other, self.__name__)
        return ask(self, "builtins", "issubclass", other, self) is True

    @property  # type: ignore[misc]  # Python asks for it, and nobody sets it
    def __class__(self) -> type:
        return type

    @property
    def __bases__(self) -> tuple:
        base = known_base(self) or exceptions.base_among(self._viva[1]["family"])
        return (base,) if base is not None else (object,)

    def __mro_entries__(self, bases: tuple) -> NoReturn:
        raise CannotCross(f"the test derives a class from the candidate's {self.__name__}")


class EnumProxy(ClassProxy):
    """An enumeration of the candidate: its members by name, and one after the other."""

    def __getitem__(self, name: object) -> Any:
        return ask(self, "operator", "getitem", self, name)

    def __iter__(self) -> Iterator:
        return RemoteIterator(ask(self, "builtins", "iter", self))


class InstanceProxy(Proxy):
    """An object of the candidate that is neither a function nor a class.

    The array that it gives up is what it gave up when it crossed. What Python's syntax may ask of
    it is in `special`.
    """

    @property  # type: ignore[misc]  # Python asks for it, and nobody sets it
    def __class__(self) -> type:
        return known_base(self) or type(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = settled(self, "array")
        array = ask(self, "numpy", "asarray", self) if array is None else array
        if not isinstance(array, np.ndarray):
            raise NotData(f"a {self.__name__} of the candidate is not an array")
        return array if dtype is None else array.astype(dtype)


class CallableProxy(InstanceProxy):
    """An instance that can be called, such as an nn.Module."""

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return call(self, args, kwargs)

