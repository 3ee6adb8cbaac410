"""Cases of zero_diag_purifier."""
import numpy as np

from viva.case import case, rule


@case("zero_diag_purifier")
def from_the_others(rng, zero_diag_purifier):
    """four channels, each from the other three"""
    return zero_diag_purifier(rng.normal(size=(4, 9)), float(rng.uniform(0.5, 2)))


@rule("zero_diag_purifier", rtol=0, atol=0)  # exactly, as the text says
def diagonal(rng, zero_diag_purifier):
    """forty channels: the diagonal is exactly zero"""
    return np.diagonal(zero_diag_purifier(rng.normal(size=(40, 60)), 0.7)).copy()


@rule("zero_diag_purifier")
def by_hand(rng, zero_diag_purifier):
    """two equal channels (1, 1), lam = 1: 2/3 off the diagonal"""
    return zero_diag_purifier(np.ones((2, 2)), 1.0)
