"""Cases of Adam with an L2 penalty, and with decoupled decay."""
import numpy as np

from viva.case import case

from .common import path


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def penalised_path(rng, adam_l2_step):
    """adam_l2_step, 50 random gradients"""
    return path(adam_l2_step, rng.normal(size=(50, 3)), rng.normal(size=3), keep=25, lr=0.05,
                lam=rng.uniform(0.2, 0.6))


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def adam_penalised_step(rng, adam_l2_step):
    """adam_l2_step, one step with a large rate from theta = (2, -1)"""
    return path(adam_l2_step, [rng.uniform(0.5, 1.5, 2)], np.array([2.0, -1.0]), keep=1, lr=0.5,
                eps=0.1, lam=0.8)


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def decoupled_path(rng, adamw_step):
    """adamw_step, 50 random gradients"""
    return path(adamw_step, rng.normal(size=(50, 3)), rng.normal(size=3), keep=25, lr=0.05,
                lam=rng.uniform(0.2, 0.6))


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def adam_decoupled_step(rng, adamw_step):
    """adamw_step, one step with a large rate from theta = (2, -1)"""
    return path(adamw_step, [rng.uniform(0.5, 1.5, 2)], np.array([2.0, -1.0]), keep=1, lr=0.5,
                eps=0.1, lam=0.8)
