"""Batch normalisation of images, with running statistics for the time after training."""

import numpy as np


def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    """Normalise every channel by its mean and variance over images, rows and columns.

    X (N, C, H, W); gamma, beta (C,); running: (mean (C,), var (C,))
    training: use the batch's (biased) statistics, and move running by `momentum` towards the
        batch's mean and unbiased variance; else use running, and leave it
    returns (Y (N, C, H, W), (mean, var)); running itself is not changed
    """
    mean, var = running
    if training:
        axes, count = (0, 2, 3), X.size / X.shape[1]
        used, spread = X.mean(axis=axes), X.var(axis=axes)
        mean = (1 - momentum) * mean + momentum * used
        var = (1 - momentum) * var + momentum * spread * count / (count - 1)
    else:
        used, spread = mean, var
    x_hat = (X - used[:, None, None]) / np.sqrt(spread[:, None, None] + eps)
    return gamma[:, None, None] * x_hat + beta[:, None, None], (mean, var)
