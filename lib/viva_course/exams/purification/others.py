"""Exam of `zero_diag_purifier`: every channel from the others."""

import numpy as np

from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

others = Exercise("zero_diag_purifier", "row i: the ridge regression of channel i on the other "
                  "channels; diagonal 0")

others.values(2.5, "Row i must be the regression of channel i on the others, the diagonal 0.")


@others.item(1, "No other matrix with a zero diagonal has a smaller loss.")
def a_minimum(exam, zero_diag_purifier):
    for m, n in ((4, 6), (5, 3)):
        X, lam = 2 * exam.rng.normal(size=(m, n)), float(exam.rng.uniform(0.4, 2))
        W = np.asarray(zero_diag_purifier(X, lam), float)
        exam.true(W.shape == (m, m) and bool((np.diagonal(W) == 0).all()), "diagonal exactly 0")
        change = 1e-3 * exam.rng.normal(size=(200, m, m)) * (1 - np.eye(m))
        at_W = reference.purification_losses(W, X, lam)[2]
        around = reference.purification_losses(W + change, X, lam)[2]  # (200,)
        exam.true((around > at_W).all(), "a change off the diagonal lowers the loss")


@others.item(1, "Three sensors that measure the same thing predict each other with less noise than "
             "they have; W is not symmetric in general.")
def redundant_sensors(exam, zero_diag_purifier):
    truth, n = exam.rng.normal(size=400), 400
    gains = np.array([[1.0], [2.0], [3.0]])
    clean = gains * truth
    X = clean + 0.5 * exam.rng.normal(size=(3, n))
    W = np.asarray(zero_diag_purifier(X, 1.0), float)
    exam.true(W.shape == (3, 3), "W must be m x m")
    before, after = ((X - clean) ** 2).mean(axis=1), ((W @ X - clean) ** 2).mean(axis=1)
    exam.true(after[0] < 0.5 * before[0], "the weakest sensor must gain from the others")
    exam.true(np.abs(W - W.T).max() > 0.1, "W is not symmetric when the gains differ")


others.unmodified(0.5, "X must stay as it was.")


@others.mistake("column_normalised", "Each row of W is one regression: divide row i by P_ii, not "
                "column i.")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    W = -P / np.diag(P)
    np.fill_diagonal(W, 0)
    return W


@others.mistake("just_zeroed", "Erasing the diagonal of the ordinary W is not the best W with a "
                "zero diagonal.")
def zero_diag_purifier(X, lam):
    gram = X @ X.T
    W = np.linalg.solve(gram + lam * np.eye(len(X)), gram)
    np.fill_diagonal(W, 0)
    return W


@others.mistake("sign", "The sign is wrong: W_ij = -P_ij / P_ii.")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    W = P / np.diag(P)[:, None]
    np.fill_diagonal(W, 0)
    return W


@others.mistake("no_ridge", "lam is missing in XX^T + lam I.")
def zero_diag_purifier(X, lam):
    P = np.linalg.pinv(X @ X.T)
    W = -P / np.diag(P)[:, None]
    np.fill_diagonal(W, 0)
    return W


@others.mistake("diagonal_kept", "The diagonal of W must be exactly 0: no channel predicts itself.")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    return -P / np.diag(P)[:, None]


@others.mistake("nearly_zero", "The diagonal is 0 up to rounding only: set it to exactly 0 last.")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    W = np.eye(len(X)) - P / np.diag(P)[:, None]
    W[np.diag_indices(len(X))] = 1e-17
    return W


@others.mistake("rounded_to_zero", "The diagonal is 0 up to rounding only: set it to exactly "
                "0 last.")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    return np.eye(len(X)) - P * (1 / np.diag(P))[:, None]


@others.mistake("not_normalised", "Divide row i by P_ii.")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    W = -P
    np.fill_diagonal(W, 0)
    return W


@others.mistake("both_normalised", "This is the symmetric partial correlation; divide row i by "
                "P_ii only.")
def zero_diag_purifier(X, lam):
    P = np.linalg.inv(X @ X.T + lam * np.eye(len(X)))
    W = -P / np.sqrt(np.outer(np.diag(P), np.diag(P)))
    np.fill_diagonal(W, 0)
    return W


@others.mistake("covariance", "P is the inverse of XX^T + lam I, not the matrix itself.")
def zero_diag_purifier(X, lam):
    P = X @ X.T + lam * np.eye(len(X))
    W = P / np.diag(P)[:, None]
    np.fill_diagonal(W, 0)
    return W


@others.mistake("in_place", "Setting a channel of X itself to zero changes the caller's data.")
def zero_diag_purifier(X, lam):
    W = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        target = X[i].copy()
        X[i] = 0
        W[i] = np.linalg.solve(X @ X.T + lam * np.eye(len(X)), X @ target)
        X[i] = target
    X *= 1 + 1e-15
    return W


@others.variant("regressions one by one")
def zero_diag_purifier(X, lam):
    m = len(X)
    W = np.zeros((m, m))
    for i in range(m):
        rest = [j for j in range(m) if j != i]
        A = X[rest]
        W[i, rest] = np.linalg.solve(A @ A.T + lam * np.eye(m - 1), A @ X[i])
    return W


@others.variant("by a solve")
def zero_diag_purifier(X, lam):
    P = np.linalg.solve(X @ X.T + lam * np.eye(len(X)), np.eye(len(X)))
    W = np.eye(len(X)) - P / np.diag(P)[:, None]
    W[np.diag_indices(len(X))] = 0.0
    return W
