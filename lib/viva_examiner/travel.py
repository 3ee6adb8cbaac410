"""How a record travels: a dataclass to bytes and back, led by the types of its own fields.

The first line is JSON; the fields that are bytes follow it, one after the other, as they are. What
comes back is checked: a field of another type, one that nobody knows and one that is missing are a
ValueError. So nobody who moves a record needs to know what is in it.
"""

import dataclasses
import functools
import json
import types
from collections.abc import Callable
from enum import Enum
from typing import Any, Self, Union, get_args, get_origin, get_type_hints

Take = Callable[[int], bytes]
Reader = Callable[[Any, Take], Any]


class Travels:
    """A dataclass that becomes bytes or plain JSON data, and comes back equal."""

    def to_bytes(self) -> bytes:
        blobs: list[bytes] = []
        head = json.dumps(_plain(self, blobs))
        return b"\n".join((head.encode(), b"".join(blobs)))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        head, _, rest = data.partition(b"\n")
        at = 0

        def take(size: int) -> bytes:
            nonlocal at
            at += size
            if size < 0 or at > len(rest):
                raise ValueError("a record is shorter than it says")
            return rest[at - size:at]

        kind: Any = cls  # mypy does not take type[Self] for hashable
        return _reader(kind)(json.loads(head), take)

    def to_plain(self) -> dict[str, Any]:
        """As JSON data. Only for records without bytes."""
        blobs: list[bytes] = []
        plain = _plain(self, blobs)
        if blobs:
            raise TypeError(f"{type(self).__name__} holds bytes, which plain data cannot")
        return plain

    @classmethod
    def from_plain(cls, plain: Any) -> Self:
        kind: Any = cls
        return _reader(kind)(plain, _no_bytes)


def _no_bytes(size: int) -> bytes:
    raise ValueError("plain data holds no bytes")


def _plain(value: Any, blobs: list[bytes]) -> Any:
    if isinstance(value, bytes):
        blobs.append(value)
        return len(value)
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name), blobs)
                for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {name: _plain(each, blobs) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, blobs) for each in value]
    return value


@functools.cache
def _reader(kind: Any) -> Reader:
    """What makes a value of this type from JSON data."""
    outer, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value, take: value
    if kind is bytes:
        return lambda value, take: take(_checked(value, int))
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    if outer in (Union, types.UnionType):
        [wanted] = [each for each in inner if each is not types.NoneType]
        read = _reader(wanted)
        return lambda value, take: None if value is None else read(value, take)
    if outer is tuple and inner[-1] is not Ellipsis:
        parts = [_reader(each) for each in inner]
        return lambda value, take: tuple(
            part(each, take)
            for part, each in zip(parts, _checked(value, list | tuple), strict=True))
    if outer in (tuple, list):
        read = _reader(inner[0])
        return lambda value, take: outer(read(each, take) for each in _checked(value, list | tuple))
    if outer is dict:
        read = _reader(inner[1])
        return lambda value, take: {_checked(name, inner[0]): read(each, take)
                                    for name, each in _checked(value, dict).items()}
    if kind is float:
        return lambda value, take: _checked(value, float | int)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value, take: kind(value)
    return lambda value, take: _checked(value, kind)


def _record_reader(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(kind)}

    def read(value: Any, take: Take) -> Any:
        unknown = _checked(value, dict).keys() - readers
        if unknown:
            raise ValueError(f"{kind.__name__} has no {', '.join(sorted(map(str, unknown)))}")
        parts = {name: reader(value[name], take) for name, reader in readers.items()
                 if name in value}
        try:
            return kind(**parts)
        except TypeError as error:
            raise ValueError(str(error)) from None

    return read


def _checked(value: Any, kind: Any) -> Any:
    wrong = isinstance(value, bool) and kind is not bool  # True is no number here
    if wrong or not isinstance(value, kind):
        raise ValueError(f"a record has {type(value).__name__} where it must have {kind}")
    return value
