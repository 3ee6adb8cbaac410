"""Public cases of noise in the targets and of regression without a penalty."""

import numpy as np

from viva.case import case
from viva.cases.linear_foundations import with_singular_values


@case("noise_gain")
def worked_gain(rng, noise_gain):
    """X = diag(2, 1): 1.25 for lam = 0, 0.41 for lam = 1"""
    return [noise_gain(np.diag([2.0, 1.0]), lam) for lam in (0.0, 1.0)]


@case("noise_gain")
def gain_without_penalty(rng, noise_gain):
    """lam = 0: three samples of five features, then seven of two"""
    return [noise_gain(with_singular_values(rng, (2.5, 1.4, 0.6), 3, 5), 0.0),
            noise_gain(with_singular_values(rng, (1.7, float(rng.uniform(0.5, 0.9))), 7, 2), 0.0)]


@case("noise_gain")
def gain_with_penalty(rng, noise_gain):
    """lam between 0.3 and 3: four samples of six features, then six of three"""
    return [noise_gain(with_singular_values(rng, (2.2, 1.5, 0.8, 0.3), 4, 6),
                       float(rng.uniform(0.3, 0.7))),
            noise_gain(with_singular_values(rng, (1.9, 1.2, 0.4), 6, 3), float(rng.uniform(2, 3)))]


@case("noise_gain")
def gain_of_low_rank(rng, noise_gain):
    """lam = 0: rank two in six samples and four features, then a feature that is always 0"""
    low = with_singular_values(rng, (1.8, 0.7), 6, 4)
    silent = np.insert(with_singular_values(rng, (1.5, 0.6), 5, 2), 1, 0.0, axis=1)  # (5, 3)
    return [noise_gain(low, 0.0), noise_gain(silent, 0.0)]


@case("noise_gain")
def worked_risk(rng, ridgeless_risk):
    """n = 20, p = 9, signal 2, noise 0.5: 0.45; n = 9, p = 20: 1.55"""
    return [ridgeless_risk(20, 9, 2.0, 0.5), ridgeless_risk(9, 20, 2.0, 0.5)]


@case("noise_gain")
def fewer_weights(rng, ridgeless_risk):
    """fewer weights than samples: three settings, the last with p = n - 2"""
    signal, noise = float(rng.uniform(2, 4)), float(rng.uniform(0.2, 0.6))
    return [ridgeless_risk(n, p, signal, noise) for n, p in ((50, 7), (31, 24), (12, 10))]


@case("noise_gain")
def more_weights(rng, ridgeless_risk):
    """more weights than samples: three settings, the last with p = n + 2"""
    signal, noise = float(rng.uniform(2, 4)), float(rng.uniform(0.2, 0.6))
    return [ridgeless_risk(n, p, signal, noise) for n, p in ((7, 50), (24, 31), (10, 12))]


@case("noise_gain")
def as_many_weights(rng, ridgeless_risk):
    """p = n - 1, n and n + 1: infinity"""
    n = int(rng.integers(5, 30))
    return [ridgeless_risk(n, p, 1.5, 0.3) for p in (n - 1, n, n + 1)]
