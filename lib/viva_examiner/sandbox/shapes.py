"""Classes and functions that a pickle names stay what they are.

A pickle builds objects, and what it builds on may be a class that it names: `Fraction.__eq__` is
then what a student wants it to be, for every test below.
"""

import functools
import sys
import types
from typing import Any

GROWN = frozenset({"__slotnames__", "__annotations__"})  # what Python itself writes down there
PARTS = ("__code__", "__defaults__", "__kwdefaults__")


class Shapes:
    """What was named, as it was before."""

    def __init__(self) -> None:
        self.kept: list[tuple[Any, dict[str, Any]]] = []

    def keep(self, module: str, name: str) -> None:
        """Before a pickle gets hold of it; with the classes that it is made of."""
        try:
            __import__(module)
            found = functools.reduce(getattr, name.split("."), sys.modules[module])
        except (ImportError, AttributeError):
            return  # which the pickle will say as well
        known = {id(owner) for owner, _ in self.kept}
        for owner in found.__mro__ if isinstance(found, type) else (found,):
            if id(owner) not in known and isinstance(owner, type | types.FunctionType):
                self.kept.append((owner, _shape(owner)))

    def put_back(self) -> str:
        """The name of one that has changed since, after all are what they were; usually empty."""
        changed = ""
        for owner, before in self.kept:
            now = _shape(owner)
            for part in before.keys() | now.keys():
                if before.get(part, GROWN) is now.get(part, GROWN):
                    continue
                changed = owner.__name__
                if part in before:
                    setattr(owner, part, before[part])
                else:
                    delattr(owner, part)
        self.kept.clear()
        return changed


def _shape(owner: Any) -> dict[str, Any]:
    if isinstance(owner, type):
        return {part: value for part, value in vars(owner).items() if part not in GROWN}
    return {part: getattr(owner, part) for part in PARTS} | vars(owner)
