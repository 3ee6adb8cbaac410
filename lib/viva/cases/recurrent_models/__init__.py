"""Public cases of the homework recurrent_models, a module per section of the notebook."""

EXERCISES = {
    "states": [["rnn_preact", "rnn_postact"]],
    "jacobians": [["step_jacobian", "jacobian_product"]],
    "bounds": [["gradient_verdict"]],
    "backward": [["bptt"]],
    "statespace": [["ssm_kernel", "ssm_unroll"]],
    "fourier": [["causal_conv_fft"]],
    "powers": [["matrix_powers"]],
    "diagonal": [["diag_ssm_kernel"]],
    "rank1": [["rank1_power_coef", "rank1_power_apply"]],
    "scans": [["linear_scan"]],
    "layers": [["ssm_forward_unrolled", "ssm_forward_conv"]],
}
