"""Public cases of the homework `autoencoders`. Columns of X are samples, rows are channels."""

import numpy as np

EXERCISES = {
    "losses": [["ae_loss", "ae_grads"]],
    "bottleneck": [["pca_autoencoder"]],
    "saddles": [["subset_critical_point", "escape_direction"]],
    "decay": [["regularised_ae"]],
    "denoising": [["corrupt", "denoising_linear_ae"]],
    "probes": [["probe_accuracy"]],
}


def with_singular_values(rng, sigmas, m, n):
    """A random (m, n) matrix with exactly these non-zero singular values."""
    U = np.linalg.qr(rng.normal(size=(m, len(sigmas))))[0]
    V = np.linalg.qr(rng.normal(size=(n, len(sigmas))))[0]
    return (U * np.asarray(sigmas, float)) @ V.T


def loss(W1, W2, X):
    """||X - W2 W1 X||_F^2, a float."""
    return float(np.sum((X - np.asarray(W2, float) @ (np.asarray(W1, float) @ X)) ** 2))
