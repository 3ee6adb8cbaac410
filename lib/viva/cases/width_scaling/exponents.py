"""Cases of `coord_exponent`, `coord_verdict` and `wrong_layer`."""

import numpy as np

from viva.case import case, outcome

WIDTHS = np.array([32, 64, 128, 256, 512])


def power_law(rng, exponent, noise=0.1):
    """Changes at five widths that follow a power law, with some noise."""
    return float(rng.uniform(0.1, 3)) * WIDTHS**exponent * np.exp(noise * rng.normal(size=5))


@case("coord_exponent")
def exact_laws(rng, coord_exponent):
    """3 n^0.5 and 0.2 / n at three widths, given as lists: 0.5 and -1; two widths are enough"""
    return [coord_exponent([10, 20, 80], [3 * n**0.5 for n in (10, 20, 80)]),
            coord_exponent([10, 20, 80], [0.2 / n for n in (10, 20, 80)]),
            coord_exponent([64, 128], [0.1, 0.4])]


@case("coord_exponent")
def noisy_laws(rng, coord_exponent):
    """noisy measurements at five widths: the slope of least squares"""
    return [coord_exponent(WIDTHS, power_law(rng, e)) for e in (1.0, 0.0, -0.5)]


@case("coord_exponent")
def refused(rng, coord_exponent):
    """one width only, a zero, a negative, a NaN: ValueError, whatever else is good"""
    return [outcome(coord_exponent, widths, changes) for widths, changes in (
        ([64, 64], [1.0, 2.0]), ([64, 128], [0.0, 1.0]), ([64, 128], [-1.0, 1.0]),
        ([64, 128], [np.nan, 1.0]), ([64, 128], [np.inf, 1.0]), ([64, 128, 256], [1.0, 2.0, 3.0]),
        ([64, 128, 256], [1.0, 0.0, 3.0]), ([64, 128, 256], [1.0, 2.0, np.nan]))]


@case("coord_exponent")
def verdicts(rng, coord_verdict):
    """growing, steady and shrinking changes; a larger and a smaller tolerance"""
    laws = [power_law(rng, e, 0.02) for e in (0.8, 0.05, -0.6)]
    words = [coord_verdict(WIDTHS, law) for law in laws]
    return [*words, coord_verdict(WIDTHS, laws[0], tol=1.0), coord_verdict(WIDTHS, laws[2], 0.9),
            coord_verdict(WIDTHS, power_law(rng, 0.1, 0.01), tol=0.05)]


@case("coord_exponent")
def at_the_tolerance(rng, coord_verdict):
    """changes of 1 everywhere have the exponent 0: stable for tol = 0"""
    return coord_verdict([64, 128, 256], [1.0, 1.0, 1.0], tol=0.0)


@case("coord_exponent")
def verdict_refused(rng, coord_verdict):
    """one width only, or a change of zero: ValueError; two good points: none"""
    return [outcome(coord_verdict, widths, changes) for widths, changes in (
        ([64, 64], [1.0, 2.0]), ([64, 128], [0.0, 1.0]), ([64, 128], [1.0, 1.1]),
        ([64, 128, 256], [1.0, 1.0, np.nan]))]


def checks(rng, *exponents, noise=0.02):
    """A coordinate check at five widths, (widths, layers): a power law for each layer."""
    return np.stack([power_law(rng, exponent, noise) for exponent in exponents], axis=1)


@case("coord_exponent")
def planted(rng, wrong_layer):
    """layer 1 of four explodes and the layers behind it do so faster; layer 0 vanishes; layer 3"""
    return [wrong_layer(WIDTHS, checks(rng, *exponents)) for exponents in (
        (0.0, 0.5, 0.7, 1.0), (-1.0, -0.3, 0.0, 0.6), (0.05, -0.1, 0.1, 0.4))]


@case("coord_exponent")
def nothing_wrong(rng, wrong_layer):
    """all layers stable: None; the same with a smaller and with a larger tolerance"""
    steady, moving = checks(rng, 0.0, 0.1, -0.1), checks(rng, 0.5, 0.7, -0.9)
    return [wrong_layer(WIDTHS, steady), wrong_layer(WIDTHS, steady, tol=0.05),
            wrong_layer(WIDTHS, moving, 0.6), wrong_layer(WIDTHS, moving, 1.5)]


@case("coord_exponent")
def table_refused(rng, wrong_layer):
    """one width only, or a layer that never moved, also behind one that explodes: ValueError; a
    list of lists is fine"""
    good, dead = [[1.0, 2.0], [1.0, 4.0]], [[1.0, 0.0], [1.0, 0.0]]
    behind = [[1.0, 0.0], [2.0, 0.0]]
    return [outcome(wrong_layer, widths, changes) for widths, changes in (
        ([64, 64], good), ([64, 128], dead), ([64, 128], behind), ([64, 128], good))]
