"""Tokens from a photograph, and what a call costs: for the notebook `efficient_attention`."""

import time
import tracemalloc

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from viva.datasets import photograph


def photograph_tokens(side: int, d: int = 8, noise: float = 0.1, seed: int = 0,
                      corner: tuple[int, int] = (150, 250)):
    """Pixels of a part of a noisy photograph (427 x 640) as tokens, row by row.

    corner: row and column where the part begins; seed: of the noise.

    Each token is described by the 5 x 5 pixels around it: their d largest principal components,
    scaled to length 1.
    Returns (X (side^2, d), values (side^2, 1): the noisy pixels, clean (side, side)), float64.
    """
    rng = np.random.default_rng(seed)
    top, left = corner
    clean = photograph("china")[top : top + side + 4, left : left + side + 4]
    noisy = clean + noise * rng.normal(size=clean.shape)
    patches = sliding_window_view(noisy, (5, 5)).reshape(side * side, 25)
    patches = patches - patches.mean(axis=0)
    components = np.linalg.svd(patches, full_matrices=False)[2][:d]  # (d, 25)
    X = patches @ components.T
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    return X, noisy[2:-2, 2:-2].reshape(-1, 1), clean[2:-2, 2:-2]


def cost(function, *args, repeats: int = 3):
    """(seconds of the fastest of some calls, megabytes that numpy held at most in one more).

    A function that takes longer than half a second is called once for its time.
    """
    seconds: list[float] = []
    while len(seconds) < repeats and sum(seconds) < 0.5:
        began = time.perf_counter()
        function(*args)
        seconds.append(time.perf_counter() - began)
    tracemalloc.start()
    try:
        function(*args)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return min(seconds), peak / 1e6
