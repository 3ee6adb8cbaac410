"""Plain data: the only thing that ever crosses between a student's code and ours.

Numbers, strings, None, lists, tuples, dicts, sets, ranges, numpy arrays and torch tensors. Two
forms of the same tree: `pack`/`unpack` (bytes in the safetensors format, for sockets and files)
and `to_json`/`from_json` (text, for the submission log). Nothing is ever executed when reading,
and reading is bounded in depth and in number of nodes.
"""

import base64
import functools
import json
import math
import sys

import numpy as np
from safetensors import deserialize

from viva.unbroken import read_json

MAX_DEPTH = 40
MAX_NODES = 200_000
MAX_TEXT_PER_NODE = 40  # bytes of JSON per value allowed: parsing must not cost more than reading
LONG = 64  # numbers in a list from which on it travels like an array
MAX_NUMBERS = 4_000_000  # in such lists of one message
MAX_STRINGS = 10_000_000  # characters of an array of strings, which numpy pads to the longest
SCALARS = frozenset({type(None), bool, int, float, str})  # JSON's own: they stand for themselves
MAX_RANGE = 10_000_000  # a range is a few bytes here and a list of any size there


class NotPlain(TypeError):
    """Raised when something that is not plain data would have to cross."""


class Malformed(ValueError):
    """Raised when bytes or JSON do not describe plain data."""


def pack(tree, special=None) -> bytes:
    """Plain data as bytes in the safetensors format: the tree as JSON, then all arrays in a row.

    special: optional function called first with every value that is not a number, string or None,
        nor exactly a list, tuple, dict or numpy array of numbers; it returns a plain tree that
        stands for the value (read back by `unpack`'s `special`), or None to have the value treated
        as plain data.
    """
    parts, size = [], 0

    def keep(flat: np.ndarray) -> list[int]:
        """Where the array lies in the row: its first byte and the number of bytes."""
        nonlocal size
        place, size = [size, flat.nbytes], size + flat.nbytes
        parts.append(flat.tobytes())
        return place

    encode = _encoder(keep, special, _object, _numbers)
    text = json.dumps(encode(tree, 0), separators=(",", ":")).encode()
    middle = len(text)
    head = (f'{{"tree":{{"dtype":"U8","shape":[{middle}],"data_offsets":[0,{middle}]}},'
            f'"data":{{"dtype":"U8","shape":[{size}],"data_offsets":[{middle},{middle + size}]}}}}')
    head = head.ljust(-len(head) % 8 + len(head)).encode()
    return b"".join((len(head).to_bytes(8, "little"), head, text, *parts))


def unpack(data: bytes, special=None, max_nodes: int = MAX_NODES):
    """The tree that `pack` wrote. Raises Malformed for anything else, however hostile."""
    try:
        found = {name: part["data"] for name, part in deserialize(data)}
        text, row = found["tree"], np.frombuffer(found["data"], np.uint8)
        if len(text) > MAX_TEXT_PER_NODE * max_nodes:
            raise ValueError("too much text")
        node = read_json(bytes(text))
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except Exception as error:
        raise Malformed(f"not a packed tree: {type(error).__name__}") from None

    def fetch(place) -> np.ndarray:
        first, size = place
        if not 0 <= first <= first + size <= len(row):
            raise Malformed("an array beyond the end of the data")
        return row[first : first + size]

    return _decode_safely(node, fetch, special, max_nodes)


def to_json(tree):
    """Plain data as a JSON value; arrays as base64 of their little-endian bytes, exactly."""

    def keep(array: np.ndarray) -> dict:
        data = base64.b64encode(array.tobytes()).decode()
        return {"dtype": _name(array.dtype), "shape": list(array.shape), "data": data}

    return _encoder(keep, None, _pairs)(tree, 0)


def from_json(node, max_nodes: int = MAX_NODES):
    """The tree that `to_json` wrote. Raises Malformed for anything else."""

    def fetch(spec) -> np.ndarray:
        dtype = np.dtype(spec["dtype"])
        if dtype.kind not in "biuf":
            raise Malformed(f"dtype {dtype} is not plain")
        data = base64.b64decode(spec["data"], validate=True)
        return np.frombuffer(data, dtype=dtype).reshape(spec["shape"])

    return _decode_safely(node, fetch, None, max_nodes)


def _encoder(keep, special, dictionary, numbers=None):
    """A function (value, depth) -> JSON; `dictionary` is the form that a dict gets, `numbers` that
    of a long list of numbers.
    """

    known = {}  # arrays of this message: one that stands in several places is one afterwards

    def encode(value, depth):
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
                return {"x": _encoder(keep, None, dictionary, numbers)(stand_in, depth)}
        return rarer(value, depth)

    def rarer(value, depth):
        if isinstance(value, np.ndarray | np.generic):
            return _encode_array(value, keep)
        torch = sys.modules.get("torch")
        if torch is not None:
            if isinstance(value, torch.Tensor):
                return _encode_tensor(value, keep, torch)
            if isinstance(value, torch.dtype):
                return {"td": str(value).removeprefix("torch.")}
        for base in (int, float, str, list, tuple, dict):  # subclasses: enums, ordered dicts
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

    def whole(value, depth):
        try:
            return encode(value, depth)
        finally:
            known.clear()  # `encode` knows itself: its arrays would live until the next collection

    return whole


def _numbers(value: list, keep) -> dict | None:
    """A list of nothing but floats, or nothing but integers of 64 bits, as an array; else None."""
    kinds = set(map(type, value))
    if kinds not in ({float}, {int}):
        return None
    try:
        return {"l": keep(np.array(value, np.float64 if kinds == {float} else np.int64)),
                "kind": "f" if kinds == {float} else "i"}
    except OverflowError:
        return None


def _pairs(value: dict, encode, depth) -> dict:
    """A dict as it is written in logs."""
    return {"d": [[encode(key, depth), encode(child, depth)] for key, child in value.items()]}


def _object(value: dict, encode, depth) -> dict:
    """A dict of names as a JSON object, which is shorter."""
    if not all(type(key) is str for key in value):
        return _pairs(value, encode, depth)
    return {"o": {key: encode(child, depth) for key, child in value.items()}}


@functools.cache
def _name(dtype: np.dtype) -> str:
    return dtype.name  # which numpy puts together each time it is asked


def _encode_array(value, keep, laid_out: bool = False):
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
    node = {"a": keep(flat), "shape": list(value.shape), "dtype": _name(value.dtype)}
    if isinstance(value, np.generic):
        node["scalar"] = True
    if axes:
        node["axes"] = axes
    return node


def _encode_tensor(value, keep, torch):
    dense = value.detach().cpu().contiguous().reshape(-1).resolve_conj().resolve_neg()
    raw = dense.view(torch.uint8).numpy() if dense.numel() else np.empty(0, dtype=np.uint8)
    name = str(value.dtype).removeprefix("torch.")
    return {"a": keep(raw), "shape": list(value.shape), "torch": name}


def _decode_safely(node, fetch, special, max_nodes):
    left, numbers, known = max_nodes, max(MAX_NUMBERS, max_nodes), {}

    def decode(node, depth, special=special):
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
        known.clear()  # as in `whole`


def _decode_leaf(tag: str, body):
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


def _decode_strings(node):
    flat, pending = [], [node["u"]]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        else:
            flat.append(str(part))
    if len(flat) * max(map(len, flat), default=0) > MAX_STRINGS:
        raise Malformed("an array of strings too large")
    return np.array(node["u"], dtype=str).reshape(node["shape"])


def _decode_array(node, fetch):
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


def _torch_dtype(name):
    import torch

    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise Malformed(f"{name!r} is not a torch dtype")
    return dtype
