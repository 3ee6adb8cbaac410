"""Operators between the candidate's objects, and between them and data of the test."""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from viva_examiner.sandbox.bridge.forwarding import ask, check_judge, given_up
from viva_examiner.sandbox.errors import Undecided
from viva_examiner.sandbox.inside.protocol import ARITHMETIC, ORDER, UNARY

if TYPE_CHECKING:
    from viva_examiner.sandbox.bridge.proxies import Proxy


def is_proxy(value: object) -> bool:
    """Whether this stands for something of the candidate's."""
    return "_viva" in getattr(value, "__dict__", ())


def made(result: Any) -> Any:
    """Mark an object that the test itself asked for: by calling its class, or by an operator."""
    if is_proxy(result) and result._viva[1]["kind"] == "instance":
        result.__dict__["_viva_made"] = True
    return result


def operators() -> dict[str, Callable]:
    """Arithmetic and order: between two objects over there, with our data on what they give up."""
    found: dict[str, Callable] = {}
    for name in ARITHMETIC:
        word = f"{name}_" if name in ("and", "or") else name
        found[f"__{name}__"] = _forward(word, reflected=False)
        found[f"__r{name}__"] = _forward(word, reflected=True)
        found[f"__i{name}__"] = _in_place(f"i{name}")
    found |= {f"__{name}__": _forward(name, reflected=False) for name in ORDER}
    return found | {f"__{name}__": _unary(name) for name in UNARY}


def _forward(name: str, reflected: bool) -> Callable:
    def method(self: "Proxy", other: Any) -> Any:
        check_judge(self, name)
        pair = (other, self) if reflected else (self, other)
        if is_proxy(other):
            check_judge(other, name)
            return made(ask(self, "operator", name, *pair))
        if self.__dict__.get("_viva_made") and name not in ORDER:
            result = ask(self, "operator", name, *pair)
            if is_proxy(result):  # an object again, which decides nothing yet
                return made(result)
        data = given_up(self, other, name)
        return getattr(operator, name)(*((other, data) if reflected else (data, other)))
    return method


def _in_place(name: str) -> Callable:
    def method(self: "Proxy", other: Any) -> Any:
        check_judge(self, name)
        if is_proxy(other):
            check_judge(other, name)
        result = ask(self, "operator", name, self, other)
        if not is_proxy(result):
            raise Undecided(f"the test uses {name} of a {self._viva[1]['type']} that becomes a "
                            f"{type(result).__name__}; what it says of itself proves nothing")
        return made(result)
    return method


def _unary(name: str) -> Callable:
    def method(self: "Proxy") -> Any:
        check_judge(self, name)
        if not self.__dict__.get("_viva_made"):
            raise Undecided(f"the test uses {name} of a {self._viva[1]['type']} that the "
                            "candidate handed to it; what it says of itself proves nothing")
        return made(ask(self, "operator", name, self))
    return method
