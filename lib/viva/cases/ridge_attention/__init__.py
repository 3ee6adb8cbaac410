"""Public cases of the homework `ridge_attention`, section by section."""

EXERCISES = {
    "mean": [["RunningMean"]],
    "batch": [["ridge_stats", "ridge_weights"]],
    "rank_one": [["sherman_morrison"]],
    "online": [["RidgeAttentionState"]],
    "layer": [["ridge_attention"]],
    "window": [["windowed_ridge", "cholesky_update"]],
}
