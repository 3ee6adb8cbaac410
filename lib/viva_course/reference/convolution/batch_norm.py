"""Batch normalisation of a matrix with a sample in every row: forward and backward."""

import numpy as np


def center_backward(dY, gamma):
    """y = gamma (x - mean x) + beta has the gradient dx_i = gamma (dy_i - mean dy).

    dY (N, d), gamma (d,); returns (N, d)
    """
    return gamma * (dY - dY.mean(axis=0))


def bn_forward(X, gamma, beta, eps=1e-5):
    """Y = gamma (X - mean) / sqrt(var + eps) + beta, with mean and (biased) variance per column.

    X (N, d), gamma (d,), beta (d,); returns (Y (N, d), cache)
    """
    scale = 1 / np.sqrt(X.var(axis=0) + eps)  # (d,)
    x_hat = (X - X.mean(axis=0)) * scale
    return gamma * x_hat + beta, (x_hat, scale, gamma)


def bn_backward(dY, cache):
    """dx = gamma / sqrt(var + eps) (dy - mean dy - x_hat mean(dy x_hat)).

    dY (N, d), cache of bn_forward; returns (dX (N, d), dgamma (d,), dbeta (d,))
    """
    x_hat, scale, gamma = cache
    inner = dY - dY.mean(axis=0) - x_hat * (dY * x_hat).mean(axis=0)
    return gamma * scale * inner, (dY * x_hat).sum(axis=0), dY.sum(axis=0)
