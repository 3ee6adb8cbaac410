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
