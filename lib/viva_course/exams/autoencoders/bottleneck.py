"""Exam of `pca_autoencoder`: the best linear autoencoder."""

import numpy as np

from viva.cases.autoencoders import loss, with_singular_values
from viva_course.reference import autoencoders as reference
from viva_course.rubric import Exercise

bottleneck = Exercise("pca_autoencoder", "(W1, W2) with the smallest loss of all, orthonormal rows "
                      "in W1, orthonormal columns in W2")

bottleneck.values(5, "The reconstruction W2 W1 is the best one with k code channels.",
                  name="reconstruction", only=("by_hand", "product", "far_from_zero"))
bottleneck.values(3, "The loss is the sum of the discarded squared singular values.",
                  name="loss", only=("discarded",))
bottleneck.values(2, "The rows of W1 are orthonormal, and so are the columns of W2.",
                  name="orthonormal", only=("orthonormal",))


@bottleneck.item(2, "Both gradients of the loss vanish, for tall and wide data far from the "
                 "origin.", name="first-order conditions")
def first_order_conditions(exam, pca_autoencoder):
    for m, n, k in ((4, 9, 2), (7, 4, 3), (5, 5, 1)):
        X = exam.rng.normal(size=(m, n)) + 2 * exam.rng.normal(size=(m, 1))
        W1, W2 = (np.asarray(w, float) for w in pca_autoencoder(X, k))
        exam.same(list(reference.ae_grads(W1, W2, X)), [np.zeros((k, m)), np.zeros((m, k))],
                  atol=1e-8)
        sigmas = np.linalg.svd(X, compute_uv=False)
        exam.same(loss(W1, W2, X), float(np.sum(sigmas[k:] ** 2)), rtol=1e-8, atol=1e-8)


@bottleneck.item(1.5, "No other weights have a smaller loss: neither ones nearby nor the best "
                 "decoder of a random encoder.")
def nothing_is_better(exam, pca_autoencoder):
    X = with_singular_values(exam.rng, (4, 3, 2, 1, 0.5), 5, 9)
    W1, W2 = (np.asarray(w, float) for w in pca_autoencoder(X, 2))
    best = loss(W1, W2, X)
    for _ in range(40):
        near = loss(W1 + 0.1 * exam.rng.normal(size=(2, 5)),
                    W2 + 0.1 * exam.rng.normal(size=(5, 2)), X)
        codes = exam.rng.normal(size=(2, 5)) @ X
        fitted = float(np.sum((X - X @ np.linalg.pinv(codes) @ codes) ** 2))
        exam.true(best <= min(near, fitted) + 1e-9, "other weights have a smaller loss")


bottleneck.unmodified(0.5, "X must stay as it was.")


def pair(U):
    return U.T.copy(), U.copy()


RIGHT = "The right singular vectors live among the samples; channels need the left ones."


@bottleneck.mistake("right_vectors", RIGHT)
def pca_autoencoder(X, k):
    U = np.linalg.svd(X.T @ X + 1e-9 * np.eye(X.shape[1]))[0]
    return pair(np.resize(U, (X.shape[0], U.shape[1]))[:, :k])


bottleneck.mistakes_of(pca_autoencoder={
    "rows_of_Vt": (RIGHT, lambda X, k: pair(np.linalg.svd(X)[2][:k].T)),
    "centred": ("X is centred here, but the autoencoder has no bias and has to reproduce the mean "
                "as well.",
                lambda X, k: pair(np.linalg.svd(X - X.mean(axis=1, keepdims=True))[0][:, :k])),
    "centred_per_sample": ("Each sample loses its own mean here; nothing is to be centred.",
                           lambda X, k: pair(np.linalg.svd(X - X.mean(axis=0))[0][:, :k])),
    "smallest": ("These are the weakest directions; keep the strongest. (np.linalg.eigh sorts from "
                 "small to large.)",
                 lambda X, k: pair(np.linalg.svd(X, full_matrices=False)[0][:, -k:])),
    "eigh_order": ("These are the weakest directions; keep the strongest. (np.linalg.eigh sorts "
                   "from small to large.)",
                   lambda X, k: pair(np.linalg.eigh(X @ X.T)[1][:, :k])),
    "rows_of_U": ("The singular vectors are the columns of U, not its rows.",
                  lambda X, k: pair(np.linalg.svd(X)[0][:k].T)),
    "one_too_many": ("The bottleneck has k channels, not k + 1.",
                     lambda X, k: pair(np.linalg.svd(X)[0][:, : k + 1])),
    "correlation": (
        "The channels are standardised here; loud channels count more in the loss, and must.",
        lambda X, k: (
            pair(np.linalg.svd(X / np.sqrt(np.mean(X**2, axis=1, keepdims=True)))[0][:, :k]))),
    "first_samples": ("These directions span the first k samples only; the singular directions "
                      "weigh all of them.",
                      lambda X, k: pair(np.linalg.qr(X[:, :k])[0])),
    "swapped": ("The encoder comes first, (k, m), then the decoder.",
                lambda X, k: reference.pca_autoencoder(X, k)[::-1]),
})


@bottleneck.mistake("whitened", "The encoder divides by the singular values and the decoder "
                    "multiplies again: the same reconstruction, but not orthonormal.")
def pca_autoencoder(X, k):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U[:, :k] / s[:k]).T, U[:, :k] * s[:k]


@bottleneck.mistake("scaled_decoder", "The singular values belong to the data, not to the "
                    "decoder: it must reproduce the code as it is.")
def pca_autoencoder(X, k):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return U[:, :k].T, U[:, :k] * s[:k]


@bottleneck.mistake("in_place", "X belongs to the caller: work on a copy.")
def pca_autoencoder(X, k):
    found = reference.pca_autoencoder(X, k)
    X /= np.abs(X).max()
    return found


@bottleneck.variant("eigenvectors of the Gram matrix")
def pca_autoencoder(X, k):
    values, vectors = np.linalg.eigh(X @ X.T)
    top = vectors[:, np.argsort(values)[::-1][:k]]
    return top.T, top


@bottleneck.variant("turned round")
def pca_autoencoder(X, k):
    U = np.linalg.svd(X)[0][:, :k]
    turn = np.linalg.qr(np.arange(1, k * k + 1).reshape(k, k) + 3 * np.eye(k))[0]
    return turn @ U.T, U @ turn.T
