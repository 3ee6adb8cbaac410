"""What can be seen of a wrong answer whose cause is not known: facts, computed, never guessed.

A ladder: the first rung that holds is reported. A rung speaks only if it reproduces the student's
numbers, and if these are so many and so different that it could not hold by accident: zeros, ones
and equal numbers prove nothing.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Same = Callable[[np.ndarray, np.ndarray], bool]  # whether two arrays agree
ENOUGH = 3  # different numbers, other than 0 and 1, that must agree before a pattern is one
SMALL = 1e-5  # errors up to here, relative to the largest entry, are called small

def noticed(got: Any, expected: Any, rtol: float, atol: float) -> str:
    """A sentence about how an answer relates to the expected one; empty if nothing is seen."""
    for a, b, right_dtype, whole in _pairs(got, expected):
        def same(x: np.ndarray, y: np.ndarray) -> bool:
            return x.shape == y.shape and bool(
                np.allclose(x, y, rtol=max(rtol, 1e-9), atol=max(atol, 1e-12)))

        if same(a, b):
            if not right_dtype:
                return "the values are right; only their dtype is not"
            continue
        if not np.isfinite(a).all() or not np.isfinite(b).all():
            return ""
        rungs = SHAPES if a.shape != b.shape else VALUES if whole else RELATIONS
        found = next(filter(None, (rung(a, b, same) for rung in rungs)), "")
        if found or whole or len(a) != len(b) or a.ndim < 2:
            return found
        parts = zip(got, expected, strict=True)  # no relation of all: that of the first wrong one
        return next((noticed(*pair, rtol, atol) for pair, x, y in zip(parts, a, b, strict=True)
                     if not same(x, y)), "")
    return ""


def _pairs(got: Any, expected: Any) -> Iterator[tuple[np.ndarray, np.ndarray, bool, bool]]:
    """(answer, expected, whether its dtype is right, whether it is one array) of both's parts.

    Numbers that stand side by side, and steps of one shape, are compared as one array; but they are
    no rows and columns.
    """
    one, other = _array(got), _array(expected)
    if one is not None and other is not None:
        whole = not isinstance(expected, list | tuple)
        right = getattr(got, "dtype", None) == getattr(expected, "dtype", None)
        yield one, other, right, whole
        return
    if isinstance(got, dict) and isinstance(expected, dict):
        got, expected = ([tree[key] for key in expected if key in got] for tree in (got, expected))
    if isinstance(got, list | tuple) and isinstance(expected, list | tuple):
        for one, other in zip(got, expected, strict=False):
            yield from _pairs(one, other)


def _tells(b: np.ndarray) -> bool:
    """Whether numbers are so many and so different that a pattern in them is no accident."""
    found = np.unique(np.abs(b).round(9))
    return int(np.sum((found > 0) & (found != 1))) >= ENOUGH


def _array(value: Any) -> np.ndarray | None:
    """Numbers, arrays and tensors, and lists of them of one shape, as an array of floats."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, list | tuple):
        parts = [part for part in map(_array, value) if part is not None]
        alike = len(parts) == len(value) and len({part.shape for part in parts}) == 1
        return np.stack(parts) if alike else None
    if isinstance(value, bool | np.bool_ | str | dict) or value is None:
        return None
    array = np.asarray(value)
    return array.astype(float) if array.dtype.kind in "fiu" else None


# ---- right numbers in another shape

def _turned(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    if not _tells(b):
        return ""
    if a.ndim >= 2 and same(a.swapaxes(-1, -2), b):
        return "it is the transpose of the expected answer"
    if a.ndim > 2 and same(a.T, b):
        return "all axes are turned around; only the last two should be"
    return ""


def _reshaped(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    if 0 < a.size == b.size and same(a.reshape(b.shape), b):
        return "the numbers are right; only the shape is not"
    return ""


def _a_part(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    if not _tells(a):
        return ""
    if b.ndim and a.shape == b.shape[1:] and same(a, b[0]):
        return "it is the first of the expected rows; the others are missing"
    if b.ndim and a.ndim == b.ndim and a.shape[1:] == b.shape[1:] and len(a) != len(b):
        fewer = min(len(a), len(b))
        if fewer and same(a[:fewer], b[:fewer]):
            return f"the first {fewer} rows are right; there are {len(a)} instead of {len(b)}"
        if fewer and same(a[-fewer:], b[-fewer:]):
            return f"the last {fewer} rows are right; there are {len(a)} instead of {len(b)}"
    return ""


# ---- one relation for all numbers

def _single(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    """Numbers that fit into float32, all of them, where the expected ones do not."""
    with np.errstate(over="ignore"):
        fits = a == a.astype(np.float32)
        long = a != a.astype(np.float16)  # a half or a whole number fits anywhere
        needs_more = b != b.astype(np.float32)
    if fits.all() and long.sum() >= ENOUGH and needs_more.any():
        if np.abs(a - b).max() <= SMALL * np.abs(b).max():
            return "your numbers have single precision: float32 is used somewhere"
    return ""


def _cut(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    cut = np.trunc(b)
    changed = cut[(cut != b) & (cut != 0)]  # zeros may have other reasons
    if len(changed) >= ENOUGH and np.abs(changed).max() > 1 and same(a, cut):
        return "the numbers are cut to whole ones: an array of integers?"
    return ""


def _constant(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    if a.size < ENOUGH or np.ptp(b) == 0:
        return ""
    if not a.any():
        return "your answer is zero everywhere"
    return f"all your numbers are {a.flat[0]:.4g}" if same(a, np.full_like(a, a.flat[0])) else ""


def _factor(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    some = np.abs(b) > 0
    if not _tells(b) or a[~some].any():
        return ""
    factor = float((a[some] * b[some]).sum() / (b[some] ** 2).sum())
    if factor == 0 or not same(a, factor * b) or not _explains(a, factor * b, b):
        return ""
    if abs(factor + 1) < 1e-6:
        return "every number has the wrong sign"
    return f"every number is {_digits(factor, a, factor * b)} times the expected one"


def _offset(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    offset = float((a - b).mean())
    if _tells(b) and same(a, b + offset) and _explains(a, b + offset, b):
        size = _digits(abs(offset), a, b + offset)
        return f"every number is {size} too {'large' if offset > 0 else 'small'}"
    return ""


def _explains(a: np.ndarray, found: np.ndarray, b: np.ndarray) -> bool:
    """Whether a relation leaves little of the difference: a wide tolerance alone proves nothing."""
    return bool(np.abs(a - found).max() <= 0.1 * np.abs(a - b).max())


def _digits(number: float, a: np.ndarray, found: np.ndarray) -> str:
    """A number with as many digits as are known of it; few if the answers are estimates."""
    known = np.allclose(a, found, rtol=1e-4, atol=1e-12)
    return f"{number:.4g}" if known else f"about {number:.2g}"


def _function(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    if not _tells(b):
        return ""
    with np.errstate(all="ignore"):
        relations = {"the square of": b**2, "the square root of": np.sqrt(b), "one over": 1 / b,
                     "the logarithm of": np.log(b), "the exponential of": np.exp(b),
                     "the absolute value of": np.abs(b), "one minus": 1 - b}
        for words, value in relations.items():
            if np.isfinite(value).all() and same(a, value):
                return f"every number is {words} the expected one"
    return ""


# ---- right numbers in another place

def _moved(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    if a.ndim == 0 or len(a) < 2 or not _tells(b):
        return ""
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2] and same(a.swapaxes(-1, -2), b):
        return "it is the transpose of the expected answer"
    if a.ndim > 2:
        return ""
    what = "rows" if a.ndim > 1 else "entries"
    if same(a[::-1], b):
        return f"the {what} are in reverse order"
    if a.ndim > 1 and same(a[..., ::-1], b):
        return "the columns are in reverse order"
    if _tells(b[:-1]) and same(a[1:], b[:-1]):
        return f"from the second on, the {what} are those expected one place earlier"
    if _tells(b[1:]) and same(a[:-1], b[1:]):
        return f"all but the last of the {what} are those expected one place later"
    if len(a) >= ENOUGH and same(*(x[np.lexsort(x.reshape(len(x), -1).T[::-1])] for x in (a, b))):
        return f"the {what} are right, but in another order"
    return ""


# ---- what fails, and where

def _sums(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    if a.ndim < 2 or a.shape[-1] < 2 or not np.allclose(b.sum(-1), 1) or (b < 0).any():
        return ""
    off = np.abs(a.sum(-1) - 1) > 1e-3
    if not off.any():
        return ""
    if np.allclose(a.sum(-2), 1):
        return "the columns sum to one; the rows should"
    row = tuple(map(int, np.argwhere(off)[0]))
    return f"rows do not sum to one: row {list(row)} sums to {a[row].sum():.4g}"


def _close(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    error = np.abs(a - b).max() / (np.abs(b).max() or 1)
    return f"every number is close: the largest error is {error:.0e}" if error <= SMALL else ""


def _region(a: np.ndarray, b: np.ndarray, same: Same) -> str:
    """Where the wrong entries are, if most are right."""
    if a.ndim == 0 or a.size <= ENOUGH:
        return ""
    wrong = ~np.isclose(a, b, rtol=1e-6, atol=1e-9)
    if wrong.sum() > a.size / 2 or not wrong.any():
        return ""
    if a.ndim >= 2:
        rows, columns = np.indices(a.shape)[-2:]
        square = a.shape[-1] == a.shape[-2]
        for words, place in (("on the diagonal", rows == columns), ("above the diagonal",
                             columns > rows), ("below the diagonal", columns < rows)):
            if square and a.shape[-1] > 2 and (wrong == place).all():
                return f"only the entries {words} are wrong"
    for axis, what in enumerate(("entry",) if a.ndim == 1 else ("row", "column")):
        at = np.unique(np.nonzero(wrong)[axis])
        if a.ndim <= 2 and len(at) == 1 and a.shape[axis] >= ENOUGH:
            name = {0: "first", a.shape[axis] - 1: "last"}.get(int(at[0]))
            return f"only the {name} {what} is wrong" if name else f"only {what} {at[0]} is wrong"
    return f"{int(wrong.sum())} of {a.size} numbers are wrong"


SHAPES = (_turned, _reshaped, _a_part)
RELATIONS = (_single, _close, _cut, _constant, _factor, _offset, _function)
VALUES = (*RELATIONS, _moved, _sums, _region)
