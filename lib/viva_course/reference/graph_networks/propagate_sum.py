"""The answer to `propagate_sum`."""

import numpy as np


def propagate_sum(A, k):
    """Row j: what node j holds after k layers of sums, (A^T)^k; entry (j, i) counts walks i -> j.

    A (n, n): A_ij is the weight of the edge from i to j
    k int >= 0: number of layers
    returns (n, n), float64
    """
    states = np.eye(len(A))  # row j is the state of node j
    for _ in range(k):
        states = A.T @ states
    return states
