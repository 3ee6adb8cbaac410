"""Libraries that look into the process they run in, pointed at the candidate during a test.

`inspect.getsource` of a student's function gives its text, `__main__` is the notebook, and what a
test puts in the place of `input` or `print` is what the student's code calls.
"""

import contextlib
import inspect
import sys
import types
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

from viva_examiner.sandbox.bridge.forwarding import ask
from viva_examiner.sandbox.bridge.proxies import Proxy
from viva_examiner.sandbox.session import Session

# what tests patch for the code that they test, where it is one function for all of Python
REPLACED = tuple(("builtins input print|time sleep time|random random randint choice uniform "
                  "shuffle sample").split("|"))
Lines = tuple[list[str], int]  # of a source, and the number of the first


@contextlib.contextmanager
def as_one_process(session: Session,
                   names: MutableMapping[str, Any]) -> Iterator[Callable[[], dict[str, Any]]]:
    """In this block, code of a test finds the student's functions where one kernel has them.

    Gives a function that tells what the test has put in the place of the libraries' own.
    """
    places = [(module, name) for module, *row in map(str.split, REPLACED) for name in row
              if module in sys.modules]
    originals = {place: getattr(sys.modules[place[0]], place[1]) for place in places}

    def patched() -> dict[str, object]:
        return {f"{module}.{name}": now for module, name in places if (
            now := getattr(sys.modules[module], name)) is not originals[module, name]}

    with contextlib.ExitStack() as stack:
        stack.enter_context(_replaced(inspect, "getsource", _getsource(inspect.getsource)))
        stack.enter_context(_replaced(inspect, "getsourcelines",
                                      _getsourcelines(inspect.getsourcelines)))
        main, sys.modules["__main__"] = sys.modules["__main__"], MainModule("__main__", names)
        stack.callback(sys.modules.__setitem__, "__main__", main)
        yield patched


class MainModule(types.ModuleType):
    """The module `__main__` of one kernel: its attributes are the names of the notebook."""

    def __init__(self, name: str, names: MutableMapping[str, Any]) -> None:
        super().__init__(name)
        self.__dict__["_viva_names"] = names

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_viva_names"][name]
        except KeyError:
            raise AttributeError(f"the notebook does not define {name}") from None

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__["_viva_names"][name] = value

    def __delattr__(self, name: str) -> None:
        del self.__dict__["_viva_names"][name]


@contextlib.contextmanager
def _replaced(module: types.ModuleType, name: str, value: object) -> Iterator[None]:
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def _text_of(thing: Any) -> str:
    """The source text of something of the student's; empty if it is ours, or has none."""
    owner = getattr(thing, "__self__", None)
    if isinstance(owner, Proxy):  # a method that every stand-in has itself, as `__init__`
        thing = ask(owner, "builtins", "getattr", owner, thing.__name__)
    return thing.__viva_source__ if isinstance(thing, Proxy) else ""


def _getsource(original: Callable[[Any], str]) -> Callable[[Any], str]:
    def getsource(thing: Any) -> str:
        if text := _text_of(thing):
            return text if text.endswith("\n") else text + "\n"
        return original(thing)

    return getsource


def _getsourcelines(original: Callable[[Any], Lines]) -> Callable[[Any], Lines]:
    def getsourcelines(thing: Any) -> Lines:
        if text := _text_of(thing):
            return text.splitlines(keepends=True), 1
        return original(thing)

    return getsourcelines
