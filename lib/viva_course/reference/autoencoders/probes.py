"""What a representation is worth: a linear probe."""

import numpy as np


def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    """The share of test samples that a linear least-squares probe with intercept gets right.

    One-hot targets, minimiser of ||W (Z - mean) + b - Y||_F^2 + lam ||W||_F^2; the mean is that of
    the training codes, the intercept b is not penalised; the largest output decides.
    Ztr  (k, n), yte (n,)    training codes, samples as columns, and their labels: any integers
    Zte  (k, n'), yte (n',)  test codes and labels
    lam  number > 0
    Returns a number between 0 and 1; no argument is modified.
    """
    mean, classes = Ztr.mean(axis=1, keepdims=True), np.unique(ytr)
    Y = (classes[:, None] == ytr).astype(float)  # (c, n)
    A, b = Ztr - mean, Y.mean(axis=1, keepdims=True)
    W = np.linalg.solve(A @ A.T + lam * np.eye(len(A)), A @ (Y - b).T).T  # (c, k)
    return np.mean(classes[np.argmax(W @ (Zte - mean) + b, axis=0)] == yte)
