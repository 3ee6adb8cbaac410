"""Values that have crossed during a test, and whether the test has changed one of them since.

In one kernel the student's code may still hold such a value, and would see the change. Here it has
a copy. What nobody else refers to any more cannot be changed, and is let go before the next call.
"""

import sys
from typing import Any

from viva_examiner.sandbox.inside.mutation import can_change, packed

OURS_ALONE = 3  # references to a value that only the tuple below, a name and getrefcount hold


class KeptValues:
    """Off (`on` is False) where nobody will ask."""

    def __init__(self) -> None:
        self.on = False
        self.changed = False  # one that is gone by now
        self.values: dict[int, tuple[Any, bytes | None]] = {}

    def begin(self, on: bool) -> None:
        self.on, self.changed = on, False
        self.values.clear()

    def let_go(self) -> None:
        for key, pair in list(self.values.items()):
            value, before = pair
            if sys.getrefcount(value) <= OURS_ALONE:
                self.changed = self.changed or packed(value) != before
                self.values.pop(key, None)

    def add(self, *crossed: Any) -> None:
        for value in crossed if self.on else ():
            if isinstance(value, tuple):
                self.add(*value)
            elif can_change(value):
                self.values[id(value)] = (value, packed(value))

    def has_changed(self) -> bool:
        return self.changed or any(packed(value) != before
                                   for value, before in list(self.values.values()))
