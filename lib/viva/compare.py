"""Compare an answer with the expected one, and say in plain words what differs and where.

The order of the questions is always the same: structure and type, shape (nothing is broadcast
away), dtype, finite, values. The first that fails is the one reported.
"""

from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

_measuring: list[list[float]] = []


@contextmanager
def measured():
    """A list that fills with the largest error of each comparison, in multiples of its tolerance.

    `viva audit` judges tolerances by it: right answers far below 1, wrong ones far above.
    """
    _measuring.append([])
    try:
        yield _measuring[-1]
    finally:
        _measuring.pop()


def _measure(gap, tolerance) -> None:
    if _measuring and np.size(gap):
        gap = np.nan_to_num(gap, nan=0.0, posinf=np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(gap > 0, np.divide(gap, tolerance), 0.0)
        _measuring[-1].append(float(np.max(ratio)))


@dataclass(frozen=True)
class Difference:
    """What differs first between an answer and the expected one."""

    kind: str  # type, shape, dtype, finite or values
    got: str  # what the student returned, in words
    where: str = ""  # which part of a nested answer
    detail: str = ""  # how large the difference is, and at which index

    @property
    def headline(self) -> str:
        wrong = {
            "type": "wrong type",
            "shape": "wrong shape",
            "dtype": "wrong dtype",
            "finite": "not finite",
            "values": "values differ",
        }[self.kind]
        return f"{wrong} in {self.where}" if self.where else wrong


def difference(got, expected, rtol: float, atol: float, dtype: bool = True, where: str = ""):
    """The first Difference between two trees of plain data, or None when they agree.

    rtol, atol: |got - expected| <= atol + rtol |expected|, entry by entry; only infinity is
        near infinity
    dtype: whether arrays must have the expected dtype as well
    """
    if isinstance(expected, np.ndarray):
        return _array_difference(got, expected, rtol, atol, dtype, where)
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return Difference("type", _describe(got), where, f"expected {_describe(expected)}")
        if set(got) != set(expected):
            return Difference("type", f"keys {_names(got)}", where, f"expected {_names(expected)}")
        pairs = ((got[key], expected[key], key) for key in expected)
        return _first_difference(pairs, rtol, atol, dtype, where)
    if isinstance(expected, list | tuple):
        if not isinstance(got, list | tuple) or len(got) != len(expected):
            return Difference("type", _describe(got), where, f"expected {_describe(expected)}")
        pairs = ((a, b, i) for i, (a, b) in enumerate(zip(got, expected, strict=True)))
        return _first_difference(pairs, rtol, atol, dtype, where)
    if _is_array(expected):
        return _array_difference(got, expected, rtol, atol, dtype, where)
    if _is_number(expected):
        return _number_difference(got, expected, rtol, atol, where)
    if type(got) is not type(expected):
        return Difference("type", _describe(got), where, f"expected {_describe(expected)}")
    if got != expected:
        return Difference("values", repr(got)[:60], where, f"expected {expected!r:.60}")
    return None


def _first_difference(pairs, rtol, atol, dtype, where):
    """Of (got, expected, key or index) one after the other."""
    for got, expected, key in pairs:
        found = difference(got, expected, rtol, atol, dtype)
        if found is not None:
            inside = f"[{key!r}]{found.where}"
            return replace(found, where=f"{where}{inside}")
    return None


def _array_difference(got, expected, rtol, atol, dtype, where):
    if type(got) is type(expected) is np.ndarray and got.dtype == expected.dtype and (
            got.shape == expected.shape and (got == expected).all()):
        return None  # bit by bit, as on the machine that made the expected ones
    same_kind = _is_array(got) and _is_tensor(got) == _is_tensor(expected)
    if not same_kind:
        return Difference("type", _describe(got), where, f"expected {_describe(expected)}")
    if got.shape != expected.shape:
        shape = f"expected shape {tuple(expected.shape)}"
        return Difference("shape", _describe(got), where, shape)
    if dtype and got.dtype != expected.dtype:
        return Difference("dtype", _describe(got), where, f"expected {_dtype(expected)}")
    a, b = _values(got), _values(expected)
    if a.dtype.kind in "US" or b.dtype.kind in "US":
        return None if (a == b).all() else Difference("values", _describe(got), where)
    not_finite = ~np.isfinite(a) & np.isfinite(b)
    if not_finite.any():
        count, index = int(not_finite.sum()), _index(not_finite)
        detail = f"{count} entries are NaN or infinite, the first at {index}"
        return Difference("finite", _describe(got), where, detail)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(a - b)
        tolerance = np.where(np.isfinite(b), atol + rtol * np.abs(b), 0.0)
        _measure(gap, tolerance)
        wrong = ~((gap <= tolerance) | (a == b) | (np.isnan(a) & np.isnan(b)))
    if not wrong.any():
        return None
    gap = np.where(wrong, np.nan_to_num(gap, nan=np.inf), -1.0)
    index = np.unravel_index(int(gap.argmax()), gap.shape)
    place = f" at {[int(i) for i in index]}" if gap.ndim else ""
    detail = f"largest difference {gap[index]:.3g}{place}"
    return Difference("values", _describe(got), where, detail)


def _number_difference(got, expected, rtol, atol, where):
    if _is_array(got) and got.ndim == 0:
        got = _values(got).item()
    if not _is_number(got):
        return Difference("type", _describe(got), where, "expected a number")
    if isinstance(expected, bool | np.bool_) != isinstance(got, bool | np.bool_):
        return Difference("type", _describe(got), where, f"expected {_describe(expected)}")
    if np.isfinite(expected) and not np.isfinite(got):
        return Difference("finite", f"{got}", where)
    if got == expected or (got != got and expected != expected):
        return None
    gap = abs(got - expected)
    tolerance = atol + rtol * abs(expected) if np.isfinite(expected) else 0.0
    _measure(gap, tolerance)
    if gap <= tolerance:
        return None
    return Difference("values", f"{_round(got)}", where, f"off by {gap:.3g}")


def _is_tensor(value) -> bool:
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "detach")


def _is_array(value) -> bool:
    return isinstance(value, np.ndarray) or _is_tensor(value)


def _is_number(value) -> bool:
    return type(value) is float or isinstance(value, bool | int | float | complex | np.generic)


def _values(array) -> np.ndarray:
    if _is_tensor(array):
        array = array.detach().cpu()
        array = (array.double() if array.is_floating_point() else array).numpy()
    if array.dtype.kind in "fbiu":
        return array.astype(np.float64)
    return array


def _dtype(array) -> str:
    return str(array.dtype).removeprefix("torch.")


def _round(number) -> str:
    return f"{number:.6g}" if isinstance(number, float | np.floating) else f"{number}"


def _index(mask) -> list[int]:
    return [int(i) for i in np.argwhere(mask)[0]] if mask.ndim else []


def _names(mapping) -> str:
    return ", ".join(sorted(map(str, mapping)))[:60]


def _describe(value) -> str:
    if _is_array(value):
        kind = "tensor" if _is_tensor(value) else "array"
        return f"{kind} {tuple(value.shape)} {_dtype(value)}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, dict):
        return f"a dict with keys {_names(value)}"
    if value is None:
        return "None (is a return missing?)"
    if _is_number(value):
        return f"the number {_round(value)}"
    return f"a {type(value).__name__}"
