"""Exam of `rank_k_purifier`: the hard bottleneck."""

import numpy as np

from viva.cases.purification.common import with_singular_values
from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

bottleneck = Exercise(
    "rank_k_purifier", expects="the projector U_k U_k^T onto the k strongest directions",
    survivors={
        "rank_k_purifier: U = np.linalg.svd(X, full_matrices=False)[0][:, :k] -> "
        "U = np.linalg.svd(X)[0][:, :k]": "the full U begins with the columns of the thin one",
        "rank_k_purifier: U = np.linalg.svd(X, full_matrices=False)[0][:, :k] -> "
        "U = np.linalg.svd(X, full_matrices=True)[0][:, :k]":
            "the full U begins with the columns of the thin one",
    },
)

bottleneck.values(3, "The projector, and its error, must be right.")


@bottleneck.item(1.5, "No other rank-k map has a smaller error.")
def nothing_is_better(exam, rank_k_purifier):
    m, n, k = 5, 8, 2
    X = with_singular_values(exam.rng, [3, 2.5, 2, 1.5, 1], m, n) + 0.2
    W = np.asarray(rank_k_purifier(X, k), float)
    exam.true(W.shape == (m, m), "W must be m x m")
    exam.true(np.linalg.matrix_rank(W, tol=1e-9) <= k, "W must have rank k at most")
    mine = ((X - W @ X) ** 2).sum()
    # Half of the subspaces are random, half next to the best one: these find small errors too.
    best = np.linalg.svd(X)[0][:, :k]
    spread = np.repeat([1.0, 0.01], 100)[:, None, None]
    start = (1 - spread) * best + spread * exam.rng.normal(size=(200, m, k))
    basis, _ = np.linalg.qr(start)  # basis basis^T is the best W with this range
    others = ((X - basis @ (basis.swapaxes(1, 2) @ X)) ** 2).sum(axis=(1, 2))
    exam.true((mine <= others + 1e-9).all(), "another subspace does better")


@bottleneck.item(1, "W is symmetric, W W = W, and its trace is k.")
def a_projector(exam, rank_k_purifier):
    for m, n, k in ((4, 7, 3), (6, 4, 2)):
        W = np.asarray(rank_k_purifier(exam.rng.normal(size=(m, n)), k), float)
        exam.true(W.shape == (m, m), "W must be m x m")
        exam.true(np.abs(W - W.T).max() < 1e-9, "W must be symmetric")
        exam.true(np.abs(W @ W - W).max() < 1e-9, "applying W twice must change nothing")
        exam.true(abs(np.trace(W) - k) < 1e-9, "W must pass k directions")
        mixed = np.abs(W - np.diag(np.diag(W))).max() > 1e-6
        exam.true(mixed, "the directions of X are not its channels")


@bottleneck.item(1, "k = m is the identity for X of full row rank; k = 0 is 0; X may have more "
                 "channels than samples.")
def all_and_none(exam, rank_k_purifier):
    X = exam.rng.normal(size=(4, 6))
    exam.same(rank_k_purifier(X, 4), np.eye(4), rtol=0, atol=1e-9)
    exam.same(rank_k_purifier(X, 0), np.zeros((4, 4)), rtol=0, atol=1e-12)
    tall = exam.rng.normal(size=(6, 2))
    exam.same(rank_k_purifier(tall, 2), reference.purifier(tall, 0), rtol=0, atol=1e-9)
    exam.same(np.asarray(rank_k_purifier(tall, 5)) @ tall, tall, rtol=0, atol=1e-9)


bottleneck.unmodified(0.5, "X must stay as it was.")


@bottleneck.mistake("smallest_k", "eigh sorts ascending: the strongest directions come last.")
def rank_k_purifier(X, k):
    U = np.linalg.eigh(X @ X.T)[1][:, :k]
    return U @ U.T


@bottleneck.mistake("V", "Channels live in U; V belongs to the samples.")
def rank_k_purifier(X, k):
    Vt = np.linalg.svd(X, full_matrices=False)[2][:k]
    return Vt.T @ Vt


@bottleneck.mistake("UT", "U_k^T U_k is the k x k identity; the projector is U_k U_k^T.")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X, full_matrices=False)[0][:, :k]
    return U.T @ U


@bottleneck.mistake("centred", "The model has no offset: do not subtract the mean.")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X - X.mean(axis=1, keepdims=True), full_matrices=False)[0][:, :k]
    return U @ U.T


@bottleneck.mistake("weighted", "A projector passes its directions whole: no factor sigma.")
def rank_k_purifier(X, k):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U[:, :k] * s[:k]) @ U[:, :k].T


@bottleneck.mistake("rows_of_U", "Singular vectors are the columns of U.")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X)[0]
    return U[:k].T @ U[:k]


@bottleneck.mistake("one_less", "k directions, not k - 1.")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X, full_matrices=False)[0][:, : max(k - 1, 0)]
    return U @ U.T


@bottleneck.mistake("discarded_part", "This is the projector onto what should be discarded.")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X)[0][:, k:]
    return U @ U.T


@bottleneck.mistake("truncated_data", "This is X with k directions; asked is the map W.")
def rank_k_purifier(X, k):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return (U[:, :k] * s[:k]) @ Vt[:k]


@bottleneck.mistake("last_of_none", "U[:, -k:] with k = 0 is all of U.")
def rank_k_purifier(X, k):
    U = np.linalg.eigh(X @ X.T)[1][:, -k:]
    return U @ U.T


@bottleneck.mistake("coordinates", "The strongest directions are not the first channels.")
def rank_k_purifier(X, k):
    return np.diag((np.arange(len(X)) < k).astype(float))


@bottleneck.mistake("strongest_channels", "The strongest channels are not the strongest "
                    "directions: take singular vectors.")
def rank_k_purifier(X, k):
    strongest = np.argsort(-np.sum(X**2, axis=1))[:k]
    return np.diag(np.isin(np.arange(len(X)), strongest).astype(float))


@bottleneck.mistake("nothing_above", "For k above the number of singular values all of them are "
                    "kept; this keeps none.")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X, full_matrices=False)[0][:, : k if k <= min(X.shape) else 0]
    return U @ U.T


@bottleneck.mistake("centres_in_place", "`X -= ...` changes the caller's data.")
def rank_k_purifier(X, k):
    U = np.linalg.svd(X, full_matrices=False)[0][:, :k]
    X -= X.mean(axis=1, keepdims=True)
    return U @ U.T


@bottleneck.variant("eigenvectors of the Gram matrix")
def rank_k_purifier(X, k):
    U = np.linalg.eigh(X @ X.T)[1][:, ::-1][:, :k]
    return U @ U.T


@bottleneck.variant("other signs, sum of outer products")
def rank_k_purifier(X, k):
    U = -np.linalg.svd(X)[0]
    return sum((np.outer(u, u) for u in U.T[:k]), start=np.zeros((len(X), len(X))))
