"""The spectral norm by power iteration, and updates of a prescribed size."""

import numpy as np


def power_norm(A, v, steps=100):
    """|A v| after v <- A^T A v / |A^T A v|, `steps` times, from v / |v|.

    A (d_out, d_in), v (d_in,); returns a float, 0.0 where A v vanishes
    """
    v = v / np.linalg.norm(v)
    for _ in range(steps):
        v = A.T @ (A @ v)  # (d_in,)
        length = np.linalg.norm(v)
        if length == 0:
            return 0.0
        v = v / length
    return float(np.linalg.norm(A @ v))


def spectral_step(D, lr):
    """The multiple of D whose RMS -> RMS norm is lr; zeros for D = 0.

    D (d_out, d_in): a direction of any size; returns (d_out, d_in)
    """
    d_out, d_in = D.shape
    size = np.sqrt(d_in / d_out) * np.linalg.norm(D, 2)
    return lr / size * D if size > 0 else np.zeros(D.shape)
