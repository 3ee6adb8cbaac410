"""Plain data: the only thing that ever crosses between a student's code and ours.

Numbers, strings, None, lists, tuples, dicts, sets, ranges, numpy arrays and torch tensors. Two
forms of the same tree: `pack`/`unpack` (bytes in the safetensors format, for sockets and files)
and `to_json`/`from_json` (text, for the submission log). Nothing is ever executed when reading,
and reading is bounded in depth and in number of nodes.
"""

import base64
import json
import sys

import numpy as np
from safetensors.numpy import load, save

MAX_DEPTH = 40
MAX_NODES = 200_000
MAX_TEXT_PER_NODE = 40  # bytes of JSON per value allowed: parsing must not cost more than reading
MAX_STRINGS = 10_000_000  # characters of an array of strings, which numpy pads to the longest
SCALARS = frozenset({type(None), bool, int, float, str})  # JSON's own: they stand for themselves
MAX_RANGE = 10_000_000  # a range is a few bytes here and a list of any size there


class NotPlain(TypeError):
    """Raised when something that is not plain data would have to cross."""


class Malformed(ValueError):
    """Raised when bytes or JSON do not describe plain data."""


def pack(tree, special=None) -> bytes:
    """Plain data as bytes in the safetensors format.

    special: optional function called first with every value that is not a number, string or None;
        it returns a plain tree that stands for the value (read back by `unpack`'s `special`), or
        None to have the value treated as plain data.
    """
    arrays = {}

    def keep(array: np.ndarray) -> str:
        name = str(len(arrays))
        arrays[name] = array
        return name

    text = json.dumps(_encode(tree, keep, special, 0), separators=(",", ":"))
    return save({"tree": np.frombuffer(text.encode(), dtype=np.uint8), **arrays})


def unpack(data: bytes, special=None, max_nodes: int = MAX_NODES):
    """The tree that `pack` wrote. Raises Malformed for anything else, however hostile."""
    try:
        arrays = load(data)
        text = arrays.pop("tree")
        if text.nbytes > MAX_TEXT_PER_NODE * max_nodes:
            raise ValueError("too much text")
        node = json.loads(text.tobytes())
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except Exception as error:
        raise Malformed(f"not a packed tree: {type(error).__name__}") from None
    return _decode_safely(node, arrays.__getitem__, special, max_nodes)


def to_json(tree):
    """Plain data as a JSON value; arrays as base64 of their little-endian bytes, exactly."""

    def keep(array: np.ndarray) -> dict:
        data = base64.b64encode(array.tobytes()).decode()
        return {"dtype": array.dtype.name, "shape": list(array.shape), "data": data}

    return _encode(tree, keep, None, 0)


def from_json(node, max_nodes: int = MAX_NODES):
    """The tree that `to_json` wrote. Raises Malformed for anything else."""

    def fetch(spec) -> np.ndarray:
        dtype = np.dtype(spec["dtype"])
        if dtype.kind not in "biuf":
            raise Malformed(f"dtype {dtype} is not plain")
        data = base64.b64decode(spec["data"], validate=True)
        return np.frombuffer(data, dtype=dtype).reshape(spec["shape"])

    return _decode_safely(node, fetch, None, max_nodes)


def _encode(value, keep, special, depth):
    if value is None or value is True or value is False or type(value) is str:
        return value
    if type(value) is int:
        return value if -(2**63) <= value < 2**63 else {"i": hex(value)}
    if type(value) is float:
        return value if np.isfinite(value) else {"f": repr(value)}
    if depth > MAX_DEPTH:
        raise NotPlain(f"nested more than {MAX_DEPTH} levels deep")

    def inner(child):
        return _encode(child, keep, special, depth + 1)

    if special is not None:
        stand_in = special(value)
        if stand_in is not None:
            return {"x": _encode(stand_in, keep, None, depth + 1)}
    if isinstance(value, np.ndarray | np.generic):
        return _encode_array(value, keep)
    torch = sys.modules.get("torch")
    if torch is not None:
        if isinstance(value, torch.Tensor):
            return _encode_tensor(value, keep, torch)
        if isinstance(value, torch.dtype):
            return {"td": str(value).removeprefix("torch.")}
    if isinstance(value, bool | int | float | str):  # subclasses: enums, numpy strings
        base = next(kind for kind in (bool, int, float, str) if isinstance(value, kind))
        return inner(base(value))
    if isinstance(value, complex):
        return {"c": [repr(value.real), repr(value.imag)]}
    if isinstance(value, list):
        return [inner(child) for child in value]
    if isinstance(value, tuple):
        return {"t": [inner(child) for child in value]}
    if isinstance(value, dict):
        return {"d": [[inner(key), inner(child)] for key, child in value.items()]}
    if isinstance(value, set | frozenset):
        return {"s": [inner(child) for child in value]}
    if isinstance(value, range):
        return {"r": [value.start, value.stop, value.step]}
    if isinstance(value, slice):
        return {"sl": [inner(value.start), inner(value.stop), inner(value.step)]}
    if value is Ellipsis:
        return {"e": 0}
    if isinstance(value, bytes | bytearray):
        return {"b": base64.b64encode(value).decode()}
    if isinstance(value, np.dtype):
        return {"nd": value.str}
    raise NotPlain(f"a {type(value).__module__}.{type(value).__qualname__} is not plain data")


def _encode_array(value, keep):
    if value.dtype.kind in "US":
        return {"u": value.astype(str).tolist(), "shape": list(value.shape)}
    if value.dtype.kind not in "biufc" or value.dtype.itemsize > 16:
        raise NotPlain(f"an array of dtype {value.dtype} is not plain data")
    array = np.asarray(value)
    flat = np.array(array, dtype=array.dtype.newbyteorder("<"), order="C").reshape(-1)
    if array.dtype.kind == "c":  # stored as pairs of reals
        flat = flat.view(np.float32 if array.dtype.itemsize == 8 else np.float64)
    node = {"a": keep(flat), "shape": list(array.shape), "dtype": array.dtype.name}
    if isinstance(value, np.generic):
        node["scalar"] = True
    return node


def _encode_tensor(value, keep, torch):
    dense = value.detach().cpu().contiguous().reshape(-1).resolve_conj().resolve_neg()
    raw = dense.view(torch.uint8).numpy() if dense.numel() else np.empty(0, dtype=np.uint8)
    name = str(value.dtype).removeprefix("torch.")
    return {"a": keep(raw), "shape": list(value.shape), "torch": name}


def _decode_safely(node, fetch, special, max_nodes):
    budget = [max_nodes]
    try:
        return _decode(node, fetch, special, budget, 0)
    except Malformed:
        raise
    except Exception as error:  # any surprise in hostile data is one kind of failure
        raise Malformed(f"{type(error).__name__}: {str(error)[:200]}") from None


def _decode(node, fetch, special, budget, depth):
    budget[0] -= 1
    if budget[0] < 0:
        raise Malformed("too many values")
    if type(node) in SCALARS:
        return node
    if depth > 2 * MAX_DEPTH:
        raise Malformed("nested too deeply")

    def inner(child):
        return _decode(child, fetch, special, budget, depth + 1)

    if isinstance(node, list):
        if SCALARS.issuperset(map(type, node)) and len(node) <= budget[0]:
            budget[0] -= len(node)
            return list(node)
        return [inner(child) for child in node]
    if "a" in node:
        return _decode_array(node, fetch)
    if "u" in node:
        return _decode_strings(node)
    ((tag, body),) = node.items()
    if tag == "t":
        return tuple(inner(child) for child in body)
    if tag == "d":
        return {inner(key): inner(child) for key, child in body}
    if tag == "s":
        return {inner(child) for child in body}
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
    if tag == "sl":
        return slice(*(inner(child) for child in body))
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
    if tag == "x" and special is not None:
        return special(_decode(body, fetch, None, budget, depth + 1))
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
    shape = [int(size) for size in node["shape"]]
    if "bool" in (node.get("torch"), node.get("dtype")) and (flat.view(np.uint8) > 1).any():
        raise Malformed("a truth value that is neither true nor false")
    if "torch" in node:
        import torch

        dtype = _torch_dtype(node["torch"])
        if flat.size == 0 and 0 in shape:
            return torch.empty(shape, dtype=dtype)
        raw = bytearray(flat.tobytes())
        return torch.frombuffer(raw, dtype=dtype).reshape(shape)
    dtype = np.dtype(node["dtype"])
    if dtype.kind not in "biufc":
        raise Malformed(f"dtype {dtype} is not plain")
    array = np.array(flat).view(dtype).reshape(shape)
    return array.reshape(())[()] if node.get("scalar") else array


def _torch_dtype(name):
    import torch

    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise Malformed(f"{name!r} is not a torch dtype")
    return dtype
