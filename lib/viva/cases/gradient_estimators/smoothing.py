"""Public cases of section 4: a smoothed landscape. Estimates within about eight standard errors."""

import numpy as np

from viva.case import case, outcome
from viva.cases.gradient_estimators.score import draws, fresh

HERE = (0.3, 0.9)


def repeated(estimators, rng, kind, times=250):
    """`times` estimates with n = 20 at one point, (times, 2); each with a generator of its own."""
    return np.array([estimators(*HERE, 0.3, 20, fresh(rng), kind) for _ in range(times)])


@case("smoothed_exact")
def value(rng, smoothed_exact):
    """at (0.3, 0.9) with s = 0.3"""
    return float(smoothed_exact(*HERE, 0.3))


@case("smoothed_exact")
def unsmoothed(rng, smoothed_exact):
    """s = 0: the landscape itself"""
    return float(smoothed_exact(*HERE, 0.0))


@case("smoothed_exact")
def grid(rng, smoothed_exact):
    """arrays of points, (3, 4), with s = 0.15"""
    return smoothed_exact(rng.uniform(-1, 3, (3, 4)), rng.uniform(-1, 3, (3, 4)), 0.15)


@case("smoothed_exact", rtol=1e-6, atol=1e-6)  # central differences will do
def gradient(rng, smoothed_grad_exact):
    """at (0.3, 0.9) with s = 0.3: (2.80388, 3.018627)"""
    return smoothed_grad_exact(*HERE, 0.3)


@case("smoothed_exact", rtol=1e-6, atol=1e-6)  # central differences will do
def gradient_elsewhere(rng, smoothed_grad_exact):
    """at a random point with s = 0.15"""
    return smoothed_grad_exact(float(rng.uniform(-1, 3)), float(rng.uniform(-1, 3)), 0.15)


@case("smoothed_exact", rtol=0, atol=0.45)  # a standard error is about 0.05
def score_mean(rng, smoothed_estimators):
    """"score" with n = 100,000: near the exact gradient"""
    return smoothed_estimators(*HERE, 0.3, 100_000, fresh(rng), "score")


@case("smoothed_exact", rtol=0, atol=0.25)  # about 0.02
def score_elsewhere(rng, smoothed_estimators):
    """"score" at (1.8, 1.3) with n = 100,000: near the exact gradient there"""
    return smoothed_estimators(1.8, 1.3, 0.3, 100_000, fresh(rng), "score")


@case("smoothed_exact", rtol=0, atol=0.18)  # about 0.018
def reparam_mean(rng, smoothed_estimators):
    """"reparam" with n = 100,000: near the exact gradient"""
    return smoothed_estimators(*HERE, 0.3, 100_000, fresh(rng), "reparam")


@case("smoothed_exact", rtol=0, atol=0.17)  # about 0.017
def fd_mean(rng, smoothed_estimators):
    """"fd" with n = 100,000, delta = 0.25: near the forward differences of the smoothed f"""
    return smoothed_estimators(*HERE, 0.3, 100_000, fresh(rng), "fd")


@case("smoothed_exact", rtol=0, atol=0.22)  # about 0.022 with common random numbers
def fd_small_step(rng, smoothed_estimators):
    """"fd" with n = 100,000, delta = 0.001: near the gradient, the noise does not grow"""
    found, again, third = (np.asarray(smoothed_estimators(*HERE, 0.3, 100_000, fresh(rng), "fd",
                                                          delta=0.001)) for _ in range(3))
    if max(np.abs(found - again).max(), np.abs(found - third).max()) > 1:  # 0.06 with common noise
        return "three estimates differ by more than 1: the noise has grown"
    return found


@case("smoothed_exact", rtol=0.6, atol=0.0)  # 250 estimates give a variance to 7%
def spread(rng, smoothed_estimators):
    """the variance of 250 estimates with n = 20, for score, reparam and fd"""
    return [round(float(repeated(smoothed_estimators, rng, kind).var(axis=0).sum()), 6)
            for kind in ("score", "reparam", "fd")]


@case("smoothed_exact")
def draws_from_rng(rng, smoothed_estimators):
    """the same state of rng gives the same estimate, another state another one"""
    return draws(rng, lambda dice: smoothed_estimators(*HERE, 0.3, 20, dice, "score"))


@case("smoothed_exact")
def refusals(rng, smoothed_estimators):
    """an unknown kind; s = 0: ValueError"""
    return [outcome(smoothed_estimators, *HERE, 0.3, 5, fresh(rng), "magic"),
            outcome(smoothed_estimators, *HERE, 0.0, 5, fresh(rng), "score")]
