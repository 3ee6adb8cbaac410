"""Steps through what the candidate iterates over, one question each."""

from typing import Any, Self

from viva_examiner.sandbox.bridge.forwarding import ONE_BY_ONE, ask
from viva_examiner.sandbox.bridge.operators import is_proxy
from viva_examiner.sandbox.errors import NotData
from viva_examiner.sandbox.inside.mutation import can_change


class RemoteIterator:
    """Steps through an iterator of the candidate; the only place where it may say "no more"."""

    END = "viva: no more"

    def __init__(self, iterator: Any) -> None:
        if not is_proxy(iterator):
            raise NotData("what the candidate iterates with is not an iterator")
        self.iterator = iterator

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        value = ask(self.iterator, "builtins", "next", self.iterator, self.END)
        if isinstance(value, str) and value == self.END:
            raise StopIteration
        if can_change(value):  # in one kernel the steps may all be one object
            self.iterator._viva[0].unseen.add(ONE_BY_ONE)
        return value
