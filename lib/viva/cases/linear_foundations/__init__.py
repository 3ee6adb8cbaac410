"""Public cases of the homework `linear_foundations`. Rows of X are samples, columns features."""

import numpy as np

EXERCISES = {
    "scalar": [["gd_scalar", "max_lr_scalar", "steps_to_tol"]],
    "rates": [["max_lr", "best_lr", "contraction"]],
    "paths": [["gd_closed_form", "min_norm_solution"]],
    "sgd": [["expected_next_loss", "sgd_constants"]],
    "noise": [["noise_ridge_lambda", "noisy_sgd_mean_limit", "noisy_sgd_ms_limit",
               "noisy_sgd_fixed_point"]],
    "duality": [["ridge_primal", "ridge_dual", "ridge"]],
    "posterior": [["gaussian_conditional", "map_ridge"]],
    "augmented": [["ridge_by_rows", "ridge_by_features"]],
    "ridgeless": [["noise_gain", "ridgeless_risk"]],
}


def with_singular_values(rng, sigmas, n, d):
    """A random (n, d) matrix with exactly these non-zero singular values."""
    U = np.linalg.qr(rng.normal(size=(n, len(sigmas))))[0]
    V = np.linalg.qr(rng.normal(size=(d, len(sigmas))))[0]
    return (U * np.asarray(sigmas, float)) @ V.T
