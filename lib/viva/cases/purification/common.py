"""Data of the cases. Columns of X are samples, rows are channels."""
import numpy as np

TOY = np.array([[-2.17, 1.98, 2.41, -2.03], [0.02, -0.01, 0.01, -0.02]])  # (2, 4)
EIGHT = np.array([10, 8, 4, 1, 0.5, 0.36, 0.16, 0.01])  # singular values of the worked example


def orthogonal(rng, rows, columns):
    """A random (rows, columns) matrix with orthonormal columns."""
    return np.linalg.qr(rng.normal(size=(rows, columns)))[0]


def with_singular_values(rng, sigmas, m, n):
    """A random (m, n) matrix with exactly these non-zero singular values."""
    r = len(sigmas)
    pair = np.zeros((2, max(m, n), r))  # rows of zeros change nothing; one call costs half of two
    pair[0, :m], pair[1, :n] = rng.normal(size=(m, r)), rng.normal(size=(n, r))
    U, V = np.linalg.qr(pair)[0]
    return (U[:m] * np.asarray(sigmas, float)) @ V[:n].T


def fresh(rng):
    """A new generator: a candidate draws from it without advancing the case's own."""
    return np.random.default_rng(int(rng.integers(2**32)))
