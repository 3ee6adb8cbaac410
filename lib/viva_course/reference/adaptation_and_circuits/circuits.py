"""The two matrices that a head is."""

import numpy as np


def qk_circuit(WQ, WK):
    """W_Q^T W_K (d_model, d_model): x_i^T M x_j is the unscaled score of query i for key j."""
    return np.asarray(WQ).T @ np.asarray(WK)


def ov_circuit(WO_h, WV):
    """W_O^h W_V (d_model, d_model): what a token adds where the head reads it."""
    return np.asarray(WO_h) @ np.asarray(WV)
