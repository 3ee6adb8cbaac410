"""What the sections share."""
import numpy as np


def floating(x):
    """`x` as an array that keeps a floating dtype and makes float64 of everything else."""
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def token_part(rows, d_pos):
    """`rows` for the token coordinates and zeros for `d_pos` positional ones."""
    return np.vstack([rows, np.zeros((d_pos, rows.shape[1]))])
