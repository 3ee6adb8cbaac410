"""Public cases of the linear autoencoder with the smallest loss."""

import numpy as np

from viva.case import case
from viva.cases.autoencoders import loss, with_singular_values


@case("pca_autoencoder")
def by_hand(rng, pca_autoencoder):
    """one direction, (0.6, 0.8): the product is [[0.36, 0.48], [0.48, 0.64]]"""
    W1, W2 = pca_autoencoder(np.array([[0.6, -1.2, 1.8], [0.8, -1.6, 2.4]]), 1)
    return np.asarray(W2) @ np.asarray(W1)


@case("pca_autoencoder")
def product(rng, pca_autoencoder):
    """the product W2 W1: five channels, k = 2, nine samples"""
    W1, W2 = pca_autoencoder(with_singular_values(rng, (5, 3, 2, 1, 0.5), 5, 9), 2)
    return np.asarray(W2) @ np.asarray(W1)


@case("pca_autoencoder")
def far_from_zero(rng, pca_autoencoder):
    """data far from the origin: the product W2 W1"""
    W1, W2 = pca_autoencoder(rng.normal(size=(4, 8)) + np.array([[3.0], [-2.0], [1.0], [4.0]]), 2)
    return np.asarray(W2) @ np.asarray(W1)


@case("pca_autoencoder")
def discarded(rng, pca_autoencoder):
    """the loss for k = 1 … 5 is the sum of the discarded squared singular values"""
    X = with_singular_values(rng, (4, 3, 2, 1.5, 1, 0.7), 6, 8)
    return [loss(*pca_autoencoder(X, k), X) for k in range(1, 6)]


@case("pca_autoencoder")
def orthonormal(rng, pca_autoencoder):
    """W1 W1^T and W2^T W2, both the identity: six channels, k = 3, five samples"""
    W1, W2 = pca_autoencoder(with_singular_values(rng, (4, 3, 2, 1), 6, 5), 3)
    return np.asarray(W1) @ np.asarray(W1).T, np.asarray(W2).T @ np.asarray(W2)
