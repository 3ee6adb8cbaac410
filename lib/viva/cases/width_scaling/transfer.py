"""Cases of `best_rate` and `predict_rate`."""

import numpy as np

from viva.case import case, outcome

RATES = 2.0 ** np.arange(-8, -1)  # 7 rates, each twice the one before


def valley(rng, rates):
    """Losses with their minimum inside the grid, not on it."""
    x = np.log(rates)
    middle = rng.uniform(x[2], x[-3])
    return 0.1 + 0.3 * np.abs(x - middle) ** 1.7 + 0.01 * rng.uniform(size=len(x))


@case("best_rate")
def parabola(rng, best_rate):
    """losses (log2(rate) + 4.7)^2 + 1 at powers of two: 2^-4.7 exactly"""
    return best_rate(RATES, (np.log2(RATES) + 4.7) ** 2 + 1)


@case("best_rate", rtol=1e-7)  # a least-squares parabola loses some digits
def any_grid(rng, best_rate):
    """a valley on a grid of powers of two, and on an uneven grid, given as lists"""
    uneven = [1e-3, 2e-3, 7e-3, 0.01, 0.05, 0.08, 0.3]
    return [best_rate(RATES, valley(rng, RATES)),
            best_rate(uneven, valley(rng, np.array(uneven)).tolist())]


@case("best_rate", rtol=1e-7)
def diverged(rng, best_rate):
    """NaN and infinity never win; next to one the rate of the grid itself is returned"""
    far = valley(rng, RATES)
    far[0], far[-1] = np.nan, np.inf
    near = [3.0, 2.0, 1.0, 0.5, np.nan, np.inf, np.nan]
    return best_rate(RATES, far), best_rate(RATES, near)


@case("best_rate")
def minus_infinity(rng, best_rate):
    """minus infinity means diverged as well: 2^-4, whose two neighbours are alike"""
    return best_rate(RATES, [5.0, -np.inf, 4.0, 2.0, 1.0, 2.0, -np.inf])


@case("best_rate")
def infinite_neighbour(rng, best_rate):
    """the lowest loss next to an infinite one, on either side: the rate of the grid"""
    return [best_rate([0.1, 0.2, 0.4, 0.8, 1.6], losses) for losses in (
        [3.0, 2.0, 1.0, np.inf, 5.0], [4.0, np.inf, 1.0, 2.0, 3.0])]


@case("best_rate", rtol=1e-7)
def equal_losses(rng, best_rate):
    """two equal lowest losses: the parabola lies around the first of them"""
    return best_rate([0.1, 0.2, 0.4, 0.8, 1.6, 3.2], [5.0, 2.0, 1.0, 3.0, 1.0, 9.0])


@case("best_rate")
def edges(rng, best_rate):
    """lowest at an end, or nothing finite: ValueError; inside: none"""
    losses = ([1.0, 2, 3, 4, 5, 6, 7], [7.0, 6, 5, 4, 3, 2, 1], [np.nan] * 7,
              [4.0, 3, 2, 1, 2, 3, 4])
    return [outcome(best_rate, RATES, loss) for loss in losses]


@case("best_rate")
def laws(rng, predict_rate):
    """0.8 / n measured at 32, 64, 128: the rate at 1024; two noisy laws"""
    widths = [32, 64, 128, 256]
    noisy = [0.3 * np.array(widths) ** e * np.exp(0.2 * rng.normal(size=4)) for e in (-1.0, 0.0)]
    return [predict_rate([32, 64, 128], [0.8 / n for n in (32, 64, 128)], 1024),
            *(predict_rate(widths, best, 2048) for best in noisy)]


@case("best_rate")
def one_width(rng, predict_rate):
    """one width only: ValueError; two: none"""
    return [outcome(predict_rate, widths, [0.1, 0.2], 512) for widths in ([64, 64], [64, 128])]
