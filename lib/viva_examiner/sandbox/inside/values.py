"""Values of libraries that cross as data: dates, exact numbers, containers, tables, formulas.

Used on both sides: `encode` gives a plain note that stands for a value, `decode` builds the value
from the note alone. Nothing is evaluated on the way, and whatever is odd raises.
"""

import collections
import datetime
import decimal
import fractions
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from viva import plain
from viva_examiner.sandbox.inside import expressions, protocol, tables, word_lists

DATA = (*protocol.DATA, np.ndarray, np.generic, np.dtype)  # classes whose objects cross as data
FACTORIES = {kind.__name__: kind for kind in (int, float, str, list, dict, set, tuple, bool)}
MAX_DIGITS = 10_000


def encode(value: Any) -> dict | None:
    """A plain note that stands for the value; None if it is not one of these, or not plain."""
    write = WRITERS.get(type(value)) or _of_a_library(value)
    if write is None:
        return None
    try:
        note = {"k": protocol.Note.VALUE, **write(value)}
        plain.pack(note)
        if note["t"] == "pandas":
            decode(note)  # what cannot be read again stays here
        elif note["t"] == "sympy" and decode(note) != value:
            return None
    except Exception:
        return None
    return note


def decode(note: dict) -> Any:
    """The value that a note describes. Raises for anything that `encode` does not write."""
    return READERS[note["t"]](note)


def _of_a_library(value: Any) -> Callable[[Any], dict] | None:
    """How a value of numpy, pandas or sympy is written, if it is one and they are imported."""
    if isinstance(value, np.ndarray | np.generic):
        if type(value) is np.matrix:
            return lambda v: {"t": "matrix", "v": np.asarray(v)}
        if type(value) is np.ma.MaskedArray:
            return lambda v: {"t": "masked", "v": np.asarray(v.data), "m": np.ma.getmaskarray(v)}
        if value.dtype.kind in "mM":
            return _write_times
        return _write_objects if type(value) is np.ndarray and value.dtype.kind == "O" else None
    module = type(value).__module__.partition(".")[0]
    if module == "pandas" and "pandas" in sys.modules:
        return tables.writer(value)
    if module == "sympy" and "sympy" in sys.modules:
        return expressions.writer(value)
    return None


def _write_times(value: Any) -> dict:
    numbers = np.asarray(value).view(np.int64)
    return {"t": "np64", "v": numbers, "dtype": value.dtype.str,
            "scalar": isinstance(value, np.generic)}


def _read_times(note: dict) -> Any:
    dtype = np.dtype(str(note["dtype"]))
    if dtype.kind not in "mM":
        raise plain.Malformed("not a dtype of times")
    found = np.asarray(note["v"], np.int64).view(dtype)
    return found[()] if note["scalar"] is True else found


def _write_objects(value: np.ndarray) -> dict:
    return {"t": "objects", "v": value.reshape(-1).tolist(), "shape": list(value.shape)}


def _read_objects(note: dict) -> np.ndarray:
    found = np.empty(len(note["v"]), dtype=object)
    for i, each in enumerate(note["v"]):
        found[i] = each
    return found.reshape([int(size) for size in note["shape"]])


def _write_moment(value: Any) -> dict:
    if value.tzinfo not in (None, datetime.UTC):
        raise TypeError("a time zone")
    return {"t": type(value).__name__, "v": value.replace(tzinfo=None).isoformat(),
            "utc": value.tzinfo is not None, "fold": value.fold}


def _read_moment(kind: Any) -> Callable[[dict], Any]:
    def read(note: dict) -> Any:
        zone = datetime.UTC if note["utc"] is True else None
        return kind.fromisoformat(note["v"]).replace(tzinfo=zone, fold=int(note["fold"]))
    return read


def _read_decimal(note: dict) -> decimal.Decimal:
    if len(note["v"]) > MAX_DIGITS:
        raise plain.Malformed("too many digits")
    return decimal.Decimal(note["v"])


def _read_defaultdict(note: dict) -> dict:
    return collections.defaultdict(FACTORIES.get(note["factory"]), map(tuple, note["v"]))


def _write_defaultdict(value: collections.defaultdict) -> dict:
    factory = value.default_factory
    if factory is not None and FACTORIES.get(getattr(factory, "__name__", "")) is not factory:
        raise TypeError("a factory of its own")
    return {"t": "defaultdict", "v": list(map(list, value.items())),
            "factory": factory.__name__ if factory else ""}


WRITERS = {
    datetime.date: lambda v: {"t": "date", "v": v.isoformat()},
    datetime.datetime: _write_moment,
    datetime.time: _write_moment,
    datetime.timedelta: lambda v: {"t": "timedelta", "v": [v.days, v.seconds, v.microseconds]},
    decimal.Decimal: lambda v: {"t": "Decimal", "v": str(v)},
    fractions.Fraction: lambda v: {"t": "Fraction", "v": [v.numerator, v.denominator]},
    pathlib.PosixPath: lambda v: {"t": "path", "v": str(v)},
    collections.Counter: lambda v: {"t": "Counter", "v": list(map(list, v.items()))},
    collections.OrderedDict: lambda v: {"t": "OrderedDict", "v": list(map(list, v.items()))},
    collections.defaultdict: _write_defaultdict,
    collections.deque: lambda v: {"t": "deque", "v": list(v), "most": v.maxlen},
    frozenset: lambda v: {"t": "frozenset", "v": list(v)},
    bytearray: lambda v: {"t": "bytearray", "v": bytes(v)},
    word_lists.WordList: lambda v: v.note,
}
READERS = {
    "date": lambda n: datetime.date.fromisoformat(n["v"]),
    "datetime": _read_moment(datetime.datetime),
    "time": _read_moment(datetime.time),
    "timedelta": lambda n: datetime.timedelta(*map(int, n["v"])),
    "Decimal": _read_decimal,
    "Fraction": lambda n: fractions.Fraction(*map(int, n["v"])),
    "path": lambda n: pathlib.Path(str(n["v"])),
    "Counter": lambda n: collections.Counter(dict(map(tuple, n["v"]))),
    "OrderedDict": lambda n: collections.OrderedDict(map(tuple, n["v"])),
    "defaultdict": _read_defaultdict,
    "deque": lambda n: collections.deque(n["v"], n["most"]),
    "frozenset": lambda n: frozenset(n["v"]),
    "bytearray": lambda n: bytearray(n["v"]),
    "np64": _read_times,
    "objects": _read_objects,
    "matrix": lambda n: np.matrix(np.asarray(n["v"])),
    "masked": lambda n: np.ma.MaskedArray(n["v"], mask=np.asarray(n["m"], bool)),
    "pandas": tables.read,
    "sympy": expressions.read,
    "words": word_lists.read,
}
