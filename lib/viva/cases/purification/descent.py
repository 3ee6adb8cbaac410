"""Cases of purifier_grad, purify_gd and max_stable_step."""
import numpy as np

from viva.case import case, rule

from .common import with_singular_values


@case("purifier_grad")
def random_gradient(rng, purifier_grad):
    """the gradient at a random W, three channels and four samples"""
    return purifier_grad(rng.normal(size=(3, 3)), rng.normal(size=(3, 4)), 0.7)


@case("purifier_grad", rtol=1e-8, atol=1e-9, log=False)  # a step leaves at most 0.32 of the error
def descent(rng, purify_gd, max_stable_step):
    """70 steps with half the largest stable step; and: the loss never grows"""
    X, lam = with_singular_values(rng, [2, 1.8, 1.6], 3, 6), float(rng.uniform(0.5, 1.5))
    W, history = purify_gd(X, lam, 0.5 * max_stable_step(X, lam), 70)
    history = np.asarray(history, float)
    return W, bool((np.diff(history) <= 1e-9).all())


@case("purifier_grad")
def three_steps(rng, purify_gd):
    """three steps from a given W0: W and the four losses"""
    X, W0 = rng.normal(size=(3, 4)), rng.normal(size=(3, 3))
    W, history = purify_gd(X, 0.4, 0.02, 3, W0=W0)
    return W, np.asarray(history, float)


@rule("purifier_grad")
def from_zeros(rng, purify_gd):
    """two steps without W0: they start from zeros"""
    W, history = purify_gd(rng.normal(size=(3, 4)), 0.4, 0.02, 2)
    return W, np.asarray(history, float)


@case("purifier_grad")
def stable_step(rng, max_stable_step):
    """the largest stable step of three channels and five samples"""
    X = with_singular_values(rng, [2, 1.2, 0.5], 3, 5)
    return max_stable_step(X, float(rng.uniform(1.5, 3)))
