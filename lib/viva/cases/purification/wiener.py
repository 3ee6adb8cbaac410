"""Cases of wiener_purifier."""
import numpy as np

from viva.case import case, rule

from .common import with_singular_values


@case("wiener_purifier")
def by_hand(rng, wiener_purifier):
    """one channel, Y = (2, 2), noise 1: the factor 3/4"""
    return wiener_purifier(np.full((1, 2), 2.0), 1.0)


@case("wiener_purifier")
def four_channels(rng, wiener_purifier):
    """four channels, nine samples, noise well below the weakest direction"""
    Y = with_singular_values(rng, [5, 4, 3, 2], 4, 9) + 0.1
    return wiener_purifier(Y, float(rng.uniform(0.2, 0.4)))


@case("wiener_purifier")
def more_channels_than_samples(rng, wiener_purifier):
    """five channels, three samples"""
    return wiener_purifier(with_singular_values(rng, [4, 3, 2], 5, 3), float(rng.uniform(0.5, 0.7)))


@rule("wiener_purifier")
def below_the_noise(rng, wiener_purifier):
    """two of four directions have less power than noise alone: they do not pass"""
    return wiener_purifier(with_singular_values(rng, [6, 4, 1.5, 0.5], 4, 9), 0.7)


@rule("wiener_purifier", rtol=0, atol=1e-8)  # a projector of well-separated directions
def no_noise(rng, wiener_purifier):
    """noise 0, rank 2 in four channels: the projector onto what Y spans"""
    return wiener_purifier(with_singular_values(rng, [3, 1], 4, 9), 0.0)


@rule("wiener_purifier")
def silence(rng, wiener_purifier):
    """data of zeros, with noise and without: nothing passes"""
    return [wiener_purifier(np.zeros((2, 3)), 0.5), wiener_purifier(np.zeros((2, 3)), 0.0)]
