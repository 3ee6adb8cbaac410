"""Plain data survives both forms exactly, and hostile bytes end in Malformed."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import save

from viva import plain

ARRAYS = hnp.arrays(
    st.sampled_from(["f4", "f8", "i8", "u1", "?", "c16"]), hnp.array_shapes(min_dims=0, max_side=3)
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | ARRAYS
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3)
    | st.tuples(inner, inner)
    | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def same(a, b) -> bool:
    if isinstance(a, np.ndarray | torch.Tensor):
        if type(a) is not type(b) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        return bool(np.array_equal(np.asarray(a), np.asarray(b), equal_nan=a.dtype != bool))
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and (a == b or a != a and b != b)


@settings(max_examples=200, deadline=None)
@given(TREES)
def test_both_forms_are_exact(tree):
    assert same(plain.unpack(plain.pack(tree)), tree)
    assert same(plain.from_json(json.loads(json.dumps(plain.to_json(tree)))), tree)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool])
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_tensors_keep_dtype_and_shape(dtype, shape):
    tensor = torch.ones(shape).to(dtype)
    back = plain.unpack(plain.pack(tensor))
    assert back.dtype == dtype and back.shape == tensor.shape and torch.equal(back, tensor)


def test_numpy_scalars_stay_numpy_scalars():
    assert type(plain.unpack(plain.pack(np.float32(1.5)))) is np.float32


def test_arrays_that_arrive_can_be_written():
    array = plain.unpack(plain.pack(np.zeros(3)))
    array += 1
    assert array.sum() == 3


@pytest.mark.parametrize("value", [object(), lambda: 0, np.array([object()]), open])
def test_what_cannot_cross_is_named(value):
    with pytest.raises(plain.NotPlain, match="not plain data"):
        plain.pack({"inside": [value]})


def test_a_special_value_crosses_by_its_stand_in():
    class Handle:
        pass

    packed = plain.pack([Handle()], special=lambda v: 7 if isinstance(v, Handle) else None)
    assert plain.unpack(packed, special=lambda number: f"handle {number}") == ["handle 7"]
    with pytest.raises(plain.Malformed):
        plain.unpack(packed)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=64))
def test_random_bytes_are_malformed(data):
    with pytest.raises(plain.Malformed):
        plain.unpack(data)


def forged(text: str, data=b""):
    """The bytes of a tree that nobody packed."""
    return save({"tree": np.frombuffer(text.encode(), np.uint8),
                 "data": np.frombuffer(data, np.uint8)})


@pytest.mark.parametrize(
    "node",
    [
        {"zz": 1},
        {"t": 3},
        {"a": [9, 24], "shape": [3], "dtype": "float64"},
        {"a": [-8, 8], "shape": [1], "dtype": "float64"},
        {"a": [16, -8], "shape": [1], "dtype": "float64"},
        {"a": [0, 23], "shape": [3], "dtype": "float64"},
        {"a": [0], "shape": [3], "dtype": "float64"},
        {"a": "0", "shape": [3], "dtype": "float64"},
        {"a": [0, 24], "shape": [10**12], "dtype": "float64"},
        {"a": [0, 24], "shape": [-1, -1], "dtype": "float64"},
        {"a": [0, 24], "shape": [3], "dtype": "object"},
        {"a": [0, 24], "shape": [3], "torch": "load"},
        {"a": [0, 1], "shape": [1], "dtype": "bool"},
        {"o": [["x", 1]]},
        {"d": [[[1], 2]]},
        {"r": ["x", 1, 1]},
        {"i": "f" * 10**6, "t": []},
        {"x": 1},
        {},
    ],
)
def test_forged_trees_are_malformed(node):
    with pytest.raises(plain.Malformed):
        plain.unpack(forged(json.dumps(node), b"\x02" * 24))


def test_depth_and_number_of_values_are_bounded():
    deep = node = []
    for _ in range(5000):
        node.append([])
        node = node[0]
    with pytest.raises(plain.NotPlain, match="deep"):
        plain.pack(deep)
    with pytest.raises(plain.Malformed, match="many|deep"):
        plain.unpack(forged("[" * 9000 + "]" * 9000))
    with pytest.raises(plain.Malformed, match="too many"):
        plain.unpack(plain.pack(["0"] * 900), max_nodes=100)


def test_long_lists_of_numbers_are_cheap_and_bounded():
    """A million numbers is what an honest function may return; they travel like an array."""
    for numbers in ([0.5, float("nan")] * 300_000, list(range(600_000))):
        again = plain.unpack(plain.pack(numbers))
        assert type(again) is list and type(again[0]) is type(numbers[0])
        assert np.array_equal(again, numbers, equal_nan=True)
    assert plain.unpack(plain.pack([2**70] * 100)) == [2**70] * 100
    assert plain.unpack(plain.pack([True, 1] * 100)) == [True, 1] * 100
    too_many = plain.pack([[1] * 100_000] * 41)
    with pytest.raises(plain.Malformed, match="too many"):
        plain.unpack(too_many)


HALVES = {"key \ud800": "\udfff", "list": ["\ud800", ("\ud800", {"\ud800"})],
          1: np.array(["\ud800", "b"])}


def test_halves_of_characters_end_where_they_are_read():
    back = plain.unpack(plain.pack(HALVES))
    assert back["key ?"] == "?" and back["list"] == ["?", ("?", {"?"})]
    assert back[1].tolist() == ["?", "b"]
    assert plain.unpack(plain.pack({"😀": "ü\\ud800"})) == {"😀": "ü\\ud800"}  # whole


def test_halves_in_the_bytes_themselves_are_malformed():
    packed = plain.pack("xyz").replace(b"xyz", "\ud800".encode("utf-8", "surrogatepass"))
    with pytest.raises(plain.Malformed):
        plain.unpack(packed)
