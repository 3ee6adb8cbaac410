"""Operators between the candidate's objects, and between them and data of the test."""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from viva_examiner.sandbox.bridge.forwarding import ask, check_judge, given_up
from viva_examiner.sandbox.errors import Undecided

if TYPE_CHECKING:
    from viva_examiner.sandbox.bridge.proxies import Proxy

ORDER = ("lt", "le", "gt", "ge")


def is_proxy(value: object) -> bool:
    """Whether this stands for something of the candidate's."""
    return "_viva" in getattr(value, "__dict__", ())


def made(result: Any) -> Any:
    """Mark an object that the test itself asked for: by calling its class, or by an operator."""
    if is_proxy(result) and result._viva[1]["kind"] == "instance":
        result.__dict__["_viva_made"] = True
    return result


def add_operators(instance: type) -> None:
    """Arithmetic and order: between two objects over there, with our data on what they give up."""
    names = ("add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift").split()

    def forward(name: str, reflected: bool) -> Callable:
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

    for name in names:
        setattr(instance, f"__{name.strip('_')}__", forward(name, False))
        setattr(instance, f"__r{name.strip('_')}__", forward(name, True))
    for name in ORDER:
        setattr(instance, f"__{name}__", forward(name, False))
    for name in ("neg", "pos", "abs", "invert"):
        def unary(self: "Proxy", name: str = name) -> Any:
            check_judge(self, name)
            if not self.__dict__.get("_viva_made"):
                raise Undecided(f"the test uses {name} of a {self._viva[1]['type']} that the "
                                "candidate handed to it; what it says of itself proves nothing")
            return made(ask(self, "operator", name, self))
        setattr(instance, f"__{name}__", unary)
