"""What can be seen of a wrong answer whose cause is not known: facts, computed, never guessed.

A ladder: the first rung that holds is told. Each compares the answer with the expected one up to
the tolerance of the case, on enough numbers that chance is no explanation.
"""

import numpy as np

ENOUGH = 3  # numbers that must agree before a pattern is one
SINGLE = 1e-5  # errors up to here, relative to the largest entry, come of single precision


def noticed(got, expected, rtol: float, atol: float) -> str:
    """A sentence about how an answer relates to the expected one; empty if nothing is seen."""
    for a, b, right_dtype in _pairs(got, expected):
        def same(x, y):
            return x.shape == y.shape and bool(
                np.allclose(x, y, rtol=max(rtol, 1e-9), atol=max(atol, 1e-12)))

        if same(a, b):
            if not right_dtype:
                return "the values are right; only their dtype is not"
            continue
        if not np.isfinite(a).all() or not np.isfinite(b).all():
            return ""
        rungs = SHAPES if a.shape != b.shape else VALUES
        return next(filter(None, (rung(a, b, same) for rung in rungs)), "")
    return ""


def _pairs(got, expected):
    """(answer, expected, whether its dtype is right) of the parts of both, as arrays of floats.

    Numbers that stand side by side, and steps of one shape, are one array.
    """
    one, other = _array(got), _array(expected)
    if one is not None and other is not None:
        yield one, other, getattr(got, "dtype", None) == getattr(expected, "dtype", None)
        return
    if isinstance(got, dict) and isinstance(expected, dict):
        got, expected = ([tree[key] for key in expected if key in got] for tree in (got, expected))
    if isinstance(got, list | tuple) and isinstance(expected, list | tuple):
        for one, other in zip(got, expected, strict=False):
            yield from _pairs(one, other)


def _array(value) -> np.ndarray | None:
    """Numbers, arrays and tensors, and lists of them of one shape, as an array of floats."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if isinstance(value, list | tuple):
        parts = [_array(part) for part in value]
        alike = parts and all(each is not None and each.shape == parts[0].shape for each in parts)
        return np.stack(parts) if alike else None
    if isinstance(value, bool | np.bool_ | str | dict) or value is None:
        return None
    array = np.asarray(value)
    return array.astype(float) if array.dtype.kind in "fiu" else None


# ---- right numbers in another shape

def _turned(a, b, same) -> str:
    if a.ndim >= 2 and same(a.swapaxes(-1, -2), b):
        return "it is the transpose of the expected answer"
    if a.ndim > 2 and same(a.T, b):
        return "all axes are turned around; only the last two should be"
    return ""


def _reshaped(a, b, same) -> str:
    if a.size == b.size and same(a.reshape(b.shape), b):
        return "the numbers are right; only the shape is not"
    return ""


def _a_part(a, b, same) -> str:
    if b.ndim and a.shape == b.shape[1:] and same(a, b[0]):
        return "it is the first part of the expected answer; the others are missing"
    if b.ndim and a.ndim == b.ndim and a.shape[1:] == b.shape[1:] and len(a) != len(b):
        fewer = min(len(a), len(b))
        if fewer and same(a[:fewer], b[:fewer]):
            return f"the first {fewer} rows are right; there are {len(a)} instead of {len(b)}"
        if fewer and same(a[-fewer:], b[-fewer:]):
            return f"the last {fewer} rows are right; there are {len(a)} instead of {len(b)}"
    return ""


# ---- one relation for all numbers

def _rounded(a, b, same) -> str:
    largest = np.abs(b).max(initial=0)
    if largest and np.abs(a - b).max() <= SINGLE * largest:
        error = np.abs(a - b).max() / largest
        return f"it is right up to a relative error of {error:.0e}: rounding, or single precision"
    if a.size >= ENOUGH and same(a, np.trunc(b)):
        return "the numbers are cut to whole ones: an array of integers?"
    return ""


def _constant(a, b, same) -> str:
    if a.size < ENOUGH or np.ptp(b) == 0:
        return ""
    if not a.any():
        return "your answer is zero everywhere"
    return f"all your numbers are {a.flat[0]:.4g}" if same(a, np.full_like(a, a.flat[0])) else ""


def _factor(a, b, same) -> str:
    some = np.abs(b) > 0
    if some.sum() < ENOUGH or a[~some].any():
        return ""
    factor = float((a[some] * b[some]).sum() / (b[some] ** 2).sum())
    if factor == 0 or not same(a, factor * b):
        return ""
    if abs(factor + 1) < 1e-6:
        return "every number has the wrong sign"
    return f"every number is {factor:.4g} times the expected one"


def _offset(a, b, same) -> str:
    offset = float((a - b).mean())
    if a.size >= ENOUGH and same(a, b + offset):
        return f"every number is {abs(offset):.4g} too {'large' if offset > 0 else 'small'}"
    return ""


def _function(a, b, same) -> str:
    if a.size < ENOUGH or np.ptp(b) == 0:
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

def _moved(a, b, same) -> str:
    if a.ndim == 0 or len(a) < 2 or a.size < ENOUGH or np.ptp(b) == 0:
        return ""
    if a.ndim >= 2 and a.shape[-1] == a.shape[-2] and same(a.swapaxes(-1, -2), b):
        return "it is the transpose of the expected answer"
    what = "rows" if a.ndim > 1 else "entries"
    if same(a[::-1], b):
        return f"the {what} are in reverse order"
    if a.ndim > 1 and same(a[..., ::-1], b):
        return "the columns are in reverse order"
    if len(a) > ENOUGH and same(a[1:], b[:-1]):
        return f"from the second on, the {what} are those expected one place earlier"
    if len(a) > ENOUGH and same(a[:-1], b[1:]):
        return f"all but the last of the {what} are those expected one place later"
    if len(a) >= ENOUGH and same(*(x[np.lexsort(x.reshape(len(x), -1).T[::-1])] for x in (a, b))):
        return f"the {what} are right, but in another order"
    return ""


# ---- what fails, and where

def _sums(a, b, same) -> str:
    if a.ndim < 2 or a.shape[-1] < 2 or not np.allclose(b.sum(-1), 1) or (b < 0).any():
        return ""
    sums = a.sum(-1)
    if np.allclose(sums, 1):
        return ""
    if np.allclose(a.sum(-2), 1):
        return "the columns sum to one; the rows should"
    return f"rows do not sum to one: the first sums to {sums.flat[0]:.4g}"


def _symmetry(a, b, same) -> str:
    if a.ndim < 2 or a.shape[-1] != a.shape[-2] or a.shape[-1] < 2:
        return ""
    if same(b.swapaxes(-1, -2), b) and not same(a.swapaxes(-1, -2), a):
        return "the expected matrix is symmetric; yours is not"
    return ""


def _region(a, b, same) -> str:
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
    for axis, what in zip(range(a.ndim), _axes(a.ndim), strict=True):
        at = np.unique(np.nonzero(wrong)[axis])
        if len(at) == 1 and a.shape[axis] > 1:
            name = {0: "first", a.shape[axis] - 1: "last"}.get(int(at[0]))
            return f"only the {name} {what} is wrong" if name else f"only {what} {at[0]} is wrong"
    return f"{int(wrong.sum())} of {a.size} numbers are wrong"


def _axes(ndim: int) -> list[str]:
    return ["entry"] if ndim == 1 else [*["part"] * (ndim - 2), "row", "column"]


SHAPES = (_turned, _reshaped, _a_part)
VALUES = (_rounded, _constant, _factor, _offset, _moved, _function, _sums, _symmetry, _region)
