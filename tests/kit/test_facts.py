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
    (V.astype("f4").astype(float), V, "float32 is used somewhere"),
    ((B.astype("f4") @ B.astype("f4")).astype(float), B @ B, "float32 is used somewhere"),
    (V / (1 + 1e-7), V, "every number is close: the largest error is 1e-07"),
    (np.trunc(2 * V), 2 * V, "cut to whole ones"),
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
    (P + np.eye(4), P, "rows do not sum to one: row [0] sums to 2"),
    ((B / B.sum(0)), P, "the columns sum to one; the rows should"),
    (B + B.T + np.triu(B, 1), B + B.T, "only the entries above the diagonal are wrong"),
    (B + np.eye(4), B, "only the entries on the diagonal are wrong"),
    (B + np.triu(B, 1), B, "only the entries above the diagonal are wrong"),
    (np.vstack([0 * TALL[:1], TALL[1:]]), TALL, "only the first row is wrong"),
    (np.concatenate([V[:-1], [9]]), V, "only the last entry is wrong"),
    (V[:, None], V, "only the shape is not"),
    (B[0], B, "it is the first of the expected rows"),
    (TALL[:4], TALL, "the first 4 rows are right; there are 4 instead of 5"),
    ([1.0, 2.0, 4.0], [2.0, 4.0, 8.0], "0.5 times"),
    ([TALL, 2 * TALL], [TALL, TALL], "every number is 2 times the expected one"),
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


ONES = np.array([0.0, 1, 0, 1, 0, 1])
HOT = np.eye(4)[[0, 2, 1, 3, 0]]


@pytest.mark.parametrize("got, expected", [
    (np.roll(ONES, 1), ONES),  # one place later, or zeros and ones exchanged, or anything
    (HOT[[1, 0, 2, 3, 4]], HOT),  # one-hots in another order
    (np.zeros((3, 3)), np.eye(3) * 0.5),  # cut to whole numbers, or simply zero
    (ONES**2 + 0 * ONES, 1 - ONES),  # one minus: for zeros and ones that is another order, too
    (np.eye(3)[[1, 0, 2]], np.eye(3)),
    (np.zeros(0), np.zeros((0, 3))),  # no numbers are not "right" numbers
])
def test_what_could_hold_by_accident_is_not_said(got, expected):
    found = noticed(got, expected, 1e-9, 1e-10)
    assert found in ("", "your answer is zero everywhere") or "numbers are wrong" in found


@pytest.mark.parametrize("got", [V / (V + 1e-6) * V, V + 1e-7 * V**2, V * (1 - 1e-6 / V)])
def test_a_constant_in_a_denominator_is_not_called_rounding(got):
    assert "precision" not in noticed(got, V, 1e-9, 1e-10)


def test_halves_and_whole_numbers_are_no_single_precision():
    assert "precision" not in noticed(np.full(6, 0.5), np.full(6, 0.5 + 1e-7), 1e-12, 1e-12)


def test_a_stack_of_matrices_has_no_first_row_and_a_pair_no_last_part():
    stack = RNG.normal(size=(5, 2, 2))
    wrong = stack.copy()
    wrong[0] += RNG.normal(size=(2, 2))
    assert noticed(wrong, stack, 1e-9, 1e-10) == "4 of 20 numbers are wrong"
    assert noticed((V, V), (V, V + RNG.normal(size=5)), 1e-9, 1e-10) == ""
    assert noticed([1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 4.0], 1e-9, 1e-10) == ""


def test_the_row_that_is_named_is_the_one_that_does_not_sum_to_one():
    wrong = P.copy()
    wrong[2] *= 0.9
    assert noticed(wrong, P, 1e-9, 1e-10) == "rows do not sum to one: row [2] sums to 0.9"


def test_a_wide_tolerance_proves_no_relation():
    noise = 0.02 * np.cos(7 * V)
    assert noticed(2 * V + noise, V, 0, 0.1) == "every number is about 2 times the expected one"
    assert noticed(V + 1.5 + noise, V, 0, 0.1) == "every number is about 1.5 too large"
    assert "times" not in noticed(0.95 * V + 4 * noise, V, 0, 0.1)
