"""What the last expression of a test is worth."""

import math
import numbers
import sys
from typing import Any

import numpy as np

from viva_examiner.sandbox.bridge.proxies import Proxy

NO_SCORE = object()


def one_number(value: object) -> object:
    """The number that an array or a tensor holds; NO_SCORE if it holds several, or is an object of
    the candidate. Anything else as it is.

    For tests that assert nothing: their last expression is all that they say.
    """
    if isinstance(value, Proxy):
        return NO_SCORE
    torch = sys.modules.get("torch")
    if not isinstance(value, np.ndarray) and not (
            torch is not None and isinstance(value, torch.Tensor)):
        return value
    if math.prod(value.shape) != 1:
        return NO_SCORE
    found = value.item()
    return found if is_number(found) else NO_SCORE


def score_of(value: Any, points: float) -> tuple[float, str]:
    """(score, remark) of a test that ended without an error, from its trailing expression.

    As in nbgrader a number is partial credit and anything else full marks; unlike there, what is
    not a number between 0 and the maximum never counts as full marks, nor stops the grading.
    """
    if not is_number(value):
        return points, ""
    try:
        value = float(value)
    except OverflowError:  # a whole number of more than 308 digits
        value = math.inf if value > 0 else -math.inf
    if math.isnan(value) or value < 0:
        return 0.0, f"the test gave {value:g} points, which counts as 0"
    if value > points:
        return points, f"the test gave {value:g} points of {points:g}, which counts as {points:g}"
    return value, ""


def is_number(value: object) -> bool:
    """A number that may be partial credit: of Python or numpy, but not a truth value."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)
