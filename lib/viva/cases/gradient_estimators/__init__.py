"""Public cases of the homework gradient_estimators, a module per section of the notebook."""

EXERCISES = {
    "score": [["score_gaussian", "score_grad"]],
    "reparam": [["reparam_grad", "reparam_grad_sigma"]],
    "policy": [["exact_policy_gradient", "reinforce"]],
    "smoothing": [["smoothed_exact", "smoothed_grad_exact", "smoothed_estimators"]],
    "ascent": [["ascend"]],
    "stairs": [["ascend_quantized", "best_baseline"]],
    "blackbox": [["reward_loss"]],
    "walks": [["reward_to_go", "walk_credit", "walk_gradient"]],
}
