"""Public cases of optimizers, in the order of the notebook."""

EXERCISES = {
    "momentum": [["momentum_step", "ema_step"], ["momentum_from_ema", "ema_from_momentum"]],
    "averages": [["ema_weights", "bias_correct"]],
    "adam": [["adam_step"]],
    "decay": [["sgd_l2_step", "sgd_wd_step", "equivalent_decay"]],
    "adam_decay": [["adam_l2_step", "adamw_step"]],
    "noise": [["decay_experiment"]],
    "quadratic": [["heavy_ball_radius", "heavy_ball_max_step", "optimal_heavy_ball"]],
    "nesterov": [["nesterov_step"]],
    "counting": [["iterations_to"]],
    "torch_class": [["AdamW"]],
    "steepest_descent": [["steepest"]],
    "orthogonal": [["newton_schulz", "ns_macs"]],
    "muon_polynomial": [["muon_orthogonalize"]],
    "muon": [["muon_step"]],
}
