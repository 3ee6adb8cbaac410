"""Data that test and student's code share in one kernel, of which each side here has a copy.

What the student's code was given, or has given to a function of the test, and still holds: in one
kernel a later change would be seen by the test as well. What nobody else refers to any more is let
go before the next question.
"""

import sys
from typing import Any

from viva_examiner.sandbox.inside.mutation import can_change, packed

OURS_ALONE = 2  # references to a value that only the pair below and getrefcount hold
MAX_BYTES = 1 << 20  # of one value; changes of larger ones go unnoticed


class Lending:
    """Off (`on` is False) where nobody will ask."""

    def __init__(self) -> None:
        self.on = False
        self.values: list[tuple[Any, bytes]] = []

    def forget(self) -> None:
        self.values.clear()

    def begin(self, on: bool) -> None:
        """A question comes."""
        self.on = on
        self.values = [pair for pair in self.values if sys.getrefcount(pair[0]) > OURS_ALONE]

    def add(self, *crossed: Any) -> None:
        for value in crossed if self.on else ():
            if isinstance(value, tuple):
                self.add(*value)
            elif can_change(value):
                seen = packed(value)
                if seen is not None and len(seen) <= MAX_BYTES:
                    self.values.append((value, seen))

    def has_changed(self) -> bool:
        return any(packed(value) != seen for value, seen in self.values)
