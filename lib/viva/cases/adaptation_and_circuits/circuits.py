"""Cases of qk_circuit and ov_circuit."""

import numpy as np

from viva.case import case


@case("qk_circuit")
def score_matrix(rng, qk_circuit):
    """W_Q and W_K (2, 5)"""
    return qk_circuit(rng.normal(size=(2, 5)), rng.normal(size=(2, 5)))


@case("qk_circuit")
def as_wide_as_the_model(rng, qk_circuit):
    """W_Q and W_K (3, 3): a transpose shows in the values only"""
    return qk_circuit(rng.normal(size=(3, 3)), rng.normal(size=(3, 3)))


@case("qk_circuit")
def scores(rng, qk_circuit):
    """x_i^T M x_j for four tokens"""
    X = rng.normal(size=(5, 4))
    M = np.asarray(qk_circuit(rng.normal(size=(2, 5)), rng.normal(size=(2, 5))), float)
    return X.T @ M @ X if M.shape == (5, 5) else M


@case("qk_circuit")
def moved_matrix(rng, ov_circuit):
    """W_O^h (5, 2) and W_V (2, 5)"""
    return ov_circuit(rng.normal(size=(5, 2)), rng.normal(size=(2, 5)))


@case("qk_circuit")
def square_moved_matrix(rng, ov_circuit):
    """W_O^h and W_V (3, 3)"""
    return ov_circuit(rng.normal(size=(3, 3)), rng.normal(size=(3, 3)))


@case("qk_circuit")
def head_output(rng, ov_circuit):
    """M X P^T for four tokens and a random pattern P"""
    X, P = rng.normal(size=(5, 4)), rng.dirichlet(np.ones(4), size=4)
    M = np.asarray(ov_circuit(rng.normal(size=(5, 2)), rng.normal(size=(2, 5))), float)
    return M @ X @ P.T if M.shape == (5, 5) else M
