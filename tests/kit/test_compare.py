"""Comparisons where a tolerance means nothing."""

import numpy as np
import pytest

from viva.compare import difference

TOLERANCE = {"rtol": 1e-9, "atol": 1e-10}


@pytest.mark.parametrize("got", [3.0, 1e308, -np.inf, np.nan])
def test_only_infinity_is_near_infinity(got):
    assert difference(got, np.inf, **TOLERANCE) is not None
    assert difference(np.array([1.0, got]), np.array([1.0, np.inf]), **TOLERANCE) is not None


def test_infinity_is_infinity_and_nan_is_nan():
    for value in (np.inf, -np.inf, np.nan):
        assert difference(value, value, **TOLERANCE) is None
        assert difference(np.array([value, 1]), np.array([value, 1]), **TOLERANCE) is None


@pytest.mark.parametrize("large", [2**64, 10**30, -10**30, 10**400, -10**5000],
                         ids=lambda large: f"{large.bit_length()} bits")
def test_whole_numbers_of_any_size_are_compared(large):
    """numpy has no room for them, floats have none for the larger ones, and some are too long to
    be printed: none of that may end an exam."""
    for expected in (5, 5.0, 0.1, np.inf, np.zeros(3), "word"):
        assert difference(large, expected, **TOLERANCE) is not None
        assert f"{difference(large, expected, **TOLERANCE)}"
    for got in (5, 5.0, np.nan, np.inf, np.zeros(3), None, large + 1):
        assert difference(got, large, rtol=0, atol=0) is not None
    assert difference(large, large, rtol=0, atol=0) is None
