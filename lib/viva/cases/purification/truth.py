"""Cases of best_lambda."""
import numpy as np

from viva.case import case
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
