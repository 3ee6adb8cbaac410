"""The loss of a linear autoencoder and its gradients."""

import numpy as np


def ae_loss(W1, W2, X):
    """||X - W2 W1 X||_F^2.

    W1  (k, m), encoder
    W2  (m, k), decoder
    X   (m, n), samples as columns
    Returns a number; no argument is modified.
    """
    return np.sum((X - W2 @ (W1 @ X)) ** 2)


def ae_grads(W1, W2, X):
    """(2 W2^T (W2 W1 - I) X X^T, 2 (W2 W1 - I) X X^T W1^T).

    Arguments as of ae_loss. Returns (dW1 (k, m), dW2 (m, k)); no argument is modified.
    """
    R = 2 * (W2 @ (W1 @ X) - X)  # (m, n)
    return W2.T @ R @ X.T, R @ (W1 @ X).T
