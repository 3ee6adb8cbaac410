"""Public cases of section 7: recurrences without a loop over time."""

import numpy as np

from viva.case import case, outcome


def layer(rng, N=2, T=8, H=4, D=3):
    """W (H, H) of spectral norm 0.9, U (H, D), b (H,), x (N, T, D)."""
    W = rng.normal(size=(H, H))
    W *= 0.9 / np.linalg.norm(W, 2)
    return W, rng.normal(size=(H, D)), rng.normal(size=H), rng.normal(size=(N, T, D))


# ---- linear_scan

@case("linear_scan")
def by_hand_scan(rng, linear_scan):
    """a = (9, 2, 3), b = (1, 1, 1): 1, 3, 10"""
    return linear_scan(np.array([9.0, 2.0, 3.0]), np.ones(3))


@case("linear_scan")
def many_lengths(rng, linear_scan):
    """T = 1 to 9, and 17, with three features"""
    return [linear_scan(rng.normal(size=(T, 3)), rng.normal(size=(T, 3)))
            for T in (*range(1, 10), 17)]


@case("linear_scan")
def zeros_in_a(rng, linear_scan):
    """zeros and tiny values in a"""
    a = rng.normal(size=(12, 2))
    a[3], a[7, 0], a[8] = 0.0, 0.0, 1e-300
    return linear_scan(a, rng.normal(size=(12, 2)))


@case("linear_scan")
def three_axes(rng, linear_scan):
    """time first, then two more axes: (6, 2, 3)"""
    return linear_scan(rng.normal(size=(6, 2, 3)), rng.normal(size=(6, 2, 3)))


@case("linear_scan")
def two_shapes(rng, linear_scan):
    """a (4, 1) and b (4, 3): ValueError"""
    return outcome(linear_scan, np.ones((4, 1)), np.ones((4, 3)))


# ---- ssm_forward_unrolled, ssm_forward_conv

@case("ssm_forward_unrolled")
def unrolled(rng, ssm_forward_unrolled):
    """unrolled: two sequences of eight steps, four states, three inputs"""
    return ssm_forward_unrolled(*layer(rng))


@case("ssm_forward_unrolled")
def unrolled_first(rng, ssm_forward_unrolled):
    """unrolled, T = 1: U x_0 + b"""
    return ssm_forward_unrolled(*layer(rng, T=1))


@case("ssm_forward_unrolled", rtol=1e-9, atol=1e-9)
def convolved(rng, ssm_forward_conv):
    """convolution: two sequences of eight steps, four states, three inputs"""
    return ssm_forward_conv(*layer(rng))


@case("ssm_forward_unrolled", rtol=1e-9, atol=1e-9)
def convolved_eleven(rng, ssm_forward_conv):
    """convolution: three sequences of eleven steps, two states, five inputs"""
    return ssm_forward_conv(*layer(rng, 3, 11, 2, 5))


@case("ssm_forward_unrolled", rtol=1e-9, atol=1e-9)
def convolved_first(rng, ssm_forward_conv):
    """convolution, T = 1: U x_0 + b"""
    return ssm_forward_conv(*layer(rng, T=1))
