"""Public cases of the homework `width_scaling`."""

EXERCISES = {
    "norms": [["rms", "rms_operator_norm"]],
    "power": [["power_norm", "spectral_step"]],
    "initialisation": [["dense_rms2", "mup_init_std"]],
    "sign_updates": [["sign_update_rms2", "sign_lr"]],
    "unit_scale": [["unit_scale_const", "unit_scale_lr"]],
    "table": [["mup_table"]],
    "coordinates": [["coord_check"]],
    "exponents": [["coord_exponent", "coord_verdict", "wrong_layer"]],
    "transfer": [["best_rate", "predict_rate"]],
    "regret": [["transfer_regret"]],
}
