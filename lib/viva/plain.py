"""Plain data: the only thing that ever crosses between a student's code and ours.

Numbers, strings, None, lists, tuples, dicts, sets, ranges, numpy arrays and torch tensors. Two
forms of the same tree: `pack`/`unpack` (bytes in the safetensors format, for sockets and files)
and `to_json`/`from_json` (text, for the submission log). Nothing is ever executed when reading,
and reading is bounded in depth and in number of nodes.
"""

import base64
import json
from typing import Any

import numpy as np
from safetensors import deserialize

from viva.decoding import SCALARS, Malformed, Special, decoded
from viva.encoding import (
    LONG,
    MAX_DEPTH,
    NotPlain,
    encoder,
    name_of,
    numbers_of,
    object_of,
    pairs_of,
)
from viva.unbroken import read_json

__all__ = ["LONG", "MAX_DEPTH", "MAX_NODES", "Malformed", "NotPlain", "SCALARS", "from_json",
           "pack", "to_json", "unpack"]

MAX_NODES = 200_000
MAX_TEXT_PER_NODE = 40  # bytes of JSON per value allowed: parsing must not cost more than reading


def pack(tree: Any, special: Special = None) -> bytes:
    """Plain data as bytes in the safetensors format: the tree as JSON, then all arrays in a row.

    special: optional function called first with every value that is not a number, string or None,
        nor exactly a list, tuple, dict or numpy array of numbers; it returns a plain tree that
        stands for the value (read back by `unpack`'s `special`), or None to have the value treated
        as plain data.
    """
    parts: list[bytes] = []
    size = 0

    def keep(flat: np.ndarray) -> list[int]:
        """Where the array lies in the row: its first byte and the number of bytes."""
        nonlocal size
        place, size = [size, flat.nbytes], size + flat.nbytes
        parts.append(flat.tobytes())
        return place

    encode = encoder(keep, special, object_of, numbers_of)
    text = json.dumps(encode(tree, 0), separators=(",", ":")).encode()
    middle = len(text)
    head = (f'{{"tree":{{"dtype":"U8","shape":[{middle}],"data_offsets":[0,{middle}]}},'
            f'"data":{{"dtype":"U8","shape":[{size}],"data_offsets":[{middle},{middle + size}]}}}}')
    padded = head.ljust(-len(head) % 8 + len(head)).encode()
    return b"".join((len(padded).to_bytes(8, "little"), padded, text, *parts))


def unpack(data: bytes, special: Special = None, max_nodes: int = MAX_NODES) -> Any:
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

    def fetch(place: tuple[int, int]) -> np.ndarray:
        first, size = place
        if not 0 <= first <= first + size <= len(row):
            raise Malformed("an array beyond the end of the data")
        return row[first : first + size]

    return decoded(node, fetch, special, max_nodes)


def to_json(tree: Any) -> Any:
    """Plain data as a JSON value; arrays as base64 of their little-endian bytes, exactly."""

    def keep(array: np.ndarray) -> dict:
        data = base64.b64encode(array.tobytes()).decode()
        return {"dtype": name_of(array.dtype), "shape": list(array.shape), "data": data}

    return encoder(keep, None, pairs_of)(tree, 0)


def from_json(node: Any, max_nodes: int = MAX_NODES) -> Any:
    """The tree that `to_json` wrote. Raises Malformed for anything else."""

    def fetch(spec: dict) -> np.ndarray:
        dtype = np.dtype(spec["dtype"])
        if dtype.kind not in "biuf":
            raise Malformed(f"dtype {dtype} is not plain")
        data = base64.b64decode(spec["data"], validate=True)
        return np.frombuffer(data, dtype=dtype).reshape(spec["shape"])

    return decoded(node, fetch, None, max_nodes)
