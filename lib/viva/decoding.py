"""Plain data on its way in: JSON that may be hostile, read within bounds and never executed."""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from viva.encoding import MAX_DEPTH

MAX_NUMBERS = 4_000_000  # in long lists of numbers of one message
MAX_STRINGS = 10_000_000  # characters of an array of strings, which numpy pads to the longest
MAX_RANGE = 10_000_000  # a range is a few bytes here and a list of any size there
SCALARS = frozenset({type(None), bool, int, float, str})  # JSON's own: they stand for themselves

Fetch = Callable[[Any], np.ndarray]  # takes where an array is, returns it
Special = Callable[[Any], Any] | None


class Malformed(ValueError):
    """Raised when bytes or JSON do not describe plain data."""


def decoded(node: Any, fetch: Fetch, special: Special, max_nodes: int) -> Any:
    """The tree that a JSON value describes. Raises Malformed for anything else."""
    left, numbers = max_nodes, max(MAX_NUMBERS, max_nodes)
    known: dict[str, Any] = {}

    def decode(node: Any, depth: int, special: Special = special) -> Any:
        nonlocal left, numbers
        left -= 1
        if left < 0:
            raise Malformed("too many values")
        kind = type(node)
        if kind in SCALARS:
            return node
        if depth > 2 * MAX_DEPTH:
            raise Malformed("nested too deeply")
        depth += 1
        if kind is list:
            if SCALARS.issuperset(map(type, node)) and len(node) <= left:
                left -= len(node)
                return list(node)
            return [decode(child, depth, special) for child in node]
        if "a" in node:
            if special is None or node.get("scalar") or not node["a"][1]:
                return _decode_array(node, fetch)
            key = json.dumps(node)
            if key not in known:
                known[key] = _decode_array(node, fetch)
            return known[key]
        if "u" in node:
            return _decode_strings(node)
        if "l" in node:
            found = fetch(node["l"]).view(np.float64 if node["kind"] == "f" else np.int64)
            numbers -= len(found)
            if numbers < 0:
                raise Malformed("too many numbers")
            return found.tolist()
        ((tag, body),) = node.items()
        if tag == "o":
            return {key: decode(child, depth, special) for key, child in body.items()}
        if tag == "t":
            return tuple([decode(child, depth, special) for child in body])
        if tag == "d":
            return {decode(key, depth, special): decode(child, depth, special)
                    for key, child in body}
        if tag == "s":
            return {decode(child, depth, special) for child in body}
        if tag == "sl":
            return slice(*(decode(child, depth, special) for child in body))
        if tag == "x" and special is not None:
            return special(decode(body, depth, None))
        return _decode_leaf(tag, body)

    try:
        return decode(node, 0)
    except Malformed:
        raise
    except Exception as error:  # any surprise in hostile data is one kind of failure
        raise Malformed(f"{type(error).__name__}: {str(error)[:200]}") from None
    finally:
        known.clear()  # `decode` knows itself: its arrays would live until the next collection


def _decode_leaf(tag: str, body: Any) -> Any:
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}[body]
    if tag == "c":
        return complex(float(body[0]), float(body[1]))
    if tag == "r":
        found = range(*(int(child) for child in body))
        if len(found) > MAX_RANGE:
            raise Malformed("a range too long")
        return found
    if tag == "e":
        return Ellipsis
    if tag == "b":
        return base64.b64decode(body, validate=True)
    if tag == "nd":
        dtype = np.dtype(str(body))
        if dtype.kind not in "biufc":
            raise Malformed(f"dtype {dtype} is not plain")
        return dtype
    if tag == "td":
        return _torch_dtype(body)
    raise Malformed(f"unknown tag {tag!r}")


def _decode_strings(node: dict) -> np.ndarray:
    flat: list[str] = []
    pending = [node["u"]]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        else:
            flat.append(str(part))
    if len(flat) * max(map(len, flat), default=0) > MAX_STRINGS:
        raise Malformed("an array of strings too large")
    return np.array(node["u"], dtype=str).reshape(node["shape"])


def _decode_array(node: dict, fetch: Fetch) -> Any:
    flat = fetch(node["a"])
    name, shape = node.get("torch") or node["dtype"], [int(size) for size in node["shape"]]
    if name == "bool" and (flat.view(np.uint8) > 1).any():
        raise Malformed("a truth value that is neither true nor false")
    if "torch" in node:
        import torch

        dtype = _torch_dtype(name)
        if flat.size == 0 and 0 in shape:
            return torch.empty(shape, dtype=dtype)
        raw = bytearray(flat.tobytes())
        return torch.frombuffer(raw, dtype=dtype).reshape(shape)
    dtype = np.dtype(name)
    if dtype.kind not in "biufc":
        raise Malformed(f"dtype {dtype} is not plain")
    array = flat.copy().view(dtype)
    if axes := node.get("axes"):
        array = array.reshape([shape[axis] for axis in axes]).transpose(np.argsort(axes))
    array = array.reshape(shape)
    return array.reshape(())[()] if node.get("scalar") else array


def _torch_dtype(name: str) -> Any:
    import torch

    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise Malformed(f"{name!r} is not a torch dtype")
    return dtype
