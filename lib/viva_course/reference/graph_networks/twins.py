"""The answers to `mean_twins` and `sum_twins`."""

import numpy as np


def _cycle(n):
    """The cycle of n >= 3 nodes."""
    step = np.roll(np.eye(n), 1, axis=1)
    return step + step.T


def mean_twins(n):
    """Two graphs of n nodes that means of equal states cannot tell apart and sums can.

    n int; ValueError below 3
    returns (A (n, n), B (n, n)): symmetric, zeros and ones, without loops or lonely nodes
    """
    if n < 3:
        raise ValueError("two nodes have one graph only")
    return _cycle(n), np.eye(n, k=1) + np.eye(n, k=-1)


def sum_twins(n):
    """Two different graphs of n nodes that no sums of equal states can tell apart.

    n int; ValueError below 6
    returns (A (n, n), B (n, n)): symmetric, zeros and ones, without loops or lonely nodes
    """
    if n < 6:
        raise ValueError("two cycles need six nodes")
    two = np.zeros((n, n))
    two[:3, :3], two[3:, 3:] = _cycle(3), _cycle(n - 3)
    return _cycle(n), two
