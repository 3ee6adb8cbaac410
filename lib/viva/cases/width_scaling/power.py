"""Cases of `power_norm` and `spectral_step`."""

import numpy as np

from viva.case import case


@case("power_norm")
def one_step_by_hand(rng, power_norm):
    """A = diag(3, 1), v = (1, 1): after 0, 1 and 2 steps sqrt(5), 2.98370 and 2.99980"""
    return [power_norm(np.diag([3.0, 1.0]), np.ones(2), steps=steps) for steps in (0, 1, 2)]


@case("power_norm")
def few_steps(rng, power_norm):
    """a wide and a tall matrix, three steps from a vector that has no length 1"""
    return [power_norm(rng.normal(size=shape), rng.normal(size=shape[1]), steps=3)
            for shape in ((3, 6), (7, 4))]


@case("power_norm", rtol=1e-8)  # the second singular value is half of the first: 100 steps suffice
def converged(rng, power_norm):
    """100 steps: the largest singular value, 4, of a matrix with the values 4, 2, 1"""
    U, V = (np.linalg.qr(rng.normal(size=(n, 3)))[0] for n in (5, 4))
    return power_norm((U * np.array([4.0, 2.0, 1.0])) @ V.T, rng.normal(size=4))


@case("power_norm")
def extremes(rng, power_norm):
    """a matrix of 1e60 and one of 1e-60, the answer over this factor; a zero matrix gives 0"""
    A, v = rng.normal(size=(3, 4)), rng.normal(size=4)
    huge, tiny = power_norm(1e60 * A, v, 20), power_norm(1e-60 * A, v, 20)
    return [huge / 1e60, tiny / 1e-60, power_norm(np.zeros((3, 4)), v, 20)]


@case("power_norm")
def scaled_updates(rng, spectral_step):
    """a wide and a tall direction of any size, scaled to the RMS norm 0.1"""
    return [spectral_step(scale * rng.normal(size=shape), 0.1)
            for scale, shape in ((1e3, (2, 5)), (1e-3, (6, 3)))]


@case("power_norm")
def no_direction(rng, spectral_step):
    """a gradient of zeros gives zeros, diag(2, 1) and lr = 3 gives diag(3, 1.5)"""
    return spectral_step(np.zeros((2, 3)), 0.1), spectral_step(np.diag([2.0, 1.0]), 3.0)
