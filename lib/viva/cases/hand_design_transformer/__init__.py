"""Public cases of hand_design_transformer, in the order of the notebook."""

SECTIONS = ("softmax", "head", "torch_head", "content", "position", "unique", "circuits",
            "training", "induction")
