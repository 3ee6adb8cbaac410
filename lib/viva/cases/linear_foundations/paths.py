"""Public cases of the path of gradient descent and of its end."""

import numpy as np

from viva.case import case
from viva.cases.linear_foundations import with_singular_values


@case("gd_closed_form", rtol=1e-8)  # the steps' rounding adds up over t
def tall_path(rng, gd_closed_form):
    """seven samples, three features: 0, 1, 2 and 25 steps"""
    X, y = with_singular_values(rng, (1.8, 1.1, 0.6), 7, 3), rng.normal(size=7)
    return [gd_closed_form(X, y, 0.13, t) for t in (0, 1, 2, 25)]


@case("gd_closed_form", rtol=1e-8)
def wide_path(rng, gd_closed_form):
    """three samples, six features: 1, 4 and 30 steps"""
    X, y = with_singular_values(rng, (2.1, 1.3, 0.5), 3, 6), rng.normal(size=3)
    return [gd_closed_form(X, y, 0.11, t) for t in (1, 4, 30)]


@case("gd_closed_form", rtol=1e-8)
def low_rank_path(rng, gd_closed_form):
    """rank two in six samples and four features: 9 steps"""
    X, y = with_singular_values(rng, (1.7, 0.8), 6, 4), rng.normal(size=6)
    return gd_closed_form(X, y, 0.15, 9)


@case("gd_closed_form", rtol=1e-8)
def silent_feature(rng, gd_closed_form):
    """a feature that is always 0, so that a singular value is exactly 0: 5 steps"""
    X = np.insert(with_singular_values(rng, (1.5, 0.9), 5, 2), 2, 0.0, axis=1)  # (5, 3)
    return gd_closed_form(X, rng.normal(size=5), 0.2, 5)


@case("gd_closed_form", rtol=1e-8)
def diverging_path(rng, gd_closed_form):
    """a rate above the bound: 5 and 6 steps"""
    X, y = with_singular_values(rng, (1.6, 0.9), 5, 2), rng.normal(size=5)
    return [gd_closed_form(X, y, 0.5, t) for t in (5, 6)]


@case("gd_closed_form", rtol=1e-8)
def overshooting_path(rng, gd_closed_form):
    """a rate that overshoots along the strongest direction and converges: 1, 3 and 8 steps"""
    X, y = with_singular_values(rng, (1.5, 0.7), 6, 2), rng.normal(size=6)
    return [gd_closed_form(X, y, 0.4, t) for t in (1, 3, 8)]


@case("gd_closed_form")
def worked_shortest(rng, min_norm_solution):
    """3 w1 + 4 w2 = 25: (3, 4)"""
    return min_norm_solution(np.array([[3.0, 4.0]]), np.array([25.0]))


@case("gd_closed_form")
def shortest(rng, min_norm_solution):
    """three equations, seven unknowns"""
    return min_norm_solution(with_singular_values(rng, (2, 1.2, 0.7), 3, 7), rng.normal(size=3))


@case("gd_closed_form")
def shortest_square(rng, min_norm_solution):
    """four equations, four unknowns: there is only one solution"""
    return min_norm_solution(with_singular_values(rng, (2, 1.5, 1, 0.6), 4, 4), rng.normal(size=4))
