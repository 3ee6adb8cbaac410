"""Gradient descent on one weight: (y - sigma w)^2."""

import math


def gd_scalar(sigma, y, eta, w0, t):
    """w_t = y/sigma + (1 - 2 eta sigma^2)^t (w0 - y/sigma).

    sigma, y, eta, w0  numbers, sigma != 0
    t                  number of steps, an integer >= 0
    Returns a number.
    """
    best = y / sigma
    return best + (1 - 2 * eta * sigma**2) ** t * (w0 - best)


def max_lr_scalar(sigma):
    """1 / sigma^2: every smaller positive rate converges, every larger one diverges."""
    return 1 / sigma**2


def steps_to_tol(sigma, eta, eps):
    """The first t with |1 - 2 eta sigma^2|^t < eps; infinity if there is none.

    sigma, eta  numbers, sigma != 0
    eps         number, 0 < eps < 1
    Returns an integer, or math.inf.
    """
    factor = abs(1 - 2 * eta * sigma**2)
    if factor >= 1:
        return math.inf
    if factor == 0:
        return 1
    return math.floor(math.log(eps) / math.log(factor)) + 1
