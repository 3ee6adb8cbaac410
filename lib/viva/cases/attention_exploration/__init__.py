"""Public cases of the homework attention_exploration, a module for each section."""

EXERCISES = {
    "choosing": [["hard_attention", "soft_attention"]],
    "scores": [["dot_moments"], ["score_scale", "saturation"]],
    "queries": [["query_for", "min_beta"]],
    "heads": [["sample_keys", "multihead_experiment"]],
    "design": [["design_kqv"]],
    "positions": [["rope"]],
    "sequences": [["cross_attention"], ["is_permutation_equivariant"]],
    "layers": [["multi_head_attention"]],
}
