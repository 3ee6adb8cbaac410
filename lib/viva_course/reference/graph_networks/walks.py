"""Powers of a graph: what sums and maxima of messages know after k layers."""

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


def propagate_max(A, k):
    """Entry (j, i) is 1 where a walk of exactly k edges leads from i to j, else 0.

    A (n, n) of zeros and ones: A_ij = 1 for an edge from i to j
    k int >= 0: number of layers
    returns (n, n), float64
    """
    states = np.eye(len(A))
    for _ in range(k):
        # (receiver j, sender i, content): the largest entry over the senders
        states = (A.T[:, :, None] * states[None]).max(axis=1)
    return states
