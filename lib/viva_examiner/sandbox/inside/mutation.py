"""Did a call change its arguments? Told by comparing them with a fresh copy of the request."""

import collections
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from viva import plain
from viva_examiner.sandbox.inside import values

MUTABLE = (np.ndarray, list, dict, set, bytearray, tuple, collections.deque)


def mutations(args: list, kwargs: dict, read_again: Callable[[], dict], wanted: bool) -> dict:
    """Whether arguments changed; if wanted, what they are now.

    read_again: reads the message that brought the arguments once more
    """
    torch = sys.modules.get("torch")
    kinds = MUTABLE + ((torch.Tensor,) if torch is not None else ())
    now = {i: arg for i, arg in enumerate(args) if isinstance(arg, kinds) or is_table(arg)}
    now |= {name: arg for name, arg in kwargs.items() if isinstance(arg, kinds) or is_table(arg)}
    request = read_again() if now else {}
    then = {key: request["args" if isinstance(key, int) else "kwargs"][key] for key in now}
    changed = {key: now[key] for key in now if not same(now[key], then[key])}
    return {"mutated": bool(changed), "after": changed if changed and wanted else None}


def write_into(old: Any, new: Any) -> bool:
    """Make something that can be changed equal to another of its kind; whether that was done."""
    if type(old) is not type(new):
        return False
    if isinstance(old, list | bytearray):
        old[:] = new
    elif isinstance(old, dict | set):
        old.clear()
        old.update(new)
    elif isinstance(old, np.ndarray) and old.shape == new.shape and old.dtype == new.dtype:
        old[...] = new
    else:
        return False
    return True


def same(now: Any, then: Any) -> bool:
    """Whether an argument is what it was, bit for bit."""
    if isinstance(now, np.ndarray):
        return now.shape == then.shape and now.dtype == then.dtype and (
            now.tobytes() == then.tobytes())
    if type(now) is not type(then):
        return False
    try:
        return plain.pack(now, values.encode) == plain.pack(then, values.encode)
    except plain.NotPlain:
        return len(now) == len(then)


def is_table(value: object) -> bool:
    """A table of pandas, which can be changed in place."""
    return type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "iloc")


def can_change(value: object) -> bool:
    """Whether this is data of which the other side has a copy, and that may be changed in place."""
    torch = sys.modules.get("torch")
    return (isinstance(value, MUTABLE) and not isinstance(value, tuple)) or is_table(value) or (
        torch is not None and isinstance(value, torch.Tensor) and not value.requires_grad)


def packed(value: object) -> bytes | None:
    """A value as bytes, to see later whether it has changed; None if it cannot cross."""
    try:
        return plain.pack(value, values.encode)
    except plain.NotPlain:
        return None
