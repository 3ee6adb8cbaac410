"""The methods by which Python's own syntax asks an object (`len`, `for`, `+`, `with`).

A stand-in has those of them that its class has over there. So `isinstance(x, Iterable)`,
`hasattr(x, "__len__")` and a key of a dict are answered as in one kernel.
"""

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from viva_examiner.sandbox.bridge.forwarding import (
    ask,
    check_settled,
    handle_of,
    judges,
    number,
    settled,
    text_of,
)
from viva_examiner.sandbox.bridge.operators import operators
from viva_examiner.sandbox.bridge.remote_iterator import RemoteIterator
from viva_examiner.sandbox.errors import (
    CandidateDied,
    CandidateTimeout,
    CannotCross,
    NotData,
    Undecided,
)

if TYPE_CHECKING:
    from viva_examiner.sandbox.bridge.proxies import Proxy

OURS = (AssertionError, CannotCross, NotData, CandidateDied, CandidateTimeout)


def stand_in(base: type, special: frozenset[str]) -> type:
    """The class of stand-ins for objects whose class has these methods beside `object`'s."""
    return _stand_in(base, frozenset(special & METHODS.keys()))


@functools.lru_cache(maxsize=1024)
def _stand_in(base: type, special: frozenset[str]) -> type:
    methods = {name: METHODS[name] for name in special}
    return type(base.__name__, (base,), {"__hash__": None, **methods})


def length(self: "Proxy") -> int:
    check_settled(self)
    return int(ask(self, "builtins", "len", self))


def steps(self: "Proxy") -> Iterator:
    check_settled(self)
    return RemoteIterator(ask(self, "builtins", "iter", self))


def backwards(self: "Proxy") -> Iterator:
    check_settled(self)
    return RemoteIterator(ask(self, "builtins", "reversed", self))


def next_step(self: "Proxy") -> Any:
    return next(RemoteIterator(self))


def contains(self: "Proxy", item: object) -> bool:
    if self.__dict__.get("_viva_made") and judges(self):
        return ask(self, "operator", "contains", self, item) is True
    try:
        found = iter(self)
    except (NotData, TypeError, AttributeError):
        raise Undecided(f"the test uses `in` on a {self._viva[1]['type']} of the candidate "
                        "that cannot be listed; what it says of itself proves nothing") from None
    return any(each is item or each == item for each in found)


def get_item(self: "Proxy", key: object) -> Any:
    check_settled(self)
    return ask(self, "operator", "getitem", self, key)


def set_item(self: "Proxy", key: object, value: object) -> None:
    ask(self, "operator", "setitem", self, key, value)


def delete_item(self: "Proxy", key: object) -> None:
    ask(self, "operator", "delitem", self, key)


def truth(self: "Proxy") -> bool:
    return ask(self, "builtins", "bool", self) is True


def as_float(self: "Proxy") -> float:
    value = settled(self, "float")
    return float(number(ask(self, "builtins", "float", self) if value is None else value))


def as_int(self: "Proxy") -> int:
    value = settled(self, "int")
    return int(number(ask(self, "builtins", "int", self) if value is None else value))


def as_index(self: "Proxy") -> int:
    value = settled(self, "int")
    return int(number(ask(self, "operator", "index", self) if value is None else value))


def rounded(self: "Proxy", digits: int | None = None) -> Any:
    return round(as_float(self), digits) if not self.__dict__.get("_viva_made") else ask(
        self, "builtins", "round", self, *(() if digits is None else (digits,)))


def formatted(self: "Proxy", how: str) -> str:
    return text_of(ask(self, "builtins", "format", self, how))


def hashed(self: "Proxy") -> int:
    """By which a test finds it in a dict: what its class says, if the test knows the class."""
    found = ask(self, "builtins", "hash", self) if judges(self) else handle_of(self)
    return hash(number(found))


def enter(self: "Proxy") -> Any:
    return ask(self, "builtins", "getattr", self, "__enter__")()


def leave(self: "Proxy", kind: type | None, error: BaseException | None, trace: object) -> bool:
    """It hears the name of what went wrong, no words of the test, and swallows no finding of it."""
    engines = error is not None and (isinstance(error, OURS) or not isinstance(error, Exception)
                                     or getattr(error, "viva_engine_error", False))
    if isinstance(error, CandidateDied):
        return False
    name = "" if kind is None else ("RuntimeError" if engines and not isinstance(
        error, AssertionError) else kind.__name__)
    swallows = ask(self, "viva_examiner.sandbox.inside.failures", "leave", self, name)
    return swallows is True and not engines


METHODS = {
    "__len__": length, "__iter__": steps, "__reversed__": backwards, "__next__": next_step,
    "__contains__": contains, "__getitem__": get_item, "__setitem__": set_item,
    "__delitem__": delete_item, "__bool__": truth, "__float__": as_float, "__int__": as_int,
    "__index__": as_index, "__round__": rounded, "__format__": formatted, "__hash__": hashed,
    "__enter__": enter, "__exit__": leave, **operators()}
