"""Results as they are printed in a question: numbers that pencil and paper can reach, exactly."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

MAX_DENOMINATOR = 12
LARGEST = 200  # larger ones are arithmetic, not understanding
EXACT = 1e-12  # relative; a few roundings of float64 stay below, tanh(13) does not pass for 1
EXACT_SINGLE = 2e-6  # the same for float32
MAX_NUMBERS = 6
MAX_LETTERS = 40  # of a text that is returned


class NotPrintable(Exception):
    """The result cannot be an option: too large, not exact, not finite, not numbers."""


def printed(value: Any, slack: float = 1.0) -> str:
    """The result in words. Raises NotPrintable.

    slack: how many times the tolerance; what is printed must not depend on it
    """
    if not isinstance(value, str) and len(numbers_in(value)) > MAX_NUMBERS:
        raise NotPrintable("too many numbers")
    return _text(value, slack)


def structure(value: Any) -> Any:
    """The form of a result without its numbers: shapes, and what holds them."""
    array = _array(value)
    if array is not None:
        return ("array", array.shape, array.dtype.kind in "b")
    if isinstance(value, tuple | list):
        return (type(value).__name__, *(structure(part) for part in value))
    if isinstance(value, dict):
        return ("dict", *((key, structure(part)) for key, part in value.items()))
    if isinstance(value, str):
        return "text"
    return "truth" if isinstance(value, bool | np.bool_) else "number"


def numbers_in(value: Any) -> list[float]:
    """All numbers of a result, in order."""
    array = _array(value)
    if array is not None:
        if array.dtype.kind not in "biuf":
            raise NotPrintable(f"an array of {array.dtype}")
        return [float(number) for number in array.reshape(-1)]
    if isinstance(value, tuple | list):
        return [number for part in value for number in numbers_in(part)]
    if isinstance(value, dict):
        return [number for part in value.values() for number in numbers_in(part)]
    if isinstance(value, bool | int | float | np.integer | np.floating | np.bool_):
        return [float(value)]
    raise NotPrintable(f"a {type(value).__name__} is no number")


def apart(one: Any, other: Any) -> bool:
    """Whether two results differ by more than one per cent in some number."""
    if structure(one) != structure(other):
        return True
    if isinstance(one, str):
        return one != other
    return any(abs(a - b) > 0.01 * max(abs(a), abs(b))
               for a, b in zip(numbers_in(one), numbers_in(other), strict=True))


def is_multiple(one: Any, other: Any) -> bool:
    """Whether one result is the other times a number, or with its sign turned: to find that out
    nobody has to follow the code."""
    if isinstance(one, str) or structure(one) != structure(other):
        return False
    pairs = list(zip(numbers_in(one), numbers_in(other), strict=True))
    if any((a == 0) != (b == 0) for a, b in pairs):
        return False
    ratios = [a / b for a, b in pairs if b]
    if len(ratios) < 2:
        return ratios == [-1.0]  # a single number is a multiple of any other
    return max(ratios) - min(ratios) <= 1e-9 * max(map(abs, ratios))  # a few roundings


def _array(value: Any) -> np.ndarray | None:
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return value if isinstance(value, np.ndarray) else None


def _text(value: Any, slack: float) -> str:
    array = _array(value)
    if array is not None:
        return _text(array.tolist(), slack * (EXACT_SINGLE / EXACT if array.itemsize == 4 else 1))
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, int | float | np.integer | np.floating):
        single = isinstance(value, np.float32)
        return _number(float(value), slack * (EXACT_SINGLE / EXACT if single else 1))
    if isinstance(value, str) and value.isprintable() and len(value) <= MAX_LETTERS:
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(_text(part, slack) for part in value)}]"
    if isinstance(value, tuple):
        return f"({', '.join(_text(part, slack) for part in value)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(part, slack)}" for key, part in value.items()) + "}"
    raise NotPrintable(f"a {type(value).__name__} cannot be printed")


def _number(value: float, slack: float) -> str:
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise NotPrintable(f"{value} is no number for pencil and paper")
    if 0 < abs(value) < slack * EXACT:  # exp(-40) is no zero, and looks like a rounding error
        raise NotPrintable(f"{value} is nearly zero")
    near = Fraction(value).limit_denominator(MAX_DENOMINATOR)
    if abs(value - near) > slack * EXACT * max(1.0, abs(value)):
        raise NotPrintable(f"{value} is not exact")
    return str(near)
