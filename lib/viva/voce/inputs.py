"""Tiny inputs for a function: the kind that a public case gives it, with a few simple numbers.

What a case passes tells the domain: signs, whole numbers, zeros and ones, rows that sum to one,
symmetry. Sizes that are equal stay equal.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

MAX_NUMBERS = 14
SIZES = (2, 3, 4)
MOST_SIZES = 6  # different ones, of axes and of numbers that count something


@dataclass(frozen=True)
class Inputs:
    """Arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def tiny_inputs(args: tuple[Any, ...], kwargs: dict[str, Any], seed: str,
                tries: int = 12) -> Iterator[Inputs]:
    """Small arguments like these, different ones each time; none if there is no way to."""
    values = [*args, *kwargs.values()]
    arrays = [each for each in values if is_array(each)]
    if not all(map(_can_be_shown, values)) or not values:
        return
    sizes = {size for each in arrays for size in each.shape if size > 1}
    sizes |= {each for each in values if type(each) is int and each > 1}  # they belong together
    draw = random.Random(seed)
    for number in range(tries):
        smaller = _smaller(sorted(sizes), arrays, number)
        if smaller is None:
            return
        made = [_like(each, smaller, draw) for each in values]
        if any(each is None for each, old in zip(made, values, strict=True) if old is not None):
            return
        if any(is_array(each) and not _numpy(each).any() for each in made):
            continue  # nothing but zeros hides what the code does
        named = dict(zip(kwargs, made[len(args):], strict=True))
        yield Inputs(tuple(made[: len(args)]), named)


def redrawn(inputs: Inputs, place: int, seed: str) -> Inputs:
    """The same arguments, but other numbers in one of them."""
    values = [*inputs.args, *inputs.kwargs.values()]
    same = {size: size for each in values if is_array(each) for size in each.shape}
    draw = random.Random(seed)
    for _ in range(8):
        fresh = _like(values[place], same, draw)
        if not np.array_equal(_numpy(fresh), _numpy(values[place])):
            break
    values[place] = fresh
    count = len(inputs.args)
    return Inputs(tuple(values[:count]), dict(zip(inputs.kwargs, values[count:], strict=True)))


def is_array(value: Any) -> bool:
    """Whether a value is an array or a tensor."""
    return isinstance(value, np.ndarray) or hasattr(value, "detach")


def as_code(value: Any) -> str:
    """The value as a line of code."""
    if is_array(value):
        maker = "np.array" if isinstance(value, np.ndarray) else "torch.tensor"
        text = np.array2string(_numpy(value), separator=", ", max_line_width=10_000)
        text = " ".join(text.split()).replace("[ ", "[")
        if not isinstance(value, np.ndarray) and str(value.dtype) == "torch.float64":
            return f"{maker}({text}, dtype=torch.float64)"
        return f"{maker}({text})"
    return repr(value)


def _numpy(value: Any) -> np.ndarray:
    return value.detach().numpy() if hasattr(value, "detach") else np.asarray(value)


def _can_be_shown(value: Any) -> bool:
    if is_array(value):
        return _numpy(value).dtype.kind in "biuf" and value.ndim <= 3
    return value is None or isinstance(value, bool | int | float | str)


def _smaller(sizes: list[int], arrays: list[Any], number: int) -> dict[int, int] | None:
    """{size: small size} so that all arrays together stay within the bound; None if none do.

    What is larger does not become smaller than what it was larger than, and what was a product of
    two sizes is one again: an image that is cut into windows stays one.
    """
    fitting = []
    if len(sizes) > MOST_SIZES:
        return None
    products = [(a, b, c) for a in sizes for b in sizes for c in sizes if a == b * c and b <= c]
    for chosen in itertools.product(SIZES, repeat=len(sizes)):
        table = dict(zip(sizes, chosen, strict=True)) | {0: 0, 1: 1}
        total = sum(int(np.prod([table[size] for size in each.shape])) for each in arrays)
        if total <= MAX_NUMBERS and list(chosen) == sorted(chosen) and (
                all(table[a] == table[b] * table[c] for a, b, c in products)):
            fitting.append((-len(set(chosen)), total, table))
    fitting.sort(key=lambda each: each[:2])
    best = [table for _, _, table in fitting][:6]  # sizes that differ first, then few numbers
    return best[number % len(best)] if best else None


def _like(value: Any, smaller: dict[int, int], draw: random.Random) -> Any:
    if is_array(value):
        found = _like_array(_numpy(value), smaller, draw)
        if found is None or isinstance(value, np.ndarray):
            return found
        import torch

        return torch.from_numpy(found).to(value.dtype)
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return smaller.get(value, value)
    if 0 < value < 1:
        return draw.choice((0.5, 0.25))
    if value == 0:
        return value
    return draw.choice((1.0, 2.0, 3.0)) if value > 0 else draw.choice((-1.0, -2.0))


def _like_array(value: np.ndarray, smaller: dict[int, int],
                draw: random.Random) -> np.ndarray | None:
    shape = tuple(smaller[size] for size in value.shape)
    if not value.size:
        return None

    def filled(choices: tuple[float, ...]) -> np.ndarray:
        flat = [draw.choice(choices) for _ in range(int(np.prod(shape)))]
        return np.array(flat, dtype=value.dtype).reshape(shape)

    low, high = value.min(), value.max()
    if value.dtype.kind == "b":
        return filled((True, False))
    if value.dtype.kind in "iu":
        bound = smaller.get(int(high) + 1, min(int(high) + 1, 4))  # labels below a size
        return filled(tuple(range(min(int(low), 1) if low >= 0 else -3, max(bound, 2))))
    if set(np.unique(value)) <= {0.0, 1.0}:
        return filled((0.0, 1.0))
    if value.ndim and low >= 0 and np.allclose(value.sum(axis=-1), 1):
        return _rows_of_one(shape, draw).astype(value.dtype)
    is_square = value.ndim == 2 and shape[0] == shape[1]
    made = filled((1.0, 2.0, 3.0, 4.0)) if low > 0 else (
        filled((0.0, 1.0, 2.0, 3.0)) if low >= 0 else filled((-2.0, -1.0, 0.0, 1.0, 2.0, 3.0)))
    if is_square and value.shape[0] == value.shape[1]:
        if np.allclose(value, value.T):
            made = np.triu(made) + np.triu(made, 1).T
        elif np.allclose(value, np.tril(value)):
            made = np.tril(made)
    return made


def _rows_of_one(shape: tuple[int, ...], draw: random.Random) -> np.ndarray:
    rows = []
    for _ in range(int(np.prod(shape[:-1]))):
        cuts = sorted(draw.randint(0, 4) for _ in range(shape[-1] - 1))
        rows.append(np.diff([0, *cuts, 4]) / 4)
    return np.array(rows).reshape(shape)
