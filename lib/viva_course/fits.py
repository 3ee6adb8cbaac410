"""Whether a recorded output is right, without reading it into arrays first: most are.

A node of a log (`viva.plain.to_json`) and the expected value are walked together. Where they are
alike in every type, key, shape and dtype, all their numbers are compared at once. "No" only
means that the ordinary comparison has to look, and to say what differs.
"""

import struct
from binascii import a2b_base64

import numpy as np

double = struct.Struct("d").pack
WORDS = (bool, int, str, type(None))  # stand for themselves, and must be equal


def fits(node, value, rtol: float, atol: float) -> bool:
    """Whether a node certainly describes `value`: |got - value| <= atol + rtol |value|."""
    got, expected = [], []
    try:
        _collect(node, value, got, expected)
    except Exception:  # of another form, or hostile
        return False
    got, expected = b"".join(got), b"".join(expected)
    if got == expected:
        return True
    got, expected = np.frombuffer(got), np.frombuffer(expected)
    tolerance = atol + rtol * np.abs(expected)
    return bool((np.abs(got - expected) <= tolerance).all() and np.isfinite(tolerance).all())


def _collect(node, value, got: list[bytes], expected: list[bytes]) -> None:
    """Add the numbers of both as bytes of float64. Raises if the node is of another form."""
    kind = type(value)
    if kind is np.ndarray:
        if value.dtype != np.float64 or "scalar" in node:
            raise ValueError
        got.append(_doubles(node, list(value.shape), value.nbytes))
        expected.append(value.tobytes())
    elif kind is float or kind is np.float64:  # one number is like another
        got.append(double(node) if type(node) is float else _doubles(node, [], 8))
        expected.append(double(value))
    elif kind is dict:
        for (name, child), key in zip(node["d"], value, strict=True):
            if name != key:
                raise ValueError
            _collect(child, value[key], got, expected)
    elif kind is list or kind is tuple:
        children = node if type(node) is list else node["t"]
        for child, part in zip(children, value, strict=True):
            _collect(child, part, got, expected)
    elif kind not in WORDS or type(node) is not kind or node != value:
        raise ValueError


def _doubles(node: dict, shape: list[int], size: int) -> bytes:
    """The bytes, so many, of an array of float64 of this shape. Raises if it is something else."""
    array = node["a"]
    data = a2b_base64(array["data"], strict_mode=True)
    if "torch" in node or not node["dtype"] == array["dtype"] == "float64" or (
            node["shape"] != shape or len(data) != size):
        raise ValueError
    return data
