"""Public cases of hand_design_transformer, in the order of the notebook."""

EXERCISES = {
    "softmax": [["stable_softmax"]],
    "head": [["attention_head"]],
    "torch_head": [["TorchHead"]],
    "content": [["min_score_gap"], ["design_identity"], ["design_histogram"]],
    "position": [["design_first"], ["design_shift"]],
    "unique": [["design_unique"]],
    "circuits": [["qk_ov", "gauge_transform"]],
    "training": [["train_head"]],
    "induction": [["design_induction"]],
}
