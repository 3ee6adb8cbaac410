"""Objects that agree with everything: what a question gives them, it would give to no work at all.

A question both of whose sides come from the candidate asks nothing: an object decides what it is
equal to, what it counts, how long it is. Every operation on one of these gives one of them back.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

OPERATIONS = ("add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv matmul rmatmul mod "
              "rmod pow rpow neg pos abs round eq ne lt le gt ge and or xor invert call "
              "getitem enter").split()
WORDS = ("torch.float64", "torch.float32", "float64", "float32")  # what a dtype is asked for


class Agreeing:
    """truth: what it is as a condition, a number and an array; word: what it is called"""

    def __init__(self, truth: bool, word: str):
        self.__dict__.update(truth=truth, word=word)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        pass

    def __bool__(self) -> bool:
        return self.truth

    def __int__(self) -> int:
        return int(self.truth)

    __index__ = __int__

    def __float__(self) -> float:
        return float(self.truth)

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[Any]:
        return iter((self, self))

    def __contains__(self, value: Any) -> bool:
        return self.truth

    def __str__(self) -> str:
        return self.word

    __repr__ = __str__
    __hash__ = object.__hash__

    def __array__(self, *args: Any, **options: Any) -> np.ndarray:
        return np.full((), float(self.truth))

    def __exit__(self, *error: object) -> None:
        pass


def _itself(self: Agreeing, *args: Any, **options: Any) -> Agreeing:
    return self


for _name in OPERATIONS:
    setattr(Agreeing, f"__{_name}__", _itself)

ALL = tuple(Agreeing(index % 2 == 0, word) for index, word in enumerate(WORDS))
