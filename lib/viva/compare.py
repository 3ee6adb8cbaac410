"""Compare an answer with the expected one, and say in plain words what differs and where.

The order of the questions is always the same: structure and type, shape (nothing is broadcast
away), dtype, finite, values. The first that fails is the one reported, at its first wrong index.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

_measuring: list[list[float]] = []


@contextmanager
def measured() -> Iterator[list[float]]:
    """A list that fills with the largest error of each comparison, in multiples of its tolerance.

    `viva audit` judges tolerances by it: right answers far below 1, wrong ones far above.
    """
    _measuring.append([])
    try:
        yield _measuring[-1]
    finally:
        _measuring.pop()


def _measure(gap: Any, tolerance: Any) -> None:
    if _measuring and np.size(gap):
        gap = np.nan_to_num(gap, nan=0.0, posinf=np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(gap > 0, np.divide(gap, tolerance), 0.0)
        _measuring[-1].append(float(np.max(ratio)))


HEADLINES = {
    "type": "wrong type",
    "shape": "wrong shape",
    "dtype": "wrong dtype",
    "finite": "not finite",
    "values": "values differ",
    "property": "a property does not hold",
    "raised": "not the exception that is asked for",
}
NOTHING_RAISED = "no exception"  # the word of `viva.case.outcome`


@dataclass(frozen=True)
class Difference:
    """What differs first between an answer and the expected one; all in words for a student."""

    kind: str  # one of HEADLINES
    got: str
    expected: str
    at: str = ""  # the index in an array
    whole: str = ""  # what the array is, or how much of it is wrong
    path: tuple = ()  # (key or index, how many there are): the way to it in a nested answer
    instead: str = ""  # of a dict with other keys than expected: the first of them, and its value

    @property
    def headline(self) -> str:
        if self.kind == "raised" and self.got == NOTHING_RAISED:
            return f"should raise {self.expected}"
        if self.kind == "raised" and self.expected == NOTHING_RAISED:
            return f"raised {self.got}"
        return HEADLINES[self.kind]

    @property
    def where(self) -> str:
        """The way to it, in words; empty where the answer is one thing (see `viva.places`)."""
        return ", ".join(f"number {key + 1} of {count}" if isinstance(key, int) else f"{key}"
                         for key, count in self.path)

    def __str__(self) -> str:
        """The answer beside the expected one."""
        if self.kind == "property":
            return self.got
        whole = f" ({self.whole})" if self.whole else ""
        at = f" at {self.at}" if self.at else ""
        return f"{self.got}{at}, expected {self.expected}{whole}"


def difference(got: Any, expected: Any, rtol: float, atol: float,
               dtype: bool = True) -> Difference | None:
    """The first Difference between two trees of plain data, or None when they agree.

    rtol, atol: |got - expected| <= atol + rtol |expected|, entry by entry; only infinity is
        near infinity
    dtype: whether arrays must have the expected dtype as well
    """
    if isinstance(expected, np.ndarray):
        return _array_difference(got, expected, rtol, atol, dtype)
    if isinstance(expected, dict):
        if not isinstance(got, dict) or set(got) != set(expected):
            other = [key for key in got if key not in expected] if isinstance(got, dict) else ()
            return Difference("type", _describe(got), _describe(expected),
                              instead=f"{other[0]}: {_plainly(got[other[0]])}" if other else "")
        pairs = ((got[key], expected[key], key) for key in expected)
        return _first_difference(pairs, len(expected), rtol, atol, dtype)
    if isinstance(expected, list | tuple):
        if not isinstance(got, list | tuple) or len(got) != len(expected):
            return Difference("type", _describe(got), _describe(expected))
        pairs = ((a, b, i) for i, (a, b) in enumerate(zip(got, expected, strict=True)))
        return _first_difference(pairs, len(expected), rtol, atol, dtype)
    if _is_array(expected):
        return _array_difference(got, expected, rtol, atol, dtype)
    if _is_number(expected):
        return _number_difference(got, expected, rtol, atol)
    if type(got) is not type(expected):
        return Difference("type", _describe(got), _describe(expected))
    if got != expected:
        return Difference("raised" if _is_outcome(expected) else "values",
                          _text(got), _text(expected))
    return None


def _first_difference(pairs: Iterable[tuple[Any, Any, Any]], count: int, rtol: float, atol: float,
                      dtype: bool) -> Difference | None:
    """Of (got, expected, key or index) one after the other."""
    for got, expected, key in pairs:
        found = difference(got, expected, rtol, atol, dtype)
        if found is not None:
            return replace(found, path=((key, count), *found.path))
    return None


def _array_difference(got: Any, expected: Any, rtol: float, atol: float,
                      dtype: bool) -> Difference | None:
    if type(got) is type(expected) is np.ndarray and got.dtype == expected.dtype and (
            got.shape == expected.shape and (got == expected).all()):
        return None  # bit by bit, as on the machine that made the expected ones
    same_kind = _is_array(got) and _is_tensor(got) == _is_tensor(expected)
    if not same_kind:
        return Difference("type", _describe(got), _describe(expected))
    if got.shape != expected.shape:
        return Difference("shape", _describe(got), f"shape {tuple(expected.shape)}")
    if dtype and got.dtype != expected.dtype:
        return Difference("dtype", _describe(got), _dtype(expected))
    a, b = _values(got), _values(expected)
    if a.dtype.kind in "US" or b.dtype.kind in "US":
        return _at_first(a != b, a, b, "values", _describe(got))
    not_finite = ~np.isfinite(a) & np.isfinite(b)
    if not_finite.any():
        count = f"{int(not_finite.sum())} of {not_finite.size} entries are NaN or infinite"
        return _at_first(not_finite, a, b, "finite", count)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(a - b)
        tolerance = np.where(np.isfinite(b), atol + rtol * np.abs(b), 0.0)
        _measure(gap, tolerance)
        wrong = ~((gap <= tolerance) | (a == b) | (np.isnan(a) & np.isnan(b)))
    return _at_first(wrong, a, b, "values", _describe(got))


def _at_first(wrong: np.ndarray, a: np.ndarray, b: np.ndarray, kind: str,
              whole: str) -> Difference | None:
    """The Difference at the first entry that is wrong, or None."""
    if not wrong.any():
        return None
    index = tuple(int(i) for i in np.argwhere(wrong)[0]) if wrong.ndim else ()
    return Difference(kind, _round(a[index], b[index]), _round(b[index], a[index]),
                      f"{list(index)}" if index else "", whole)


def _number_difference(got: Any, expected: Any, rtol: float, atol: float) -> Difference | None:
    if _is_array(got) and got.ndim == 0:
        got = _values(got).item()
    if not _is_number(got):
        return Difference("type", _describe(got), _describe(expected))
    truth = isinstance(expected, bool | np.bool_)
    if truth != isinstance(got, bool | np.bool_):
        return Difference("type", _describe(got), _describe(expected))
    if got == expected or (got != got and expected != expected):
        return None
    if truth:
        return Difference("property", f"{bool(got)}", f"{bool(expected)}")
    whole = type(got) is type(expected) is int
    gap = _in_range(abs(got - expected)) if whole else None
    got, expected = _in_range(got), _in_range(expected)
    if np.isfinite(expected) and not np.isfinite(got):
        return Difference("finite", f"{got}", _round(expected))
    gap = abs(got - expected) if gap is None else gap
    tolerance = atol + rtol * abs(expected) if np.isfinite(expected) else 0.0
    _measure(gap, tolerance)
    if gap <= tolerance:
        return None
    return Difference("values", _round(got, expected), _round(expected, got))


def _in_range(number: Any) -> Any:
    """A whole number that numpy has no room for, as a float; beyond those, as infinity."""
    if type(number) is not int or -2**63 <= number < 2**63:
        return number
    try:
        return float(number)
    except OverflowError:
        return np.inf if number > 0 else -np.inf


def _is_outcome(word: object) -> bool:
    """Whether a word says which exception was raised, if any."""
    return isinstance(word, str) and (word == NOTHING_RAISED or word.endswith(("Error", "Warning")))


def _text(value: Any) -> str:
    return value[:60] if _is_outcome(value) else f"{value!r:.60}"


def _is_tensor(value: object) -> bool:
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "detach")


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray) or _is_tensor(value)


def _is_number(value: object) -> bool:
    return type(value) is float or isinstance(value, bool | int | float | complex | np.generic)


def _values(array: Any) -> np.ndarray:
    if _is_tensor(array):
        array = array.detach().cpu()
        array = (array.double() if array.is_floating_point() else array).numpy()
    if array.dtype.kind in "fbiu":
        return array.astype(np.float64)
    return array


def _dtype(array: Any) -> str:
    return str(array.dtype).removeprefix("torch.")


def _round(number: Any, other: Any = None) -> str:
    """A number to as many places as tell it from the other one."""
    number = _in_range(number)
    if not isinstance(number, float | np.floating):
        return f"{number}"
    for places in (4, 6, 9, 13, 17):
        if other is None or f"{number:.{places}g}" != f"{other:.{places}g}":
            break
    return f"{number:.{places}g}"


def _names(mapping: Iterable) -> str:
    return ", ".join(sorted(map(str, mapping)))[:60]


def _plainly(value: object) -> str:
    """A short value as it is, anything else in words."""
    short = f"{value}"
    return short if len(short) <= 40 and "\n" not in short else _describe(value)


def _describe(value: Any) -> str:
    if _is_array(value):
        kind = "tensor" if _is_tensor(value) else "array"
        return f"{kind} {tuple(value.shape)} {_dtype(value)}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, dict):
        return f"a dict with keys {_names(value)}"
    if value is None:
        return "None (is a return missing?)"
    if isinstance(value, bool | np.bool_):
        return f"{bool(value)}"
    if _is_number(value):
        return f"the number {_round(value)}"
    return f"a {type(value).__name__}"
