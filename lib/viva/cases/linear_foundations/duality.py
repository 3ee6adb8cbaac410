"""Public cases of ridge regression, primal and dual."""

import numpy as np

from viva.case import case, outcome
from viva.cases.linear_foundations import with_singular_values


def accuracy(weights, X, y):
    """Whether the weights are right to six digits, where lam is too small to show in them.

    In words: what rounding makes of the larger system differs from one machine to the next.
    """
    right = np.linalg.pinv(X) @ y  # lam = 1e-13 changes the 13th digit
    if np.shape(weights) != right.shape:
        return f"of shape {np.shape(weights)}, not {right.shape}"
    close = np.allclose(weights, right, rtol=1e-6, atol=1e-7)
    return "accurate to six digits" if close else "not accurate to six digits"


def lam_of(rng):
    return float(rng.uniform(0.3, 0.7))


@case("ridge_primal")
def tall_primal(rng, ridge_primal):
    """eight samples, three features"""
    return ridge_primal(rng.normal(size=(8, 3)), rng.normal(size=8), lam_of(rng))


@case("ridge_primal")
def wide_primal(rng, ridge_primal):
    """three samples, five features, two targets"""
    return ridge_primal(rng.normal(size=(3, 5)), rng.normal(size=(3, 2)), lam_of(rng))


@case("ridge_primal")
def tall_dual(rng, ridge_dual):
    """seven samples, two features"""
    return ridge_dual(rng.normal(size=(7, 2)), rng.normal(size=7), lam_of(rng))


@case("ridge_primal")
def wide_dual(rng, ridge_dual):
    """four samples, six features, three targets"""
    return ridge_dual(rng.normal(size=(4, 6)), rng.normal(size=(4, 3)), lam_of(rng))


@case("ridge_primal")  # the larger system errs by 1e-4 and more
def accurate_primal(rng, ridge_primal):
    """lam = 1e-13, 20 samples of 3 features: the d x d system is accurate, the n x n one is not"""
    X, y = with_singular_values(rng, (2, 1.5, 1), 20, 3), rng.normal(size=20)
    return accuracy(ridge_primal(X, y, 1e-13), X, y)


@case("ridge_primal")
def accurate_dual(rng, ridge_dual):
    """lam = 1e-13, 3 samples of 20 features: the n x n system is accurate, the d x d one is not"""
    X, y = with_singular_values(rng, (2, 1.5, 1), 3, 20), rng.normal(size=3)
    return accuracy(ridge_dual(X, y, 1e-13), X, y)


@case("ridge_primal")
def any_shape(rng, ridge):
    """tall, square and wide; one target and two"""
    shapes = ((6, 2), (4, 4), (2, 7))
    return [ridge(rng.normal(size=(n, d)), rng.normal(size=(n, 2)[: 1 + (n > 2)]), lam_of(rng))
            for n, d in shapes]


@case("ridge_primal")  # the larger system errs by 1e-4 and more
def smaller_system(rng, ridge):
    """lam = 1e-13, 3 samples of 20 features and 20 of 3: only the smaller system is accurate"""
    found = []
    for n, d in ((3, 20), (20, 3)):
        X, y = with_singular_values(rng, (2, 1.5, 1), n, d), rng.normal(size=n)
        found.append(accuracy(ridge(X, y, 1e-13), X, y))
    return found


@case("ridge_primal", rtol=1e-8, atol=1e-9)
def no_penalty(rng, ridge):
    """lam = 0: more samples than features, fewer, a feature that is always 0, and a weak one"""
    tall, wide = (with_singular_values(rng, (2, 1, 0.7), n, d) for n, d in ((6, 3), (3, 6)))
    silent = np.insert(with_singular_values(rng, (2, 1), 5, 2), 1, 0.0, axis=1)  # (5, 3)
    weak = with_singular_values(rng, (2, 1e-3), 5, 2)  # a penalty of 1e-10 shows in it
    return [ridge(X, rng.normal(size=len(X)), 0) for X in (tall, wide, silent, weak)]


@case("ridge_primal")
def negative_penalty(rng, ridge):
    """lam = -0.1: ValueError"""
    return outcome(ridge, rng.normal(size=(4, 2)), rng.normal(size=4), -0.1)
