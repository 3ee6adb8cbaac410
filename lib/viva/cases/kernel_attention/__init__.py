"""Public cases of kernel_attention, in the order of the notebook."""

EXERCISES = {
    "similarities": [["kernel_attention", "softmax_sim", "poly2_sim", "gauss_sim"]],
    "features": [["poly2_features"], ["poly_features"]],
    "linear": [["linear_attention"]],
    "costs": [["attention_macs", "attention_floats", "crossover_length"], ["softmax_via_gauss"]],
    "sampled": [["sample_frequencies", "rff_features"], ["rff_variance"]],
    "approximate": [["rff_softmax_attention"]],
    "causal": [["causal_linear_attention"]],
    "recurrent": [["LinearAttentionState"]],
    "module": [["MultiHeadLinearAttention"]],
}
