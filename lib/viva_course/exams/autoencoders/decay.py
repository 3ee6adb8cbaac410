"""Exam of `regularised_ae`: what weight decay adds to a linear autoencoder."""

import numpy as np

from viva.cases.autoencoders import with_singular_values
from viva.cases.autoencoders.decay import objective
from viva_course.reference import autoencoders as reference
from viva_course.rubric import Exercise

decay = Exercise("regularised_ae", "(W1, W2) that minimise ||X - W2 W1 X||^2 / n + lam ||W1||^2 + "
                 "lam ||W2||^2")

decay.values(4, "The gains of the kept directions, and the loss, are those of the minimum.",
             name="gains", only=("worked_gains",))
decay.values(3.5, "The reconstruction is that of the minimum.", name="product", only=("product",))
decay.values(2.5, "The minimum is balanced: both halves carry the same share of each gain.",
             name="balance", only=("each_half", "nearly_orthonormal"))
decay.values(2, "A direction that is not worth its price is dropped.", name="dropped directions",
             only=("not_worth_it",))


@decay.item(2, "Both gradients of the penalised loss vanish, also where directions are dropped.")
def stationary(exam, regularised_ae):
    for m, n, k, lam in ((4, 9, 2, 0.2), (7, 5, 3, 0.5), (5, 6, 3, 1.5), (3, 4, 1, 0.1)):
        X = with_singular_values(exam.rng, (5, 4, 2)[: min(m, n)], m, n)
        W1, W2 = (np.asarray(w, float) for w in regularised_ae(X, k, lam))
        dW1, dW2 = reference.ae_grads(W1, W2, X)
        exam.same([dW1 / n + 2 * lam * W1, dW2 / n + 2 * lam * W2],
                  [np.zeros((k, m)), np.zeros((m, k))], atol=1e-8)
        expected = objective(*reference.regularised_ae(X, k, lam), X, lam)
        exam.same(objective(W1, W2, X, lam), float(expected), rtol=1e-8)


@decay.item(1.5, "No weights nearby, no rescaled ones and no plain PCA have a smaller penalised "
            "loss.")
def nothing_is_better(exam, regularised_ae):
    for lam in (0.05, 0.4, 1.2):
        X = with_singular_values(exam.rng, (5, 4, 3, 2), 5, 8)
        W1, W2 = (np.asarray(w, float) for w in regularised_ae(X, 2, lam))
        best, rivals = objective(W1, W2, X, lam), [reference.pca_autoencoder(X, 2)]
        rivals += [(W1 + 0.05 * exam.rng.normal(size=W1.shape),
                    W2 + 0.05 * exam.rng.normal(size=W2.shape)) for _ in range(30)]
        rivals += [(scale * W1, W2 / scale) for scale in (0.8, 1.25)]
        rivals += [(scale * W1, scale * W2) for scale in (0.9, 1.1)]
        lowest = min(objective(*rival, X, lam) for rival in rivals)
        exam.true(best <= lowest + 1e-9, "other weights have a smaller penalised loss")


decay.unmodified(0.5, "X must stay as it was.")


def halves(X, k, gain):
    """A balanced pair whose product has these gains on the k strongest directions."""
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    W1 = np.sqrt(gain(s[:k]))[:, None] * U[:, :k].T
    return W1, W1.T.copy()


decay.mistakes_of(regularised_ae={
    "orthonormal": ("Weight decay does not only turn the weights, it shrinks them: they are "
                    "orthonormal only in the limit of no decay.",
                    lambda X, k, lam: reference.pca_autoencoder(X, k)),
    "no_n": ("The data term is a mean over the n samples: n belongs into the gain.",
             lambda X, k, lam: halves(X, k, lambda s: np.maximum(0, 1 - lam / s**2))),
    "divided_by_n": (
        "n stands on the wrong side: with more samples of the same kind the singular values grow, "
        "and the gain must not change.",
        lambda X, k, lam: halves(X, k, lambda s: np.maximum(0, 1 - lam / (X.shape[1] * s**2)))),
    "channels": ("The mean is over the n samples, the columns of X, not over its rows.",
                 lambda X, k, lam: halves(X, k, lambda s: np.maximum(0, 1 - lam * len(X) / s**2))),
    "ridge_gain": ("This is the gain of ridge regression, a penalty on the product W2 W1; here "
                   "each factor is penalised, and the gain is another function.",
                   lambda X, k, lam: halves(X, k, lambda s: s**2 / (s**2 + lam * X.shape[1]))),
    "double_price": (
        "Both penalties together cost 2 lam t, and the square brings a 2 as well: they cancel.",
        lambda X, k, lam: halves(X, k, lambda s: np.maximum(0, 1 - 2 * lam * X.shape[1] / s**2))),
    "half_price": (
        "There are two penalties, one for each factor: their price adds up.",
        lambda X, k, lam: halves(X, k, lambda s: np.maximum(0, 1 - lam * X.shape[1] / (2 * s**2)))),
    "sigma_not_squared": (
        "The power of a direction is its singular value squared.",
        lambda X, k, lam: halves(X, k, lambda s: np.maximum(0, 1 - lam * X.shape[1] / s))),
    "absolute_gain": (
        "A negative gain means that the direction is dropped: 0, and not its absolute value.",
        lambda X, k, lam: halves(X, k, lambda s: np.abs(1 - lam * X.shape[1] / s**2))),
    "centred": (
        "X is not centred: the autoencoder has no bias.",
        lambda X, k, lam: reference.regularised_ae(X - X.mean(axis=1, keepdims=True), k, lam)),
    "full_rank": ("The code has k channels only.",
                  lambda X, k, lam: reference.regularised_ae(X, min(X.shape), lam)),
})


@decay.mistake("no_clip", "Where the formula gives a negative gain the direction is dropped; a "
               "negative gain has no square root and no negative cost.")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = 1 - lam * X.shape[1] / s[:k] ** 2
    W1 = np.sqrt(np.abs(gains))[:, None] * U[:, :k].T
    return W1, (np.sign(gains)[:, None] * W1).T


@decay.mistake("nan", "The square root of a negative gain is NaN: such a direction is dropped, its "
               "gain is 0.")
def regularised_ae(X, k, lam):
    with np.errstate(invalid="ignore"):
        return halves(X, k, lambda s: 1 - lam * X.shape[1] / s**2)


@decay.mistake("gain_not_sqrt", "Each factor carries the whole gain here, so the product carries "
               "its square: share it equally.")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    W1 = np.maximum(0, 1 - lam * X.shape[1] / s[:k] ** 2)[:, None] * U[:, :k].T
    return W1, W1.T.copy()


@decay.mistake("encoder_only", "The gain stands in one factor alone; for the same product the "
               "penalty is smallest if encoder and decoder share it equally.")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = np.maximum(0, 1 - lam * X.shape[1] / s[:k] ** 2)
    return gains[:, None] * U[:, :k].T, U[:, :k].copy()


@decay.mistake("decoder_only", "The gain stands in one factor alone; for the same product the "
               "penalty is smallest if encoder and decoder share it equally.")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = np.maximum(0, 1 - lam * X.shape[1] / s[:k] ** 2)
    return U[:, :k].T.copy(), U[:, :k] * gains


@decay.mistake("rows_removed", "A dropped direction leaves a row of zeros: the code keeps its k "
               "channels.")
def regularised_ae(X, k, lam):
    W1, W2 = reference.regularised_ae(X, k, lam)
    alive = W1.any(axis=1)
    return W1[alive], W2[:, alive]


@decay.mistake("in_place", "X belongs to the caller: divide into a new array.")
def regularised_ae(X, k, lam):
    found = reference.regularised_ae(X, k, lam)
    X /= np.sqrt(X.shape[1])
    return found


@decay.variant("eigenvalues of the covariance")
def regularised_ae(X, k, lam):
    values, vectors = np.linalg.eigh(X @ X.T / X.shape[1])
    values, vectors = values[::-1][:k], vectors[:, ::-1][:, :k]
    gains = np.array([1 - lam / v if v > lam else 0.0 for v in values])
    W2 = vectors * np.sqrt(gains)
    return W2.T, W2


@decay.variant("turned round")
def regularised_ae(X, k, lam):
    W1, W2 = reference.regularised_ae(X, k, lam)
    turn = np.linalg.qr(np.arange(1, k * k + 1).reshape(k, k) + 3 * np.eye(k))[0]
    return turn @ W1, W2 @ turn.T
