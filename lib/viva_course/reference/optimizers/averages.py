"""Exponential moving averages and their bias."""
import math

import numpy as np

from .common import as_array


def _check(t, beta):
    if t < 1:
        raise ValueError(f"t counts gradients and starts at 1, got {t}")
    if not 0 <= beta < 1:
        raise ValueError(f"beta must lie in [0, 1), got {beta}")


def ema_weights(t, beta):
    """Weights w_i = (1 - beta) beta^(t-i) of the gradients g_1 ... g_t in v_t.

    t: int >= 1. beta: float in [0, 1).
    Returns a float64 array (t,), oldest gradient first; its sum is 1 - beta^t.
    """
    _check(t, beta)
    return (1 - beta) * float(beta) ** np.arange(t - 1, -1, -1)  # (t,)


def total_weight(t, beta):
    """1 - beta^t, accurate also for beta close to one."""
    _check(t, beta)
    return -math.expm1(t * math.log(beta)) if beta > 0 else 1.0


def bias_correct(v, t, beta):
    """The average without its pull to zero: v_t / (1 - beta^t).

    v: array or tensor of any shape, the average after t steps. t: int >= 1.
    Returns an array of v's shape; v is not modified.
    """
    return as_array(v) / total_weight(t, beta)
