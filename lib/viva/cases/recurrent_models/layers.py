"""Public cases of section 11: a whole layer, as a recurrence and as a convolution."""

import numpy as np

from viva.case import case


def layer(rng, N=2, T=8, H=4, D=3):
    """W (H, H) of spectral norm 0.9, U (H, D), b (H,), x (N, T, D)."""
    W = rng.normal(size=(H, H))
    W *= 0.9 / np.linalg.norm(W, 2)
    return W, rng.normal(size=(H, D)), rng.normal(size=H), rng.normal(size=(N, T, D))


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
