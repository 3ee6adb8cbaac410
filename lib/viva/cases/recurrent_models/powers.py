"""Public cases of section 7: all powers of a matrix by doubling."""

import numpy as np

from viva.case import case, outcome


class Counted:
    """np.matmul that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, a, b):
        self.calls += 1
        return np.matmul(a, b)


def remainders(a, b):
    """np.matmul for whole numbers that keeps remainders of 97: numbers stay small, powers exact."""
    return np.matmul(a, b) % 97


@case("matrix_powers")
def shear(rng, matrix_powers):
    """[[1, 1], [0, 1]], L = 5: ones, and 0 1 2 3 4 in the corner"""
    return matrix_powers(np.array([[1.0, 1.0], [0.0, 1.0]]), 5)


@case("matrix_powers")
def every_length(rng, matrix_powers):
    """L = 1 to 9, three by three"""
    A = rng.normal(size=(3, 3))
    return [matrix_powers(A, L) for L in range(1, 10)]


@case("matrix_powers")
def zero_matrix(rng, matrix_powers):
    """A = 0, L = 3: the identity, then zeros"""
    return matrix_powers(np.zeros((2, 2)), 3)


@case("matrix_powers")
def no_power(rng, matrix_powers):
    """L = 0: ValueError"""
    return outcome(matrix_powers, np.eye(2), 0)


@case("matrix_powers")
def products(rng, matrix_powers):
    """L = 33: at most 12 calls of the given matmul, which makes every product"""
    counted = Counted()
    last = matrix_powers(0.5 * rng.normal(size=(2, 2)), 33, matmul=counted)[-1]
    calls = "more than 12" if counted.calls > 12 else "5 to 12"
    return {"last power": last, "calls of matmul": calls if counted.calls >= 5 else "fewer than 5"}


@case("matrix_powers")
def given_product(rng, matrix_powers):
    """L = 65, whole numbers, and a matmul that keeps remainders of 97: it makes every product"""
    A = rng.integers(1, 97, size=(2, 2)).astype(float)
    return matrix_powers(A, 65, matmul=remainders)
