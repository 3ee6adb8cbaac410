"""Facts about wrong answers: each rung of the ladder, and silence where nothing holds."""

import numpy as np
import pytest

from viva.facts import noticed

RNG = np.random.default_rng(0)
B = RNG.uniform(0.2, 3, (4, 4))
P = B / B.sum(-1, keepdims=True)
V = RNG.uniform(0.2, 3, 5)
TALL = RNG.normal(size=(5, 2))


@pytest.mark.parametrize("got, expected, words", [
    (V.astype("f4").astype(float), V, "up to a relative error of"),
    (np.trunc(V), V, "cut to whole ones"),
    (np.zeros(5), V, "zero everywhere"),
    (np.full(5, 0.2), V, "all your numbers are 0.2"),
    (0.5 * V, V, "every number is 0.5 times the expected one"),
    (-V, V, "every number has the wrong sign"),
    (V + 1.5, V, "every number is 1.5 too large"),
    (V - 1.5, V, "every number is 1.5 too small"),
    (B.T, B, "the transpose"),
    (TALL.T, TALL, "the transpose"),
    (RNG.normal(size=(2, 3, 4)).T, np.zeros((2, 3, 4)), ""),
    (V[::-1], V, "entries are in reverse order"),
    (TALL[::-1], TALL, "rows are in reverse order"),
    (B[:, ::-1], B, "columns are in reverse order"),
    (np.roll(V, 1), V, "one place earlier"),
    (np.roll(V, -1), V, "one place later"),
    (TALL[[0, 2, 1, 4, 3]], TALL, "rows are right, but in another order"),
    (V**2, V, "the square of"),
    (np.sqrt(V), V, "the square root of"),
    (1 / V, V, "one over"),
    (np.log(V), V, "the logarithm of"),
    (1 - V, V, "one minus"),
    (P + np.eye(4), P, "rows do not sum to one: the first sums to 2"),
    ((B / B.sum(0)), P, "the columns sum to one; the rows should"),
    (B + B.T + np.triu(B, 1), B + B.T, "symmetric; yours is not"),
    (B + np.eye(4), B, "only the entries on the diagonal are wrong"),
    (B + np.triu(B, 1), B, "only the entries above the diagonal are wrong"),
    (np.vstack([0 * TALL[:1], TALL[1:]]), TALL, "only the first row is wrong"),
    (np.concatenate([V[:-1], [9]]), V, "only the last entry is wrong"),
    (V[:, None], V, "only the shape is not"),
    (TALL[0], TALL, "the first part of the expected answer"),
    (TALL[:4], TALL, "the first 4 rows are right; there are 4 instead of 5"),
    ([1.0, 2.0, 4.0], [2.0, 4.0, 8.0], "0.5 times"),
    ([TALL, 2 * TALL], [TALL, TALL], "only the last part is wrong"),
    (RNG.normal(size=(5, 2)), TALL, ""),
    (V * np.nan, V, ""),
    (3.0, 4.0, ""),
    ("a", "b", ""),
    ({"x": V, "y": -V}, {"x": V, "y": V}, "the wrong sign"),
])
def test_what_is_seen(got, expected, words):
    found = noticed(got, expected, 1e-9, 1e-10)
    assert words in found and bool(words) == bool(found)


def test_a_dtype_alone():
    whole = np.arange(6)
    assert noticed(whole, whole.astype(float), 1e-9, 1e-10) == (
        "the values are right; only their dtype is not")
