"""Whether the methods of a student's classes change the arrays that they are given."""

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FunctionType
from typing import Any

import numpy as np

CALLED = ("__init__", "__call__")  # of Python's own methods; the others are not for callers


@contextmanager
def watched(candidates: tuple, names: tuple[str, ...]) -> Iterator[set[str]]:
    """A set that fills, while the block runs, with the methods that changed an argument.

    names: of the candidates; those that are no classes are left alone
    """
    changed: set[str] = set()
    with ExitStack() as restore:
        for candidate, name in zip(candidates, names, strict=True):
            if isinstance(candidate, type):
                for word, member in list(vars(candidate).items()):
                    if isinstance(member, FunctionType) and (
                            word in CALLED or not word.startswith("__")):
                        label = name if word == "__init__" else f"{name}.{word}"
                        setattr(candidate, word, _watching(member, label, changed))
                        restore.callback(setattr, candidate, word, member)
        yield changed


def _watching(method: Callable, name: str, changed: set[str]) -> Callable:
    inside: list[bool] = []

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if inside:  # called by itself, perhaps on an array of its own
            return method(self, *args, **kwargs)
        given = [arg for arg in (*args, *kwargs.values()) if isinstance(arg, np.ndarray)]
        before = [arg.copy() for arg in given]
        inside.append(True)
        try:
            return method(self, *args, **kwargs)
        finally:
            inside.clear()
            if any(a.tobytes() != b.tobytes() for a, b in zip(given, before, strict=True)):
                changed.add(name)

    return call
