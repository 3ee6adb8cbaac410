"""Cases of Adam."""
import numpy as np

from viva.case import case

from .common import path


@case("adam_step", rtol=1e-6, atol=1e-12)  # eps moves the first step by 1e-8 / |g|
def first_step(rng, adam_step):
    """the first step is lr sign(g), whatever the scale of g"""
    g = rng.choice([-1, 1], 5) * 10.0 ** np.array([-1, 0, 1, 2, 3])
    return adam_step(np.zeros(5), g, {}, lr=0.1)[0]


@case("adam_step", rtol=1e-11, atol=1e-12)  # the same operations in another order, 60 times
def sixty_gradients(rng, adam_step):
    """60 random gradients with the usual betas"""
    return path(adam_step, rng.normal(size=(60, 3)), rng.normal(size=3), keep=20, lr=0.05)


@case("adam_step", rtol=1e-11, atol=1e-12)
def large_eps(rng, adam_step):
    """eps = 0.1 and betas (0.5, 0.8): where eps is added matters"""
    gradients = rng.normal(size=(10, 2, 2)) * 0.1
    return path(adam_step, gradients, rng.normal(size=(2, 2)), keep=5, lr=0.2,
                betas=(0.5, 0.8), eps=0.1)
