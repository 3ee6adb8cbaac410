"""Exam of `purifier`: the closed form by an m x m solve."""

import numpy as np

from viva.cases.purification.common import orthogonal, with_singular_values
from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

minimiser = Exercise(
    "purifier", expects="W (m, m) that minimises ||X - WX||^2 + lam ||W||^2",
    forbidden={"np.linalg.inv": "one solve of the linear system, no inverse"},
)


def filters_something(exam, W, m):
    """W is (m, m), finite, and no multiple of the identity: what no constant answer is."""
    W = np.asarray(W)
    exam.true(W.shape == (m, m), f"W must have as many rows and columns as X has channels: {m}")
    exam.true(np.isfinite(W).all(), "W must be finite")
    uniform = np.trace(W) / m * np.eye(m)
    exam.true(np.abs(W - uniform).max() > 1e-3, "W must treat directions differently")
    return W


minimiser.values(5, "The gradient of the loss must vanish at W.")


@minimiser.item(2, "Any small change of W must raise the loss.")
def a_minimum(exam, purifier):
    for m, n in ((3, 6), (5, 2)):
        X, lam = 2 * exam.rng.normal(size=(m, n)), float(exam.rng.uniform(0.4, 2))
        W = np.asarray(purifier(X, lam), float)
        exam.true(W.shape == (m, m), "W must be m x m")
        at_W = reference.purification_losses(W, X, lam)[2]
        nearby = W + 1e-3 * exam.rng.normal(size=(200, m, m))
        around = reference.purification_losses(nearby, X, lam)[2]  # (200,)
        exam.true((around > at_W).all(), f"{(around <= at_W).sum()} of 200 neighbours are better")


@minimiser.item(1.5, "W is symmetric, its eigenvalues are in [0, 1), and its rank is that of X.")
def a_soft_projection(exam, purifier):
    for m, n in ((3, 8), (6, 2), (5, 4)):
        X = with_singular_values(exam.rng, np.linspace(3, 1, min(m, n)), m, n)
        W = filters_something(exam, purifier(X, float(exam.rng.uniform(0.5, 2))), m)
        exam.true(np.abs(W - W.T).max() < 1e-9, "W must be symmetric")
        values = np.linalg.eigvalsh(W)
        exam.true(values[0] > -1e-9 and values[-1] < 1 - 1e-6, "eigenvalues must be in [0, 1)")
        exam.true((values > 1e-6).sum() == min(m, n), "W must pass what X spans, and only that")


@minimiser.item(2, "lam = 0 gives the projector onto the column space, for any X; a negative lam "
                "is a ValueError.")
def no_penalty(exam, purifier):
    tall, wide = exam.rng.normal(size=(5, 2)), exam.rng.normal(size=(3, 7))
    wide[:, 2] = 0  # a sample may be zero
    deficient = with_singular_values(exam.rng, [3, 1], 4, 9)
    for X in (tall, wide, deficient):
        basis = np.linalg.svd(X, full_matrices=False)[0][:, : np.linalg.matrix_rank(X)]
        exam.same(purifier(X, 0), basis @ basis.T, rtol=0, atol=1e-8)
    basis = np.linalg.svd(tall, full_matrices=False)[0]
    exam.same(purifier(1e-7 * tall, 0), basis @ basis.T, rtol=0, atol=1e-8)
    exam.raises(ValueError, purifier, wide, -float(exam.rng.uniform(1e-6, 1)))
    # A direction 1e8 times weaker is one: in X X^T it would be 1e16 times weaker, below rounding.
    weak = with_singular_values(exam.rng, [1, 1e-8], 4, 6)
    basis = np.linalg.svd(weak, full_matrices=False)[0][:, :2]
    exam.same(purifier(weak, 0), basis @ basis.T, rtol=0, atol=1e-5)


@minimiser.item(1.5, "Rotated channels rotate W, rotated or permuted samples do not change it, and "
                "scaling X by c is scaling lam by 1/c^2.")
def symmetries(exam, purifier):
    m, n = 4, 6
    X = with_singular_values(exam.rng, [3, 2, 1, 0.5], m, n) + 0.3
    lam, c = float(exam.rng.uniform(0.5, 2)), float(exam.rng.uniform(1.5, 3))
    W = filters_something(exam, purifier(X, lam), m)
    Q, R = orthogonal(exam.rng, m, m), orthogonal(exam.rng, n, n)
    exam.same(purifier(Q @ X, lam), Q @ W @ Q.T, rtol=0, atol=1e-9)
    exam.same(purifier(X @ R, lam), W, rtol=0, atol=1e-9)
    exam.same(purifier(X[:, exam.rng.permutation(n)], lam), W, rtol=0, atol=1e-9)
    exam.same(purifier(c * X, c**2 * lam), W, rtol=0, atol=1e-9)


@minimiser.item(1, "Only m x m systems: no n x n array, however many samples.")
def many_samples(exam, purifier):
    # an n x n array takes 288 MB, X itself 0.2
    X = exam.rng.normal(size=(4, 6000)) * np.array([[0.02], [0.04], [0.06], [0.08]])
    exam.same(exam.within(40, purifier, X, 1.3), reference.purifier(X, 1.3), rtol=1e-8, atol=1e-9)


@minimiser.item(0.5, "Lists, integers and float32 are computed in float64.")
def any_numbers(exam, purifier):
    X = exam.rng.normal(size=(3, 5)).astype(np.float32)
    exam.same(purifier(X, 0.7), reference.purifier(X, 0.7), rtol=1e-9, atol=1e-10)
    X = exam.rng.integers(-3, 4, (2, 4)) + np.eye(2, 4, dtype=int) * 5
    exam.same(purifier(X.tolist(), 2), reference.purifier(X, 2), rtol=1e-9, atol=1e-10)


minimiser.unmodified(0.5, "X must stay as it was.")


@minimiser.mistake("n_by_n_gram", "Right numbers, but X^T X has a row and a column per sample: use "
                   "the m x m form.", hidden_only="memory shows with thousands of samples only")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    return X @ np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T)


@minimiser.mistake("no_gram_left", "This is (XX^T + lam I)^-1 alone; the factor XX^T is missing.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    return np.linalg.solve(X @ X.T + lam * np.eye(len(X)), np.eye(len(X)))


def _solved(X, lam, one):
    """The map in the precision of X and of the identity `one`."""
    return np.linalg.solve(X @ X.T + lam * one, X @ X.T) if lam > 0 else reference.purifier(X, lam)


minimiser.mistakes_of(purifier={
    "lam_n": ("lam times n belongs to the mean of the squared errors; here it is their sum.",
              lambda X, lam: reference.purifier(X, lam * np.shape(X)[1])),
    "lam_over_n": ("XX^T is a sum over samples; do not divide it, or lam, by n.",
                   lambda X, lam: reference.purifier(X, lam / np.shape(X)[1])),
    "lam_half": ("Both terms of the gradient carry a factor 2: it cancels, and lam stays whole.",
                 lambda X, lam: reference.purifier(X, lam / 2)),
    "penalty_squared": ("lam enters once: sigma^2 + lam, not sigma^2 + lam^2.",
                        lambda X, lam: reference.purifier(X, lam**2 if lam > 0 else lam)),
    "float32_kept": ("Convert the input to float64 before computing.",
                     lambda X, lam: _solved(X, lam, np.eye(len(X)))),
    "float32_stays": ("Convert the input to float64 before computing.",
                      lambda X, lam: _solved(
                          np.asarray(X), lam, np.eye(len(X), dtype=np.asarray(X).dtype))),
    "negative_as_it_is": ("A negative lam has no minimum: raise ValueError.",
                          lambda X, lam: reference.purifier(X, max(lam, 0))),
})


@minimiser.mistake("first_power", "The factor is sigma^2/(sigma^2 + lam): square the singular "
                   "values.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    U, s, _ = np.linalg.svd(np.asarray(X, float), full_matrices=False)
    return (U * (s / (s + lam))) @ U.T


@minimiser.mistake("pca_projection", "A projector passes every direction whole; the penalty "
                   "shrinks each of them.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    return X @ np.linalg.pinv(X)


@minimiser.mistake("centers_data", "The model has no offset: do not subtract the mean.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    X = X - X.mean(axis=1, keepdims=True)
    gram = X @ X.T
    return np.linalg.lstsq(gram + lam * np.eye(len(X)), gram, rcond=1e-10)[0]


@minimiser.mistake("gram_XtX", "Channels are rows: the Gram matrix of the channels is XX^T, m x m.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    gram = X.T @ X
    return np.linalg.lstsq(gram + lam * np.eye(len(gram)), gram, rcond=1e-10)[0]


@minimiser.mistake("one_over", "Every direction has its own factor; 1/(1 + lam) is right only "
                   "where sigma = 1.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    return np.eye(len(X)) / (1 + lam)


@minimiser.mistake("accepts_negative", "A negative lam has no minimum: raise ValueError.")
def purifier(X, lam):
    X = np.asarray(X, float)
    gram = X @ X.T
    return np.linalg.lstsq(gram + lam * np.eye(len(X)), gram, rcond=1e-10)[0]


@minimiser.mistake("singular_at_zero", "At lam = 0 the system is singular unless X has full row "
                   "rank: use the projector X X^+.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    gram = X @ X.T
    return np.linalg.solve(gram + lam * np.eye(len(X)), gram)


@minimiser.mistake("gram_pinv", "X X^T squares the singular values, so that weak directions fall "
                   "below its rounding errors: take the pseudo-inverse of X itself.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    gram = X @ X.T
    if lam == 0:
        return gram @ np.linalg.pinv(gram, hermitian=True)
    return np.linalg.solve(gram + lam * np.eye(len(X)), gram)


@minimiser.mistake("identity_at_zero", "At lam = 0 the identity is right only for X of full row "
                   "rank; otherwise it is the projector onto what X spans.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    gram = X @ X.T
    identity = np.eye(len(X))
    return identity if lam == 0 else np.linalg.solve(gram + lam * identity, gram)


@minimiser.mistake("small_ridge_for_zero", "A small penalty is not lam = 0: it removes weak "
                   "directions and small data. Take the pseudo-inverse of X there.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    gram = X @ X.T
    return np.linalg.solve(gram + max(lam, 1e-10) * np.eye(len(X)), gram)


@minimiser.mistake("complement", "This is what purification removes, I - W.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    X = np.asarray(X, float)
    gram = X @ X.T
    return np.eye(len(X)) - np.linalg.lstsq(gram + lam * np.eye(len(X)), gram, rcond=1e-10)[0]


@minimiser.mistake("scales_in_place", "`X /= ...` writes into the caller's data.")
def purifier(X, lam):
    if lam < 0:
        raise ValueError("lam must not be negative")
    if lam == 0:
        return X @ np.linalg.pinv(X)
    X = np.asarray(X, float)
    X /= np.sqrt(lam)
    return np.linalg.solve(X @ X.T + np.eye(len(X)), X @ X.T)


@minimiser.variant("factors in the other order")
def purifier(X, lam):
    X = np.asarray(X, dtype=float)
    if lam < 0:
        raise ValueError("lam < 0")
    if lam == 0:
        return X @ np.linalg.pinv(X)
    gram = X @ X.T
    return np.linalg.solve((gram + lam * np.eye(len(X))).T, gram.T).T


@minimiser.variant("least squares on augmented data")
def purifier(X, lam):
    X = np.array(X, dtype=float)
    if lam < 0:
        raise ValueError("lam < 0")
    m, n = X.shape
    augmented = np.vstack([X.T, np.sqrt(lam) * np.eye(m)])
    target = np.vstack([X.T, np.zeros((m, m))])
    return np.linalg.lstsq(augmented, target, rcond=1e-12)[0].T


@minimiser.variant("singular value decomposition")
def purifier(X, lam):
    if not lam >= 0:
        raise ValueError("lam < 0")
    U, s, _ = np.linalg.svd(np.array(X, dtype=np.float64), full_matrices=False)
    U, s = U[:, s > 1e-12 * s[0]], s[s > 1e-12 * s[0]]
    return U @ np.diag(s**2 / (s**2 + lam)) @ U.T


@minimiser.variant("row by row")
def purifier(X, lam):
    X = np.asarray(X, dtype=float)
    if lam < 0:
        raise ValueError("lam < 0")
    if lam == 0:
        Q = np.linalg.svd(X)[0][:, : np.linalg.matrix_rank(X)]
        return Q @ Q.T
    A = X @ X.T + lam * np.eye(len(X))
    return np.array([np.linalg.solve(A, X @ row) for row in X])
