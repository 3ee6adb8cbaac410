"""Plain data on its way out: a tree of values as JSON, its arrays handed to whoever keeps them."""

import base64
import functools
import math
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

MAX_DEPTH = 40
PLAIN_KINDS: tuple[type[Any], ...] = (int, float, str, list, tuple, dict)
LONG = 64  # numbers in a list from which on it travels like an array

Keep = Callable[[np.ndarray], Any]  # takes an array, returns where it is
Special = Callable[[Any], Any] | None
Encode = Callable[[Any, int], Any]  # (value, depth) -> JSON
Dictionary = Callable[[dict, Encode, int], dict]


class NotPlain(TypeError):
    """Raised when something that is not plain data would have to cross."""


def encoder(keep: Keep, special: Special, dictionary: Dictionary,
            numbers: Callable[[list, Keep], dict | None] | None = None) -> Encode:
    """A function (value, depth) -> JSON; `dictionary` is the form that a dict gets, `numbers` that
    of a long list of numbers.
    """
    # arrays of this message: one that stands in several places is one afterwards
    known: dict[int, tuple[Any, Any]] = {}

    def encode(value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is str or value is None or kind is bool:
            return value
        if kind is int:
            return value if -(2**63) <= value < 2**63 else {"i": hex(value)}
        if kind is float:
            return value if math.isfinite(value) else {"f": repr(value)}
        if kind is np.ndarray and value.dtype.kind in "biufcUS":
            if special is None:
                return _encode_array(value, keep)
            if id(value) not in known:
                known[id(value)] = (_encode_array(value, keep, True), value)
            return known[id(value)][0]
        if depth > MAX_DEPTH:
            raise NotPlain(f"nested more than {MAX_DEPTH} levels deep")
        depth += 1
        if kind is list:
            found = numbers(value, keep) if numbers is not None and len(value) >= LONG else None
            return found or [encode(child, depth) for child in value]
        if kind is tuple:
            return {"t": [encode(child, depth) for child in value]}
        if kind is dict:
            return dictionary(value, encode, depth)
        if special is not None:
            stand_in = special(value)
            if stand_in is not None:
                return {"x": encoder(keep, None, dictionary, numbers)(stand_in, depth)}
        return rarer(value, depth)

    def rarer(value: Any, depth: int) -> Any:
        if isinstance(value, np.ndarray | np.generic):
            return _encode_array(value, keep)
        torch = sys.modules.get("torch")
        if torch is not None:
            if isinstance(value, torch.Tensor):
                return _encode_tensor(value, keep, torch)
            if isinstance(value, torch.dtype):
                return {"td": str(value).removeprefix("torch.")}
        for base in PLAIN_KINDS:  # subclasses: enums, ordered dicts
            if isinstance(value, base):
                return encode(base(value), depth)
        if isinstance(value, complex):
            return {"c": [repr(value.real), repr(value.imag)]}
        if isinstance(value, set | frozenset):
            return {"s": [encode(child, depth) for child in value]}
        if isinstance(value, range):
            return {"r": [value.start, value.stop, value.step]}
        if isinstance(value, slice):
            return {"sl": [encode(part, depth) for part in (value.start, value.stop, value.step)]}
        if value is Ellipsis:
            return {"e": 0}
        if isinstance(value, bytes | bytearray):
            return {"b": base64.b64encode(value).decode()}
        if isinstance(value, np.dtype):
            return {"nd": value.str}
        raise NotPlain(f"a {type(value).__module__}.{type(value).__qualname__} is not plain data")

    def whole(value: Any, depth: int) -> Any:
        try:
            return encode(value, depth)
        finally:
            known.clear()  # `encode` knows itself: its arrays would live until the next collection

    return whole


def numbers_of(value: list, keep: Keep) -> dict | None:
    """A list of nothing but floats, or nothing but integers of 64 bits, as an array; else None."""
    kinds = set(map(type, value))
    if kinds not in ({float}, {int}):
        return None
    try:
        return {"l": keep(np.array(value, np.float64 if kinds == {float} else np.int64)),
                "kind": "f" if kinds == {float} else "i"}
    except OverflowError:
        return None


def pairs_of(value: dict, encode: Encode, depth: int) -> dict:
    """A dict as it is written in logs."""
    return {"d": [[encode(key, depth), encode(child, depth)] for key, child in value.items()]}


def object_of(value: dict, encode: Encode, depth: int) -> dict:
    """A dict of names as a JSON object, which is shorter."""
    if not all(type(key) is str for key in value):
        return pairs_of(value, encode, depth)
    return {"o": {key: encode(child, depth) for key, child in value.items()}}


@functools.cache
def name_of(dtype: np.dtype) -> str:
    return dtype.name  # which numpy puts together each time it is asked


def _encode_array(value: Any, keep: Keep, laid_out: bool = False) -> dict[str, Any]:
    """laid_out: the axes lie in memory afterwards as before, so that sums round alike."""
    kind = value.dtype.kind
    if kind in "US":
        return {"u": value.astype(str).tolist(), "shape": list(value.shape)}
    if kind not in "biufc" or value.dtype.itemsize > 16:
        raise NotPlain(f"an array of dtype {value.dtype} is not plain data")
    axes = laid_out and not value.flags.c_contiguous and sorted(
        range(value.ndim), key=lambda axis: -abs(value.strides[axis]))
    array = np.asarray(value.transpose(axes) if axes else value,
                       dtype=value.dtype.newbyteorder("<"), order="C")
    flat = array.reshape(-1)
    if kind == "c":  # stored as pairs of reals
        flat = flat.view(np.float32 if array.dtype.itemsize == 8 else np.float64)
    node = {"a": keep(flat), "shape": list(value.shape), "dtype": name_of(value.dtype)}
    if isinstance(value, np.generic):
        node["scalar"] = True
    if axes:
        node["axes"] = axes
    return node


def _encode_tensor(value: Any, keep: Keep, torch: ModuleType) -> dict[str, Any]:
    dense = value.detach().cpu().contiguous().reshape(-1).resolve_conj().resolve_neg()
    raw = dense.view(torch.uint8).numpy() if dense.numel() else np.empty(0, dtype=np.uint8)
    name = str(value.dtype).removeprefix("torch.")
    return {"a": keep(raw), "shape": list(value.shape), "torch": name}
