"""Gradients of max and average pooling with windows that do not overlap."""

import numpy as np


def max_pool_backward(X, dY, K):
    """Each dy goes to the first maximum, in reading order, of its window.

    X (H, W), dY (H // K, W // K); returns (H, W) float64, zero where no window lies
    """
    dX = np.zeros(np.shape(X))
    for i, j in np.ndindex(*np.shape(dY)):
        window = X[i * K : (i + 1) * K, j * K : (j + 1) * K]  # (K, K)
        h, w = np.unravel_index(np.argmax(window), window.shape)
        dX[i * K + h, j * K + w] = dY[i, j]
    return dX


def avg_pool_backward(X, dY, K):
    """Each pixel of a window gets dy / K^2.

    X (H, W), dY (H // K, W // K); returns (H, W) float64, zero where no window lies
    """
    dX = np.zeros(np.shape(X))
    spread = np.kron(dY, np.full((K, K), 1 / K**2))  # (K (H // K), K (W // K))
    dX[: spread.shape[0], : spread.shape[1]] = spread
    return dX
