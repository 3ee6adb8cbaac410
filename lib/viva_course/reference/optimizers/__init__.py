"""Reference library of `optimizers`: pure steps for numpy and torch, and torch.optim classes."""
from .adam import adam_direction, adam_l2_step, adam_step, adamw_step, sign_step
from .averages import bias_correct, ema_weights, total_weight
from .decay import decay_experiment, equivalent_decay, sgd_l2_step, sgd_wd_step
from .momentum import (
    ema_from_momentum,
    ema_step,
    momentum_from_ema,
    momentum_step,
    nesterov_step,
)
from .orthogonal import MUON_COEFFS, muon_orthogonalize, muon_step, newton_schulz, ns_macs
from .quadratic import (
    heavy_ball_max_step,
    heavy_ball_radius,
    iterations_to,
    optimal_heavy_ball,
)
from .steepest_descent import steepest
from .torch_optim import Adam, AdamW, Muon, SignDescent, StepOptimizer

__all__ = [
    "MUON_COEFFS", "Adam", "AdamW", "Muon", "SignDescent", "StepOptimizer", "adam_direction",
    "adam_l2_step", "adam_step", "adamw_step", "bias_correct", "decay_experiment",
    "ema_from_momentum", "ema_step", "ema_weights", "equivalent_decay", "heavy_ball_max_step",
    "heavy_ball_radius", "iterations_to", "momentum_from_ema", "momentum_step",
    "muon_orthogonalize", "muon_step", "nesterov_step", "newton_schulz", "ns_macs",
    "optimal_heavy_ball", "sgd_l2_step", "sgd_wd_step", "sign_step", "steepest", "total_weight",
]
