"""Gaussian directions that are orthogonal in blocks."""

import numpy as np


def orthogonal_gaussian(m, d, rng):
    """Blocks of d rows: a Haar rotation, each row with the length of a fresh Gaussian vector.

    m rows, d columns, rng: the only source of randomness
    returns (m, d), float64; every row is N(0, I), rows of a block are orthogonal
    """
    blocks = []
    for _ in range(-(-m // d)):
        directions, R = np.linalg.qr(rng.normal(size=(d, d)))
        directions = directions * np.sign(np.diagonal(R))  # Haar: one sign per column
        lengths = np.linalg.norm(rng.normal(size=(d, d)), axis=1)  # (d,), chi with d degrees
        blocks.append(lengths[:, None] * directions)
    return np.concatenate(blocks)[:m]
