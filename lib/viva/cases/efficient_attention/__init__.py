"""Public cases of the homework `efficient_attention`, section by section."""

EXERCISES = {
    "costs": [["mha_macs", "mha_floats"]],
    "separable": [["separable_attention"]],
    "features": [["softmax_factors"], ["positive_features"]],
    "variance": [["sm_var_positive", "sm_var_trig"], ["features_for_accuracy"]],
    "orthogonal": [["orthogonal_gaussian"]],
    "performer": [["performer_attention"]],
    "linformer": [["linformer_attention"]],
    "bigbird": [["bigbird_mask", "masked_attention"]],
    "blocked": [["blocked_attention"]],
}
