"""Exam of `ae_loss` and `ae_grads`: what a linear autoencoder minimises."""

import numpy as np

from viva.cases.autoencoders.losses import autoencoder
from viva_course.reference import autoencoders as reference
from viva_course.rubric import Exercise, then

losses = Exercise(
    "ae_loss",
    expects={
        "ae_loss": "the sum of all squared reconstruction errors, ||X - W2 W1 X||^2",
        "ae_grads": "(dW1, dW2): the derivative of the loss by each entry of W1 and of W2",
    },
)

losses.values(4, "The loss is the sum of the squares of X - W2 W1 X.", name="loss",
              only=("by_hand", "nothing_passes", "everything_passes", "any_weights"))
losses.values(5, "The gradients are those of the loss, encoder first.", name="gradients",
              only=("worked_gradients", "any_gradients", "few_samples"))


@losses.item(2.5, "Both gradients agree with differences of the loss, in every entry and for every "
             "shape.")
def central_differences(exam, ae_loss, ae_grads):
    for k, m, n in ((2, 4, 6), (1, 3, 5), (3, 4, 2)):
        weights = autoencoder(exam.rng, k, m, n)
        X, h = weights[2], 1e-5
        found = tuple(ae_grads(*weights))
        exam.true(len(found) == 2, "two gradients, of W1 and of W2")
        for which in range(2):
            numeric = np.zeros(weights[which].shape)
            for place in np.ndindex(numeric.shape):
                moved = [[w.copy() for w in weights[:2]] for _ in range(2)]
                moved[0][which][place] += h
                moved[1][which][place] -= h
                up, down = (np.sum((X - W2 @ W1 @ X) ** 2) for W1, W2 in moved)
                numeric[place] = (up - down) / (2 * h)
            exam.same(np.asarray(found[which], float), numeric, rtol=1e-5, atol=1e-5)


@losses.item(2, "(C W1, W2 C^-1) reconstructs as (W1, W2) does: the loss is the same, and the "
             "gradients change as the chain rule says.")
def no_weights_of_its_own(exam, ae_loss, ae_grads):
    W1, W2, X = autoencoder(exam.rng, 2, 4, 5)
    C = exam.rng.normal(size=(2, 2)) + 2 * np.eye(2)
    inverse = np.linalg.inv(C)
    expected = float(np.sum((X - W2 @ W1 @ X) ** 2))
    exam.same(ae_loss(C @ W1, W2 @ inverse, X), expected, rtol=1e-7)
    dW1, dW2 = reference.ae_grads(W1, W2, X)
    found = [np.asarray(g, float) for g in ae_grads(C @ W1, W2 @ inverse, X)]
    exam.same(found, [inverse.T @ dW1, dW2 @ C.T], rtol=1e-6, atol=1e-7)


losses.unmodified(0.5, "W1, W2 and X must stay as they were.")


losses.mistakes_of(ae_loss={
    "mean": ("The loss sums the squares; this is their mean.",
             lambda W1, W2, X: np.mean((X - W2 @ W1 @ X) ** 2)),
    "per_sample": ("The loss sums over the samples; it does not divide by their number.",
                   lambda W1, W2, X: np.sum((X - W2 @ W1 @ X) ** 2) / X.shape[1]),
    "norm": ("The loss is the squared Frobenius norm, not the norm.",
             lambda W1, W2, X: np.linalg.norm(X - W2 @ W1 @ X)),
    "spectral": ("np.linalg.norm(A, 2) is the largest singular value of a matrix, not the "
                 "Frobenius norm.",
                 lambda W1, W2, X: np.linalg.norm(X - W2 @ W1 @ X, 2) ** 2),
    "centred": ("Nothing is centred: the autoencoder has no bias and must reproduce the mean too.",
                lambda W1, W2, X: reference.ae_loss(W1, W2, X - X.mean(axis=1, keepdims=True))),
    "half": ("The loss has no factor 1/2.", lambda W1, W2, X: np.sum((X - W2 @ W1 @ X) ** 2) / 2),
})
losses.mistakes_of(ae_grads={
    "swapped_return": ("The gradient by W1 comes first, with the shape of W1.",
                       lambda W1, W2, X: reference.ae_grads(W1, W2, X)[::-1]),
    "no_2": ("The derivative of a square brings down a factor 2.",
             lambda W1, W2, X: tuple(g / 2 for g in reference.ae_grads(W1, W2, X))),
    "sign": ("The sign is reversed: this is the direction of descent; the gradient points uphill.",
             lambda W1, W2, X: tuple(-g for g in reference.ae_grads(W1, W2, X))),
    "centred_gradient": (
        "Nothing is centred: the autoencoder has no bias and must reproduce the mean too.",
        lambda W1, W2, X: reference.ae_grads(W1, W2, X - X.mean(axis=1, keepdims=True))),
    "transpose_missing": ("A gradient has the shape of its weights: this one of the decoder is "
                          "transposed.",
                          then(reference.ae_grads, lambda dW1, dW2: (dW1, dW2.T))),
    "per_sample_gradient": (
        "The loss sums over the samples: its gradient is not divided by their number.",
        lambda W1, W2, X: tuple(g / X.shape[1] for g in reference.ae_grads(W1, W2, X))),
    "tied": ("W1 and W2 are independent weights: the gradient of one does not hold that of the "
             "other.",
             then(reference.ae_grads, lambda dW1, dW2: (dW1 + dW2.T, dW2 + dW1.T))),
})


@losses.mistake("extra_gram", "In the trace, XX^T stands once in each term; here it stands twice "
                "in the first.")
def ae_loss(W1, W2, X):
    G, P = X @ X.T, W2 @ W1
    return np.trace(P @ G @ G @ P.T - 2 * P @ G + G)


@losses.mistake("cross_term_once", "The cross term of the square comes twice.")
def ae_loss(W1, W2, X):
    G, P = X @ X.T, W2 @ W1
    return np.trace(P @ G @ P.T - P @ G + G)


@losses.mistake("code_forgotten", "The decoder's input is the code W1 X, not the data: its "
                "gradient ends with the transposed code.")
def ae_grads(W1, W2, X):
    R = 2 * (W2 @ W1 @ X - X)
    return W2.T @ R @ X.T, R @ (W2.T @ X).T


@losses.mistake("decoder_forgotten", "The error comes back to the encoder through the decoder: "
                "with W2 transposed, not with W1.")
def ae_grads(W1, W2, X):
    R = 2 * (W2 @ W1 @ X - X)
    return W1 @ R @ X.T, R @ (W1 @ X).T


@losses.mistake("identity_forgotten", "The error is the reconstruction minus the data; here the "
                "data are missing.")
def ae_grads(W1, W2, X):
    R = 2 * W2 @ W1 @ X
    return W2.T @ R @ X.T, R @ (W1 @ X).T


@losses.mistake("in_place", "X belongs to the caller: subtract into a new array.")
def ae_grads(W1, W2, X):
    found = reference.ae_grads(W1, W2, X)
    X -= W2 @ W1 @ X
    return found


@losses.variant("the trace")
def ae_loss(W1, W2, X):
    P, G = W2 @ W1, X @ X.T
    return float(np.trace(P @ G @ P.T - 2 * P @ G + G))


@losses.variant("the residual matrix")
def ae_grads(W1, W2, X):
    E, G = W2 @ W1 - np.eye(X.shape[0]), X @ X.T
    return [2 * W2.T @ E @ G, 2 * E @ G @ W1.T]


@losses.variant("sample by sample")
def ae_grads(W1, W2, X):
    dW1, dW2 = np.zeros(W1.shape), np.zeros(W2.shape)
    for x in X.T:
        error = 2 * (W2 @ (W1 @ x) - x)
        dW2 += np.outer(error, W1 @ x)
        dW1 += np.outer(W2.T @ error, x)
    return dW1, dW2
