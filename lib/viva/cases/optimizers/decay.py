"""Cases of L2 penalty against weight decay."""
from viva.case import case

from .common import long_walk


@case("sgd_l2_step")
def penalised_step(rng, sgd_l2_step):
    """sgd_l2_step, arrays of shape (2, 3)"""
    theta, g = rng.normal(size=(2, 2, 3))
    return sgd_l2_step(theta, g, rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4))


@case("sgd_l2_step")
def decayed_step(rng, sgd_wd_step):
    """sgd_wd_step, arrays of shape (2, 3)"""
    theta, g = rng.normal(size=(2, 2, 3))
    return sgd_wd_step(theta, g, rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4))


@case("sgd_l2_step")
def the_decay_of_a_penalty(rng, equivalent_decay):
    """lr = 0.1, gamma = 0.05, and a random pair"""
    lr, gamma = rng.uniform(0.02, 0.4), rng.uniform(0.1, 2)
    return [equivalent_decay(0.1, 0.05), equivalent_decay(lr, gamma)]


@case("sgd_l2_step", rtol=0, atol=1e-12)  # rounding of 40 additions of size one
def same_trajectory(rng, sgd_l2_step, sgd_wd_step, equivalent_decay):
    """40 steps of both rules with the equivalent decay"""
    start, gradients = rng.normal(size=2), rng.normal(size=(40, 2))
    lr, gamma = rng.uniform(0.05, 0.2), rng.uniform(0.1, 1)
    lam = equivalent_decay(lr, gamma)
    return {
        "sgd_l2_step": long_walk(sgd_l2_step, start, [(g, lr, gamma) for g in gradients]),
        "sgd_wd_step": long_walk(sgd_wd_step, start, [(g, lr, lam) for g in gradients]),
    }
