"""Dropout on the inputs of a linear regression is a generalised ridge regression."""

import numpy as np


def dropout_expected_loss(X, y, w, p):
    """E ||y - (R * X) w||^2 = ||y - p X w||^2 + p (1 - p) sum_j ||X_j||^2 w_j^2.

    X (N, d), y (N,), w (d,); every entry of R is 1 with probability p, else 0, independently
    """
    penalty = p * (1 - p) * ((X**2).sum(axis=0) @ w**2)
    return float(((y - p * X @ w) ** 2).sum() + penalty)


def dropout_ridge_solution(X, y, p):
    """(X^T X + (1 - p) / p Gamma^2)^-1 X^T y, p times the minimiser; Gamma = diag(column norms).

    X (N, d), y (N,), 0 < p <= 1; returns (d,)
    """
    gram = X.T @ X
    return np.linalg.solve(gram + (1 - p) / p * np.diag(np.diag(gram)), X.T @ y)
