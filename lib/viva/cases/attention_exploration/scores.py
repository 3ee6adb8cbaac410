"""Cases of dot_moments, score_scale and saturation."""

import numpy as np

from viva.case import case


def fresh(rng):
    """A new generator: a candidate draws from it without advancing the case's own."""
    return np.random.default_rng(int(rng.integers(2**32)))


@case("dot_moments")
def standard(rng, dot_moments):
    """means 0, sigmas 1, d = 64: (0, 64)"""
    return dot_moments(np.zeros(64), 1.0, np.zeros(64), 1.0)


@case("dot_moments")
def ones(rng, dot_moments):
    """all means 1, sigmas 1, d = 64: (64, 192)"""
    return dot_moments(np.ones(64), 1.0, np.ones(64), 1.0)


@case("dot_moments")
def wider(rng, dot_moments):
    """means 0, sigmas 2 and 3, d = 10"""
    return dot_moments(np.zeros(10), 2.0, np.zeros(10), 3.0)


@case("dot_moments")
def one_mean(rng, dot_moments):
    """only the query has a mean, d = 5"""
    return dot_moments(rng.normal(size=5), 0.5, np.zeros(5), 2.0)


@case("dot_moments")
def all_different(rng, dot_moments):
    """two vectors of means, two sigmas, d = 7"""
    return dot_moments(rng.normal(size=7), float(rng.uniform(0.4, 0.8)),
                       rng.normal(size=7), float(rng.uniform(1.3, 2)))


@case("score_scale")
def sixty_four(rng, score_scale):
    """d = 64, sigma left out: 8"""
    return score_scale(64)


@case("score_scale")
def other_widths(rng, score_scale):
    """sigma = 2, d = 16; sigma = 0.5, d = 4; and a random pair"""
    sigma, d = float(rng.uniform(1.2, 3)), int(rng.integers(50, 64))  # no square among them
    return [score_scale(16, 2.0), score_scale(4, 0.5), score_scale(d, sigma=sigma)]


@case("score_scale")
def forty_trials(rng, saturation):
    """d = 6, n = 5, scale 2, 40 trials"""
    return saturation(6, 5, 2.0, 40, fresh(rng))


@case("score_scale")
def three_trials(rng, saturation):
    """d = 3, n = 7, scale 0.5, 3 trials"""
    return saturation(3, 7, 0.5, 3, fresh(rng))


@case("score_scale")
def hard_choices(rng, saturation):
    """scores in the thousands: d = 64, n = 4, scale 0.01, 12 trials"""
    return saturation(64, 4, 0.01, 12, fresh(rng))
