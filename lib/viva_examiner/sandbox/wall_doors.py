"""Calls of libraries that run or read what they are given, and that no audit hook sees."""

import functools
import importlib
import os
import re
import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

from viva_examiner.sandbox import wall_rules as rules
from viva_examiner.sandbox.wall import PLACE, TEXT, WALL

GUARDED = "_viva_guarded"


def _names(maker: Any, name: Any, *args: Any, **options: Any) -> None:
    """yaml, asked for an object by its name: as a pickle is."""
    if not (isinstance(name, str) and name in WALL.source):
        WALL.refuse(TEXT, "yaml")


def _runs_a_file(f: Any, *args: Any, **options: Any) -> None:
    path = rules.path_of(f) or rules.path_of(getattr(f, "name", None))
    if not WALL.is_staffs(os.path.realpath(path) if path else ""):
        WALL.refuse(TEXT, "torch.jit")


def _compiles(unit: Any, text: Any = None, *args: Any, **options: Any) -> None:
    """TorchScript, which can open files."""
    if isinstance(text, str) and rules.bare(text) not in rules.bare(WALL.source):
        WALL.refuse(TEXT, "torch.jit")


def _reads(filename: Any, *args: Any, **options: Any) -> None:
    WALL.check_path(rules.path_of(filename), by_test=True)


def _resolves(settings: Any, s: Any) -> None:
    """A class or function that settings for logging name, to be called."""
    if isinstance(s, str) and s not in WALL.source and not re.fullmatch(
            r"logging(\.handlers)?\.\w+|sys\.std(out|err)", s):
        WALL.refuse(TEXT, "logging")


def _speaks_to(process: Any, args: Any, *places: Any, **options: Any) -> None:
    """A process that reads its input, which may be what it runs."""
    stdin = places[2] if len(places) > 2 else options.get("stdin")
    if stdin not in (None, subprocess.DEVNULL):
        WALL.refuse(TEXT, "a process that gets input")


def _fills(formatter: Any, field_name: Any, *args: Any, **options: Any) -> None:
    if isinstance(field_name, str) and field_name not in WALL.source and looks_behind(field_name):
        WALL.refuse(PLACE, "a format")


def _fills_a_record(style: Any, record: Any) -> None:
    for field in _fields(style._fmt):
        _fills(None, field)


DOORS: dict[str, dict[str, Callable[..., None]]] = {
    "yaml.constructor": {"FullConstructor.find_python_name": _names,
                         "FullConstructor.find_python_module": _names},
    "logging.config": {"BaseConfigurator.resolve": _resolves},
    "subprocess": {"Popen.__init__": _speaks_to},
    "string": {"Formatter.get_field": _fills},
    "logging": {"StrFormatStyle._format": _fills_a_record},
    "torch": {"from_file": _reads, "jit.load": _runs_a_file,
              "jit.CompilationUnit.__init__": _compiles,
              "jit.CompilationUnit.define": _compiles, "jit.ScriptModule.define": _compiles},
    "safetensors.torch": {"load_file": _reads},
    "safetensors.numpy": {"load_file": _reads},
    "cffi": {"FFI.dlopen": lambda ffi, name=None, *args, **more: _reads(name)},
}


def watch(source: str) -> None:
    """Before a test: puts a guard in front of each of these that is loaded, or about to be."""
    words = set(rules.WORD.findall(source))
    for module, doors in DOORS.items():
        if module not in sys.modules and module.partition(".")[0] in words:
            try:
                importlib.import_module(module)
            except ImportError:
                continue
        for path, look in doors.items() if module in sys.modules else ():
            *holders, name = path.split(".")
            owner = functools.reduce(getattr, holders, sys.modules[module])
            before = getattr(owner, name, None)
            if before is not None and not hasattr(before, GUARDED):
                setattr(owner, name, _guarded(before, look))


def _guarded(call: Any, look: Callable[..., None]) -> Any:
    @functools.wraps(call)
    def guarded(*args: Any, **options: Any) -> Any:
        if WALL.stands():
            with WALL.standing(False):
                look(*args, **options)
        return call(*args, **options)

    setattr(guarded, GUARDED, True)
    return guarded


def formatting(value: Any, how: str) -> Any:
    """`value.format` or `value.format_map` of a test. What a student's text is filled with may be
    looked into, but not behind: `{0.__init__.__globals__}` holds all that the test knows.
    """
    call = getattr(value, how)
    if type(value) is not str and value is not str:
        return call

    def format_it(*args: Any, **options: Any) -> str:
        text = args[0] if value is str else value
        if WALL.stands() and isinstance(text, str) and text not in WALL.source:
            with WALL.standing(False):
                if any(map(looks_behind, _fields(text))):
                    WALL.refuse(PLACE, "a format")
        return call(*args, **options)

    return format_it


def looks_behind(field: str) -> bool:
    return "._" in field or "[_" in field


def _fields(text: str) -> Iterator[str]:
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return
    for _, field, spec, _ in parts:
        yield field or ""
        if spec:
            yield from _fields(spec)
