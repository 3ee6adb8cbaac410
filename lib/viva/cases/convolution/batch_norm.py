"""Cases of `center_backward`, `bn_forward` and `bn_backward`.

Default tolerance; columns have a variance near 1 or larger, so nothing is amplified.
"""

import numpy as np

from viva.case import case


def batch(rng, n, d):
    """X (n, d) with columns of different means and scales, gamma (d,), beta (d,), dY (n, d)."""
    X = rng.normal(size=(n, d)) * rng.uniform(0.7, 3, d) + rng.uniform(-4, 4, d)
    sign = rng.choice([-1.0, 1.0], d)
    return X, sign * rng.uniform(0.5, 2, d), rng.normal(size=d), rng.normal(size=(n, d)) + 0.5


@case("center_backward")
def centred_by_hand(rng, center_backward):
    """dY = 1, 2, 6 and gamma = 2: -4, -2, 6"""
    return center_backward(np.array([[1.0], [2.0], [6.0]]), np.array([2.0]))


@case("center_backward")
def centred_columns(rng, center_backward):
    """four samples, three columns, each with its own gamma"""
    _, gamma, _, dY = batch(rng, 4, 3)
    return center_backward(dY, gamma)


@case("center_backward")
def forward_values(rng, bn_forward):
    """six samples, four columns"""
    X, gamma, beta, _ = batch(rng, 6, 4)
    return bn_forward(X, gamma, beta)[0]


@case("center_backward")
def forward_large_eps(rng, bn_forward):
    """eps = 0.5, two samples"""
    X, gamma, beta, _ = batch(rng, 2, 3)
    return bn_forward(X, gamma, beta, eps=0.5)[0]


@case("center_backward")
def backward_large_eps(rng, bn_forward, bn_backward):
    """dX, dgamma, dbeta of two samples, three columns, eps = 0.5, one gamma is 0"""
    X, gamma, beta, dY = batch(rng, 2, 3)
    gamma[1] = 0.0
    return bn_backward(dY, bn_forward(X, gamma, beta, eps=0.5)[1])


@case("center_backward")
def backward_values(rng, bn_forward, bn_backward):
    """the same for six samples, four columns and the usual eps"""
    X, gamma, beta, dY = batch(rng, 6, 4)
    return bn_backward(dY, bn_forward(X, gamma, beta)[1])


@case("center_backward")
def another_batch_between(rng, bn_forward, bn_backward):
    """forward, forward with other numbers, then backward with the cache of the first"""
    X, gamma, beta, dY = batch(rng, 6, 4)
    cache = bn_forward(X, gamma, beta)[1]
    bn_forward(X[::-1] ** 2, 2 * gamma, beta)
    return bn_backward(dY, cache)
