"""Public cases of purification, in the order of the notebook."""

EXERCISES = {
    "losses": [["purification_losses"], ["tie_lambda"]],
    "minimiser": [["purifier"]],
    "filters": [["shrink", "purifier_svd"]],
    "interval": [["lambda_range"]],
    "descent": [["purifier_grad", "purify_gd", "max_stable_step"]],
    "denoising": [["denoising_lambda", "denoising_loss"]],
    "dimensions": [["effective_dof", "lambda_for_dof"]],
    "bottleneck": [["rank_k_purifier"]],
    "others": [["zero_diag_purifier"]],
    "truth": [["best_lambda"]],
    "wiener": [["wiener_purifier"]],
}
