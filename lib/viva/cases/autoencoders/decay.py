"""Public cases of the linear autoencoder with weight decay."""

import numpy as np

from viva.case import case
from viva.cases.autoencoders import loss, with_singular_values


def objective(W1, W2, X, lam):
    """||X - W2 W1 X||^2 / n + lam (||W1||^2 + ||W2||^2), a float."""
    penalty = np.sum(np.asarray(W1, float) ** 2) + np.sum(np.asarray(W2, float) ** 2)
    return loss(W1, W2, X) / X.shape[1] + lam * float(penalty)


@case("regularised_ae")
def worked_gains(rng, regularised_ae):
    """n = 10, sigma = (6, 4, 2, 1), k = 2, lam = 0.3: gains 0.916667 and 0.8125, loss 1.61875"""
    X = with_singular_values(rng, (6, 4, 2, 1), 5, 10)
    W1, W2 = regularised_ae(X, 2, 0.3)
    gains = np.linalg.svd(np.asarray(W2) @ np.asarray(W1), compute_uv=False)
    return gains[:2], objective(W1, W2, X, 0.3)


@case("regularised_ae")
def product(rng, regularised_ae):
    """the product W2 W1: five channels, k = 3, eight samples"""
    X = with_singular_values(rng, (5, 4, 3, 2, 1), 5, 8)
    W1, W2 = regularised_ae(X, 3, float(rng.uniform(0.1, 0.5)))
    return np.asarray(W2) @ np.asarray(W1)


@case("regularised_ae")
def each_half(rng, regularised_ae):
    """W1^T W1 and W2 W2^T: both the product again, six channels, k = 2, seven samples"""
    X = with_singular_values(rng, (4, 3, 2), 6, 7)
    W1, W2 = regularised_ae(X, 2, float(rng.uniform(0.2, 0.6)))
    return np.asarray(W1).T @ np.asarray(W1), np.asarray(W2) @ np.asarray(W2).T


@case("regularised_ae")
def not_worth_it(rng, regularised_ae):
    """lam above sigma^2 / n of the second direction; then above that of the first as well"""
    X, found = with_singular_values(rng, (4, 2, 1), 4, 6), []
    for lam in (1.0, 3.0):
        W1, W2 = regularised_ae(X, 2, lam)
        W1, W2 = np.asarray(W1), np.asarray(W2)
        found.append([list(W1.shape), list(W2.shape), W2 @ W1])
    return found


@case("regularised_ae", rtol=0, atol=1e-6)
def nearly_orthonormal(rng, regularised_ae):
    """lam = 1e-9: W2^T W2 is nearly the identity"""
    W1, W2 = regularised_ae(with_singular_values(rng, (4, 3, 2), 5, 6), 2, 1e-9)
    W2 = np.asarray(W2, float)
    turned = W2.T @ W2
    return turned
