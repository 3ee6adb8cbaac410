"""Public cases of the homework adaptation_and_circuits, a module for each section."""

EXERCISES = {
    "adapter": [["LoRALinear"]],
    "gradients": [["lora_grads", "svd_init"]],
    "stream": [["residual_contributions"]],
    "heads": [["head_patterns", "multihead_concat", "multihead_additive"]],
    "circuits": [["qk_circuit", "ov_circuit"]],
    "paths": [["virtual_paths", "copying_score"]],
    "induction": [["induction_score", "ablate"]],
    "composition": [["composition_scores"]],
}
