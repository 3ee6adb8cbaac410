"""Public cases of section 6: learning from rewards alone."""

import numpy as np

from viva.case import case, outcome
from viva.kits.gradient_estimators import draw_points, label

BARS = {"supervised": 0.8, "pg": 0.65}


def accuracy(predict, rng, size=4000):
    """The share of new points that are classified rightly; the answers must be integers (N,)."""
    points = draw_points(size, rng)
    found = np.asarray(predict(points))
    if found.shape != (size,):
        raise ValueError(f"predict returned the shape {found.shape} for {size} points")
    return float((found == label(points)).mean())


def level(mode, train_blackbox, rng):
    """How good training is, in words."""
    share = accuracy(train_blackbox(mode, seed=int(rng.integers(10**6))), rng)
    if share >= BARS[mode]:
        return f"above {BARS[mode]:.0%}"
    return "near guessing, or below" if share < 0.4 else "better than guessing, below the bar"


@case("train_blackbox", log=False)
def supervised(rng, train_blackbox):
    """"supervised": at least 80% of 4,000 new points right"""
    return level("supervised", train_blackbox, rng)


@case("train_blackbox", log=False)
def policy_gradient(rng, train_blackbox):
    """"pg": at least 65% of 4,000 new points right"""
    return level("pg", train_blackbox, rng)


@case("train_blackbox")
def unknown_mode(rng, train_blackbox):
    """an unknown mode: ValueError"""
    return outcome(train_blackbox, "magic")
