"""Public cases of `bce_loss`: one for every rule that its text states."""

import numpy as np

from viva.case import case


@case("bce_loss")
def no_idea(rng, bce_loss):
    """logit 0: ln 2, whatever the label"""
    return bce_loss(np.zeros(3), np.array([0, 1, 1]))


@case("bce_loss")
def seven_nodes(rng, bce_loss):
    """seven nodes, labels 0 and 1"""
    return bce_loss(2 * rng.normal(size=7), np.array([0, 1, 1, 0, 1, 0, 0]))


@case("bce_loss")
def negatives_only(rng, bce_loss):
    """four nodes, all of class 0"""
    return bce_loss(rng.normal(size=4), np.zeros(4))


@case("bce_loss")
def soft(rng, bce_loss):
    """labels between 0 and 1"""
    return bce_loss(rng.normal(size=5), rng.uniform(0.1, 0.9, 5))


@case("bce_loss")
def confident(rng, bce_loss):
    """logits of 1000 and -1000, right (0) and then wrong (1000)"""
    z = np.array([1000.0, -1000.0])
    return bce_loss(z, np.array([1.0, 0.0])), bce_loss(z, np.array([0.0, 1.0]))
