"""Cases of steepest descent under a norm."""
import numpy as np

from viva.case import case, outcome, rule

from .common import matrix


@case("steepest")
def by_hand(rng, steepest):
    """g = (3, -4), alpha = 2, the three vector norms"""
    g = np.array([3.0, -4.0])
    return {norm: steepest(g, norm, 2.0) for norm in ("l2", "linf", "l1")}


@case("steepest")
def largest_is_positive(rng, steepest):
    """g = (1, -2, 5), alpha = 2: the largest coordinate is positive, the step goes down"""
    g = np.array([1.0, -2.0, 5.0])
    return {norm: steepest(g, norm, 2.0) for norm in ("l2", "linf", "l1")}


@case("steepest")
def tie(rng, steepest):
    """two coordinates that are equally large: under l1 the first of them moves, alone"""
    g = rng.choice([-1.0, 1.0], 4) * rng.uniform(1, 3) * np.array([0.5, 1, 0.25, 1])
    return steepest(g, "l1", 2.0)


@case("steepest")
def diagonal(rng, steepest):
    """G = diag(3, 4), alpha = 2, the two matrix norms"""
    G = np.diag([3.0, 4.0])
    return {norm: steepest(G, norm, 2.0) for norm in ("frobenius", "spectral")}


@case("steepest")
def random_vector(rng, steepest):
    """a random vector of six, the three vector norms"""
    g, alpha = rng.normal(size=6), rng.uniform(0.2, 0.8)
    return [*(steepest(g, norm, alpha) for norm in ("l2", "linf", "l1")), steepest(g, "l2")]


@case("steepest")
def random_matrix(rng, steepest):
    """a random 3 x 5 matrix, the two matrix norms"""
    G, alpha = matrix(rng, 3, 5), rng.uniform(0.2, 0.8)
    return [steepest(G, norm, alpha) for norm in ("frobenius", "spectral")]


@case("steepest", atol=0)
def tiny_matrix(rng, steepest):
    """a 3 x 4 matrix of numbers around 1e-14: no singular value is small beside the largest"""
    return steepest(1e-14 * matrix(rng, 3, 4), "spectral", 0.7)


@case("steepest")
def unknown(rng, steepest):
    """an unknown norm raises ValueError"""
    return outcome(steepest, np.array([3.0, -4.0]), "l3", 2.0)


@rule("steepest", rtol=1e-8, atol=1e-9)  # zero singular values are zero up to rounding
def low_rank(rng, steepest):
    """rank 2: directions with singular value zero get no step"""
    G = matrix(rng, 4, 2) @ matrix(rng, 2, 5)
    return [steepest(G, norm, 0.7) for norm in ("frobenius", "spectral")]
