"""Libraries take the buffers they keep for ever before memory is asked about, not during it."""

import sys
from typing import Any

import numpy as np

from viva.case import candidate_side

SIZE = 100  # of a product that is large enough for the buffers


@candidate_side
def take_buffers(candidate: Any) -> None:
    """In the candidate's process: one product with each library of linear algebra it has.

    OpenBLAS maps 32 MB at the first of them, and ends the process where it cannot.
    """
    square = np.ones((SIZE, SIZE))
    np.linalg.solve(square + SIZE * np.eye(SIZE), square @ square)
    if blas := sys.modules.get("scipy.linalg.blas"):  # it brings an OpenBLAS of its own
        blas.dgemm(1.0, square, square)
    if torch := sys.modules.get("torch"):
        torch.linalg.solve(torch.from_numpy(square + SIZE * np.eye(SIZE)),
                           torch.from_numpy(square) @ torch.from_numpy(square))
