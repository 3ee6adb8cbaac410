"""Cases of purifier."""
import numpy as np

from viva.case import case

from .common import TOY, with_singular_values


@case("purifier")
def toy_purifier(rng, purifier):
    """toy data, lam = 1"""
    return purifier(TOY, 1.0)


@case("purifier")
def wide_purifier(rng, purifier):
    """three channels, seven samples"""
    return purifier(with_singular_values(rng, [3, 1.5, 0.6], 3, 7), float(rng.uniform(1.2, 3)))


@case("purifier", rtol=0, atol=1e-8)  # ||X|| = 3: rounding of the gradient is 1e-14
def stationary(rng, purifier):
    """the gradient at your W vanishes, for five problems"""
    gradients = []
    for m, n in ((2, 6), (3, 5), (4, 4), (4, 3), (5, 2)):
        X = with_singular_values(rng, np.linspace(3, 0.8, min(m, n)), m, n)
        lam = float(rng.uniform(0.3, 3))
        W = np.asarray(purifier(X, lam), float)
        gradients.append(-2 * (X - W @ X) @ X.T + 2 * lam * W)  # (m, m)
    return gradients
