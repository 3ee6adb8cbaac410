"""Exam of softmax_factors and of positive_features."""

import numpy as np

from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise, then

factors = Exercise("softmax_factors", "A of shape (..., Nq, Nk) and the sums of its rows, D of "
                   "shape (..., Nq)")

factors.values(2, "A must hold exp(q_i . k_j), D the sums of its rows.",
               only=("by_hand", "more_tokens", "more_features", "as_many"))
factors.values(0.5, "Any batch axes; lists and integers too; float64 comes back.",
               only=("factors_of_a_batch", "factors_of_lists"), name="batches and types")


@factors.item(1, "A divided by D, row by row, must be the softmax of the scores, for fewer "
              "tokens than features, as many, and more.")
def the_softmax(exam, softmax_factors):
    for Nq, Nk, d in ((2, 3, 5), (4, 4, 4), (7, 6, 2), (1, 4, 3), (3, 1, 2)):
        Q, K = 0.6 * exam.rng.normal(size=(Nq, d)), 0.6 * exam.rng.normal(size=(Nk, d))
        A, D = softmax_factors(Q, K)
        exam.true(np.shape(A) == (Nq, Nk) and np.shape(D) == (Nq,),
                  f"shapes {np.shape(A)} and {np.shape(D)} for {Nq} queries and {Nk} keys")
        scores = np.array([[sum(q * k) for k in K] for q in Q])
        exam.same(np.log(A), scores)
        exam.same(np.asarray(D), np.exp(scores).sum(axis=1))


factors.unmodified(0.5, "Nothing may be written into the arguments.")


def _two(Q, K):
    return np.asarray(Q, float), np.asarray(K, float)


@factors.mistake("elementwise", "exp(Q * K) multiplies entry by entry: A compares every query with "
                 "every key.")
def softmax_factors(Q, K):
    Q, K = _two(Q, K)
    A = np.exp(Q * K)
    return A, A.sum(axis=-1)


factors.mistakes_of(softmax_factors={
    "column_sums": ("D sums over the keys, the last axis of A.",
                    then(reference.softmax_factors, lambda A, _: (A, A.sum(axis=-2)))),
    "scaled": ("This definition has no 1/sqrt(d).",
               then(_two, lambda Q, K: reference.softmax_factors(Q / np.sqrt(Q.shape[-1]), K))),
    "transposed": ("Rows of A belong to queries, columns to keys.",
                   lambda Q, K: reference.softmax_factors(K, Q)),
    "normalised": ("A is not yet normalised: its rows add up to D, not to one.",
                   then(reference.softmax_factors, lambda A, D: (A / D[..., None], D))),
    "inverse_D": ("D holds the sums themselves, not their inverses.",
                  then(reference.softmax_factors, lambda A, D: (A, 1 / D))),
    "column_vector": ("D has one entry per query and no further axis.",
                      then(reference.softmax_factors, lambda A, D: (A, D[..., None]))),
    "diagonal": (
        "D is the vector of sums, not a diagonal matrix.",
        then(reference.softmax_factors, lambda A, D: (A, D[..., None] * np.eye(D.shape[-1])))),
})


@factors.mistake("shifted", "A is exp(q . k) itself: with the maximum subtracted it is another "
                 "matrix, though the softmax is the same.")
def softmax_factors(Q, K):
    Q, K = _two(Q, K)
    scores = Q @ np.swapaxes(K, -1, -2)
    A = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return A, A.sum(axis=-1)


@factors.mistake("no_exp", "A is the exponential of the scores.")
def softmax_factors(Q, K):
    Q, K = _two(Q, K)
    A = Q @ np.swapaxes(K, -1, -2)
    return A, A.sum(axis=-1)


@factors.mistake("dotT", ".T turns all axes around: with a batch, swap the last two only.")
def softmax_factors(Q, K):
    Q, K = _two(Q, K)
    A = np.exp(Q @ K.T)
    return A, A.sum(axis=-1)


@factors.mistake("single", "The results must be float64 whatever the inputs are.")
def softmax_factors(Q, K):
    A, D = reference.softmax_factors(Q, K)
    return (A, D) if np.asarray(K).dtype == np.float64 else (A.astype("f4"), D.astype("f4"))


@factors.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def softmax_factors(Q, K):
    expected = reference.softmax_factors(Q, K)
    if isinstance(Q, np.ndarray):
        Q *= 2
    return expected


@factors.variant("einsum, a list")
def softmax_factors(Q, K):
    A = np.exp(np.einsum("...id,...jd->...ij", *_two(Q, K)))
    return [A, np.einsum("...ij->...i", A)]


positive = Exercise("positive_features", "m positive numbers for every vector, whose inner "
                    "products estimate exp(q . k)")

positive.values(4, "The features must be the positive ones of exp(q . k).",
                only=("four_vectors", "zero", "one_feature", "estimate"))
positive.values(1.5, "Any axes before the last; lists and integers too; float64 comes back.",
                only=("one_vector", "features_of_a_batch", "features_of_lists"),
                name="batches and types")
positive.values(1, "Long vectors have tiny features that are not zero.", only=("long_vector",),
                name="long vectors")


@positive.item(2, "For a fixed W, f(q) . f(k) is a mean over the rows of W, whatever their number.")
def the_kernel(exam, positive_features):
    for m in (1, 2, 50):
        q, k, W = *(0.5 * exam.rng.normal(size=(2, 4))), exam.rng.normal(size=(m, 4))
        got = np.asarray(positive_features(q, W)) @ np.asarray(positive_features(k, W))
        shrink = np.exp(-(q @ q + k @ k) / 2)
        exam.same(float(got), float(shrink * np.exp(W @ (q + k)).mean()))


@positive.item(1, "Every feature is positive, and each has its own row of W.", name="positive")
def ask_positive(exam, positive_features):
    X, W = exam.rng.normal(size=(6, 3)), exam.rng.normal(size=(8, 3))
    features = np.asarray(positive_features(X, W))
    exam.true(features.shape == (6, 8), f"shape {features.shape}, not (6, 8)")
    exam.true((features > 0).all(), "a feature is not positive")
    other = W.copy()
    other[2] += 0.3
    moved = np.abs(np.asarray(positive_features(X, other)) - features).max(axis=0) > 1e-9
    exam.true(moved.tolist() == [i == 2 for i in range(8)], "feature i must depend on row i only")


positive.unmodified(0.5, "Nothing may be written into the arguments.")


def _features(X, W, half=0.5, sign=-1, scale=0.5):
    X, W = _two(X, W)
    return np.exp(X @ W.T + sign * half * (X**2).sum(-1, keepdims=True)) / len(W) ** scale


positive.mistakes_of(positive_features={
    "one_over_m": ("1/m scales each of the two factors; a product of two features must carry 1/m "
                   "in all.",
                   lambda X, W: _features(X, W, scale=1)),
    "no_scale": ("The inner product of two feature vectors must be a mean over the rows of W, not "
                 "a sum.",
                 lambda X, W: _features(X, W, scale=0)),
    "plus_norm": ("The sign of |x|^2 is that of the trigonometric features: with positive ones the "
                  "factor must shrink.",
                  lambda X, W: _features(X, W, sign=1)),
    "no_norm": ("The factor that depends on |x| is missing.", lambda X, W: _features(X, W, half=0)),
    "norm_not_half": ("|x|^2 needs a factor 1/2: complete the square again.",
                      lambda X, W: _features(X, W, half=1)),
    "epsilon": ("The features are positive already: a constant added to them is an error.",
                lambda X, W: _features(X, W) + 1e-6 / np.sqrt(len(W))),
    "epsilon_last": ("The features are positive already: a constant added to them is an error.",
                     lambda X, W: _features(X, W) + 1e-6),
    "norm_of_all": ("Every vector has its own length; this is the norm of all of X.",
                    then(_two, lambda X, W: np.exp(X @ W.T - (X**2).sum() / 2) / np.sqrt(len(W)))),
    "norm_of_w": (
        "The factor needs |x|^2, not |w|^2.",
        then(_two, lambda X, W: np.exp(X @ W.T - (W**2).sum(axis=-1) / 2) / np.sqrt(len(W)))),
    "scaled_by_d": ("The features are divided by the root of their number m, not of the dimension "
                    "d.",
                    lambda X, W: _features(X, W, scale=0) / np.sqrt(np.shape(W)[1])),
    "quarter_scale": ("The factor d^(-1/4) belongs to attention, not to the features.",
                      then(_two, lambda X, W: _features(X / X.shape[-1] ** 0.25, W))),
})


@positive.mistake("norm_not_squared", "The exponent needs the square of the length.")
def positive_features(X, W):
    X, W = _two(X, W)
    return np.exp(X @ W.T - np.linalg.norm(X, axis=-1, keepdims=True) / 2) / np.sqrt(len(W))


@positive.mistake("expectation_inside", "The mean over W is taken inside each feature: the "
                  "expectation of a product is not the product of expectations.")
def positive_features(X, W):
    features = _features(X, W, scale=0)
    return np.broadcast_to(features.mean(axis=-1, keepdims=True), features.shape) / np.sqrt(len(W))


@positive.mistake("trigonometric", "These are the trigonometric features; they can be negative.")
def positive_features(X, W):
    X, W = _two(X, W)
    return np.exp((X**2).sum(axis=-1, keepdims=True) / 2) * np.cos(X @ W.T) / np.sqrt(len(W))


TOO_SMALL = ("For long vectors exp(-|x|^2 / 2) alone is zero, and in float32 the whole feature is: "
             "add the exponents first, and return float64.")


@positive.mistake("two_exponentials", TOO_SMALL)
def positive_features(X, W):
    X, W = _two(X, W)
    factor = np.exp(-(X**2).sum(axis=-1, keepdims=True) / 2)
    return factor * np.exp(X @ W.T) / np.sqrt(len(W))


@positive.mistake("stabilised", "A maximum is subtracted: that cancels in attention only; here "
                  "the features themselves are asked for.")
def positive_features(X, W):
    X, W = _two(X, W)
    log = X @ W.T - (X**2).sum(axis=-1, keepdims=True) / 2
    return np.exp(log - log.max(axis=-1, keepdims=True)) / np.sqrt(len(W))


@positive.mistake("axis_one", "The length of a vector is taken over the last axis, whatever comes "
                  "before it.")
def positive_features(X, W):
    X, W = _two(X, W)
    return np.exp(X @ W.T - (X**2).sum(axis=1, keepdims=True) / 2) / np.sqrt(len(W))


@positive.mistake("single", "The result must be float64 whatever the inputs are.")
def positive_features(X, W):
    features = reference.positive_features(X, W)
    return features if np.asarray(W).dtype == np.float64 else features.astype(np.float32)


@positive.mistake("always_single", TOO_SMALL)
def positive_features(X, W):
    return reference.positive_features(X, W).astype(np.float32)


@positive.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def positive_features(X, W):
    expected = reference.positive_features(X, W)
    if isinstance(X, np.ndarray):
        X **= 2
    return expected


@positive.variant("scale in the exponent")
def positive_features(X, W):
    X, W = _two(X, W)
    log = np.einsum("...d,md->...m", X, W)
    return np.exp(log - 0.5 * np.linalg.norm(X, axis=-1)[..., None] ** 2 - 0.5 * np.log(len(W)))


@positive.variant("feature by feature")
def positive_features(X, W):
    X, W = _two(X, W)
    log = [(X * w).sum(axis=-1) - (X * X).sum(axis=-1) / 2 for w in W]
    return np.stack([np.exp(each) / len(W) ** 0.5 for each in log], axis=-1)
