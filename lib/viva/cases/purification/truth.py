"""Cases of best_lambda."""
import numpy as np

from viva.case import case, rule
from viva.kits.purification.data import make_low_rank


@case("best_lambda")
def low_rank_errors(rng, best_lambda):
    """rank 2 in six channels, forty samples, six values of lam"""
    Y, S = make_low_rank(6, 40, 2, signal=1.5, noise=0.7, seed=int(rng.integers(2**32)))
    lam, errors = best_lambda(Y, S, np.logspace(-1, 4, 6))
    return lam, np.asarray(errors, float)


@case("best_lambda")
def valley(rng, best_lambda):
    """the error falls, then rises; the best lam is inside; purified beats raw"""
    Y, S = make_low_rank(8, 60, 2, signal=1.5, noise=1.0, seed=int(rng.integers(2**32)))
    grid = np.logspace(-3, 5, 25)
    lam, errors = best_lambda(Y, S, grid)
    errors = np.asarray(errors, float)
    lowest = int(np.argmin(errors))
    falls, rises = np.diff(errors[: lowest + 1]) < 0, np.diff(errors[lowest:]) > 0
    shape = bool(falls.all() and rises.all())
    return shape, bool(grid[0] < lam < grid[-1]), bool(errors.min() < np.mean((Y - S) ** 2))


@rule("best_lambda")
def any_order(rng, best_lambda):
    """a grid in another order: the errors come in the order of the grid"""
    Y, S = make_low_rank(4, 30, 2, signal=1.5, noise=0.7, seed=int(rng.integers(2**32)))
    lam, errors = best_lambda(Y, S, np.array([300.0, 0.1, 10000.0, 20.0, 1.0]))
    return lam, np.asarray(errors, float)


@rule("best_lambda")
def no_penalty(rng, best_lambda):
    """lam = 0 in the grid, and Y of rank 1 in three channels: W Y = Y"""
    Y = np.outer([1.0, 2.0, -1.0], rng.normal(size=6))
    lam, errors = best_lambda(Y, 0.9 * Y, np.array([0.0, 0.1]))
    return lam, np.asarray(errors, float)


@rule("best_lambda")
def tie(rng, best_lambda):
    """Y is silent, so that all values of the grid tie: the first of them"""
    lam, errors = best_lambda(np.zeros((2, 3)), rng.normal(size=(2, 3)), np.array([5.0, 1.0, 3.0]))
    return lam, np.asarray(errors, float)
