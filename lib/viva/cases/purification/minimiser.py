"""Cases of purifier."""
import numpy as np

from viva.case import case, outcome, rule

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


@rule("purifier", rtol=0, atol=1e-8)  # a projector of well-separated directions
def no_penalty(rng, purifier):
    """lam = 0: the projector onto the columns, also for X of rank 2 in four channels"""
    tall, deficient = rng.normal(size=(5, 2)), with_singular_values(rng, [3, 1], 4, 9)
    return [purifier(tall, 0), purifier(deficient, 0)]


@rule("purifier", rtol=0, atol=1e-5)  # rounding moves the weak direction by 1e-8
def weak_direction(rng, purifier):
    """lam = 0: a direction 100 million times weaker is still one"""
    return purifier(with_singular_values(rng, [1, 1e-8], 4, 6), 0)


@rule("purifier", rtol=0, atol=1e-8)  # a projector does not depend on the scale of the data
def small_data(rng, purifier):
    """lam = 0: data ten million times smaller have the same projector"""
    return purifier(1e-7 * rng.normal(size=(5, 2)), 0)


@rule("purifier")
def negative(rng, purifier):
    """lam = -0.5: ValueError"""
    return outcome(purifier, TOY, -0.5)


@rule("purifier")
def any_numbers(rng, purifier):
    """a list of integers, and float32: computed in float64"""
    return [purifier([[2, 0, 1], [0, 1, 1]], 1), purifier(TOY.astype(np.float32), 1.0)]
