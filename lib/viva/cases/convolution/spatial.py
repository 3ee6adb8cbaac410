"""Cases of `spatial_bn`."""

import numpy as np

from viva.case import case


def images(rng, N=3, C=2, H=4, W=5):
    """X (N, C, H, W) whose channels differ, gamma, beta, running (mean, var)."""
    X = rng.normal(size=(N, C, H, W)) * rng.uniform(0.7, 3, (C, 1, 1)) + rng.uniform(
        -4, 4, (C, 1, 1)) + rng.normal(size=(N, C, 1, 1))
    running = (rng.normal(size=C), rng.uniform(0.5, 3, C))
    return X, rng.uniform(0.5, 2, C), rng.normal(size=C), running


@case("spatial_bn")
def training_output(rng, spatial_bn):
    """training on three images with two channels: Y"""
    return spatial_bn(*images(rng), True)[0]


@case("spatial_bn")
def training_statistics(rng, spatial_bn):
    """the new running mean and variance, momentum 0.1 and 0.3"""
    given = images(rng)
    return [spatial_bn(*given, True)[1], spatial_bn(*given, True, momentum=0.3)[1]]


@case("spatial_bn")
def evaluation(rng, spatial_bn):
    """training=False: Y by the running statistics, which stay as they are"""
    return spatial_bn(*images(rng, C=3), False)


@case("spatial_bn")
def large_eps(rng, spatial_bn):
    """eps = 0.5, training and not"""
    given = images(rng, N=2, C=3, H=3, W=2)
    return [spatial_bn(*given, training, eps=0.5)[0] for training in (True, False)]


@case("spatial_bn")
def three_batches(rng, spatial_bn):
    """the running statistics after three batches, from mean 0 and variance 1"""
    _, gamma, beta, _ = images(rng)
    running = (np.zeros(2), np.ones(2))
    for _ in range(3):
        running = spatial_bn(images(rng)[0], gamma, beta, running, True)[1]
    return running
