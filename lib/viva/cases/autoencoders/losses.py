"""Public cases of the loss of a linear autoencoder and of its gradients."""

import numpy as np

from viva.case import case


def autoencoder(rng, k, m, n):
    return rng.normal(size=(k, m)), rng.normal(size=(m, k)), rng.normal(size=(m, n))


@case("ae_loss")
def by_hand(rng, ae_loss):
    """X = [[3], [4]]; only the first channel passes: 16"""
    return ae_loss(np.array([[1.0, 0.0]]), np.array([[1.0], [0.0]]), np.array([[3.0], [4.0]]))


@case("ae_loss")
def nothing_passes(rng, ae_loss):
    """zero weights: the sum of all squares of X"""
    return ae_loss(np.zeros((2, 3)), np.zeros((3, 2)), rng.normal(size=(3, 5)))


@case("ae_loss")
def everything_passes(rng, ae_loss):
    """k = m and identity weights: 0"""
    return ae_loss(np.eye(3), np.eye(3), rng.normal(size=(3, 4)))


@case("ae_loss")
def any_weights(rng, ae_loss):
    """random weights: four channels, k = 2, six samples; then five channels, k = 3, two samples"""
    return [ae_loss(*autoencoder(rng, 2, 4, 6)), ae_loss(*autoencoder(rng, 3, 5, 2))]


@case("ae_loss")
def worked_gradients(rng, ae_grads):
    """X = [[3], [4]], W1 = [[1, 0]], W2 = [[1], [0]]: [[0, 0]] and [[0], [-24]]"""
    dW1, dW2 = ae_grads(np.array([[1.0, 0.0]]), np.array([[1.0], [0.0]]), np.array([[3.0], [4.0]]))
    return dW1, dW2


@case("ae_loss")
def any_gradients(rng, ae_grads):
    """random weights: four channels, k = 2, six samples"""
    dW1, dW2 = ae_grads(*autoencoder(rng, 2, 4, 6))
    return dW1, dW2


@case("ae_loss")
def few_samples(rng, ae_grads):
    """fewer samples than channels: five channels, k = 3, two samples"""
    dW1, dW2 = ae_grads(*autoencoder(rng, 3, 5, 2))
    return dW1, dW2
