"""Did a call change its arguments? Told by comparing them with a fresh copy of the request."""

import sys

import numpy as np

from viva import plain

MUTABLE = (np.ndarray, list, dict, set, bytearray)


def mutations(args: list, kwargs: dict, read_again, wanted: bool) -> dict:
    """Whether arguments changed; if wanted, what they are now.

    read_again: reads the message that brought the arguments once more
    """
    torch = sys.modules.get("torch")
    kinds = MUTABLE + ((torch.Tensor,) if torch is not None else ())
    now = {i: arg for i, arg in enumerate(args) if isinstance(arg, kinds)}
    now |= {name: arg for name, arg in kwargs.items() if isinstance(arg, kinds)}
    request = read_again() if now else {}
    then = {key: request["args" if isinstance(key, int) else "kwargs"][key] for key in now}
    changed = {key: now[key] for key in now if not same(now[key], then[key])}
    return {"mutated": bool(changed), "after": changed if changed and wanted else None}


def write_into(old, new) -> bool:
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


def same(now, then) -> bool:
    """Whether an argument is what it was, bit for bit."""
    if isinstance(now, np.ndarray):
        return now.shape == then.shape and now.dtype == then.dtype and (
            now.tobytes() == then.tobytes())
    try:
        return plain.pack(now) == plain.pack(then)
    except plain.NotPlain:
        return type(now) is type(then) and len(now) == len(then)
