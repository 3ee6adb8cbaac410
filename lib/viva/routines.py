"""Which library routines a student's code runs, seen while it runs and not read off its text.

An alias in another cell, an import under another name, a library's object behind a class of the
student's: the call itself is seen, by `check` and in the exam. It shares a process with the
student's code, which could switch it off; the text of the cell is read as well.
"""

import functools
import os
import sys
import sysconfig
import threading
from collections.abc import Iterable
from types import FrameType
from typing import Any

LIBRARIES = tuple({os.path.join(path, "") for path in (
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    os.path.dirname(__file__))})
METHODS = ("__init__", "__call__", "forward", "step")  # where a library's object does its work


@functools.cache
def is_library(filename: str) -> bool:
    """Whether a file belongs to Python, an installed package or the student kit."""
    return filename.startswith(LIBRARIES) or filename.startswith("<frozen ")


class Watch:
    """While it is active, notes which of some routines are called from the student's own code.

    words: last names of functions or classes, such as "softmax" or "AdamW"
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words, self.used = frozenset(words), ""

    def __enter__(self) -> "Watch":
        if self.words:
            self.before = sys.getprofile()
            threading.setprofile(self.see)
            sys.setprofile(self.see)
        return self

    def __exit__(self, *_: object) -> None:
        if self.words:
            sys.setprofile(self.before)
            threading.setprofile(None)

    def see(self, frame: FrameType, event: str, what: Any) -> None:
        if event == "call":
            self.python_call(frame)
        elif event == "c_call" and getattr(what, "__name__", "") in self.words:
            if not is_library(frame.f_code.co_filename):
                self.used = what.__name__

    def python_call(self, frame: FrameType) -> None:
        code = frame.f_code
        if not is_library(code.co_filename):
            return  # a function of the student's own, whatever its name
        caller = frame.f_back
        if word := self.owner(frame):  # a method: a library calls it through wrappers of its own
            while caller is not None and is_library(caller.f_code.co_filename):
                caller = caller.f_back
        elif code.co_name in self.words:
            word = code.co_name
        if word and caller is not None and not is_library(caller.f_code.co_filename):
            self.used = word

    def owner(self, frame: FrameType) -> str:
        """The class among the words whose method this call is, its own or an inherited one."""
        code = frame.f_code
        first, dot, _ = getattr(code, "co_qualname", "").partition(".")  # of Python 3.11 on
        if dot and first in self.words:
            return first
        if code.co_name in METHODS and code.co_varnames[:1] == ("self",):
            kind = type(frame.f_locals.get("self"))
            module = sys.modules.get(kind.__module__)
            if kind.__name__ in self.words and is_library(getattr(module, "__file__", "") or ""):
                return kind.__name__
        return ""
