"""Exam of `purification_losses` and `tie_lambda`."""

import numpy as np

from viva.cases.purification.common import TOY
from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

losses = Exercise("purification_losses", "(||X - WX||_F^2, lam ||W||_F^2, their sum)")

losses.values(2, "All three numbers must agree with the formula.")


@losses.item(1, "More samples than channels, or fewer; W = 0 loses all of X.")
def every_shape(exam, purification_losses):
    exam.same(purification_losses(np.zeros((2, 2)), TOY, 0.3), (18.5593, 0.0, 18.5593), 1e-9, 1e-12)
    for m, n in ((2, 5), (4, 3), (1, 4)):
        W, X = exam.rng.normal(size=(m, m)), exam.rng.normal(size=(m, n))
        lam = float(exam.rng.uniform(1.5, 3))
        recon = 0.0
        for i in range(m):
            for j in range(n):
                recon += (X[i, j] - sum(W[i, k] * X[k, j] for k in range(m))) ** 2
        reg = lam * sum(w**2 for w in W.ravel())
        exam.same(purification_losses(W, X, lam), (recon, reg, recon + reg))


@losses.item(0.5, "With a weak second channel, I and diag(1, 0) tie at lam = ||second channel||^2.")
def where_the_identity_stops_winning(exam, purification_losses):
    weak = exam.rng.uniform(0.01, 0.03, 4)
    for X in (TOY, np.stack([exam.rng.normal(size=4) * 2, weak])):
        tie = float((X[1] ** 2).sum())
        identity, first = np.eye(2), np.diag([1.0, 0.0])
        below, above = tie * exam.rng.uniform(0.3, 0.9), tie * exam.rng.uniform(1.1, 3)
        gap = [purification_losses(identity, X, lam)[2] - purification_losses(first, X, lam)[2]
               for lam in (below, tie, above)]
        exam.true(gap[0] < -1e-8, "below the tie the identity has the smaller total")
        exam.true(abs(gap[1]) < 1e-12, "at the tie both totals are equal")
        exam.true(gap[2] > 1e-8, "above the tie diag(1, 0) has the smaller total")


losses.unmodified(0.5, "W and X must stay as they were.")


@losses.mistake("mean_not_sum", "This is a mean; the squared Frobenius norm is the sum of squares.")
def purification_losses(W, X, lam):
    recon, reg = np.mean((X - W @ X) ** 2), lam * np.mean(W**2)
    return recon, reg, recon + reg


@losses.mistake("norm_not_squared", "The Frobenius norms must be squared.")
def purification_losses(W, X, lam):
    recon, reg = np.linalg.norm(X - W @ X), lam * np.linalg.norm(W)
    return recon, reg, recon + reg


@losses.mistake("penalty_not_squared", "The penalty is lam times the square of the norm of W.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2), lam * np.linalg.norm(W)
    return recon, reg, recon + reg


@losses.mistake("spectral", "np.linalg.norm(., 2) of a matrix is its largest singular value; "
                "the Frobenius norm adds the squares of all entries.")
def purification_losses(W, X, lam):
    recon, reg = np.linalg.norm(X - W @ X, 2) ** 2, lam * np.linalg.norm(W, 2) ** 2
    return recon, reg, recon + reg


@losses.mistake("spectral_penalty", "np.linalg.norm(W, 2) is the largest singular value; the "
                "Frobenius norm adds the squares of all entries.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2), lam * np.linalg.norm(W, 2) ** 2
    return recon, reg, recon + reg


@losses.mistake("XW", "W is applied from the left: sample x becomes Wx, not W^T x.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - (X.T @ W).T) ** 2), lam * np.sum(W**2)
    return recon, reg, recon + reg


@losses.mistake("half", "There is no factor 1/2 in this loss.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2) / 2, lam * np.sum(W**2) / 2
    return recon, reg, recon + reg


@losses.mistake("lam_squared", "The norm is squared, lam is not.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2), np.sum((lam * W) ** 2)
    return recon, reg, recon + reg


@losses.mistake("reg_without_lam", "The second number is the whole penalty, lam included.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2), np.sum(W**2)
    return recon, reg, recon + lam * reg


@losses.mistake("penalises_output", "The penalty is on W itself, not on WX.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2), lam * np.sum((W @ X) ** 2)
    return recon, reg, recon + reg


@losses.mistake("per_sample", "The error is summed over samples, not averaged over them.")
def purification_losses(W, X, lam):
    recon, reg = np.sum((X - W @ X) ** 2) / X.shape[1], lam * np.sum(W**2)
    return recon, reg, recon + reg


@losses.mistake("in_place", "`X -= ...` writes into the caller's data; make a new array.")
def purification_losses(W, X, lam):
    X -= W @ X
    recon, reg = np.sum(X**2), lam * np.sum(W**2)
    return recon, reg, recon + reg


@losses.variant("norms")
def purification_losses(W, X, lam):
    recon = np.linalg.norm(X - W @ X, "fro") ** 2
    reg = lam * np.linalg.norm(W) ** 2
    return float(recon), float(reg), float(recon + reg)


@losses.variant("traces")
def purification_losses(W, X, lam):
    R = (np.eye(len(W)) - W) @ X
    recon, reg = np.trace(R @ R.T), lam * np.trace(W.T @ W)
    return recon, reg, recon + reg


tie = Exercise("tie_lambda", "the lam at which the losses of A and B, two straight lines in lam, "
               "meet")

tie.values(1, "The two losses must be equal at your lam.")


@tie.item(0.5, "Lines that are parallel, or meet only at a negative lam: ValueError.")
def no_tie(exam, tie_lambda):
    X = exam.rng.normal(size=(2, 5)) + 1
    exam.true(abs(tie_lambda(np.eye(2), np.diag([1.0, 0.0]), X) - (X[1] ** 2).sum()) < 1e-9,
              "a pair that does tie is answered wrongly")
    first, second = np.diag([1.0, 0.0]), np.diag([0.0, 1.0])  # parallel, in either order
    exam.raises(ValueError, tie_lambda, first, second, X)
    exam.raises(ValueError, tie_lambda, second, first, X)
    for factor in (2, 1.05):  # losses meet at a lam far below 0, and just below
        exam.raises(ValueError, tie_lambda, np.eye(2), factor * np.eye(2), X)


@tie.item(0.5, "A and B may change places; the answer stays the same, 0 included.")
def roles(exam, tie_lambda):
    X = 2 * exam.rng.normal(size=(3, 5))
    A = np.eye(3) + exam.rng.uniform(-0.1, 0.1, (3, 3))
    lam, swapped = tie_lambda(A, 0.3 * A, X), tie_lambda(0.3 * A, A, X)
    totals = [reference.purification_losses(W, X, lam)[2] for W in (A, 0.3 * A)]
    exam.true(abs(totals[0] - totals[1]) < 1e-8, "the two losses do not tie at your lam")
    exam.same(swapped, float(lam), rtol=1e-9)
    pair, silent = (np.eye(2), np.diag([1.0, 0.0])), X[:2] * np.array([[1.0], [0.0]])
    exam.same([tie_lambda(*pair, silent), tie_lambda(*pair[::-1], silent)], [0.0, 0.0])


@tie.mistake("sign", "A negative answer: one of the two differences has the wrong sign.")
def tie_lambda(A, B, X):
    a, b = np.sum((X - A @ X) ** 2), np.sum((X - B @ X) ** 2)
    slope_a, slope_b = np.sum(A**2), np.sum(B**2)
    if slope_a == slope_b:
        raise ValueError
    return (a - b) / (slope_a - slope_b)


@tie.mistake("inverted", "The slopes belong in the denominator.")
def tie_lambda(A, B, X):
    a, b = np.sum((X - A @ X) ** 2), np.sum((X - B @ X) ** 2)
    slope_a, slope_b = np.sum(A**2), np.sum(B**2)
    if slope_a == slope_b or (slope_a - slope_b) / (b - a) < 0:
        raise ValueError
    return (slope_a - slope_b) / (b - a)


@tie.mistake("first_is_larger", "abs() hides which matrix is larger, and ties that do not exist.")
def tie_lambda(A, B, X):
    a, b = np.sum((X - A @ X) ** 2), np.sum((X - B @ X) ** 2)
    slope_a, slope_b = np.sum(A**2), np.sum(B**2)
    return abs(b - a) / abs(slope_a - slope_b) if slope_a != slope_b else np.inf


@tie.mistake("equal_maps_only", "Maps of equal norm have parallel lines, different maps as well: "
             "raise ValueError where the slopes are equal, before you divide.")
def tie_lambda(A, B, X):
    if np.array_equal(A, B):
        raise ValueError
    with np.errstate(divide="ignore", invalid="ignore"):
        lam = (np.sum((X - B @ X) ** 2) - np.sum((X - A @ X) ** 2)) / np.subtract(
            np.sum(A**2), np.sum(B**2))
    if lam < 0:
        raise ValueError
    return lam


@tie.mistake("only_when_A_is_larger", "B may be the larger matrix of the two.")
def tie_lambda(A, B, X):
    a, b = np.sum((X - A @ X) ** 2), np.sum((X - B @ X) ** 2)
    slope_a, slope_b = np.sum(A**2), np.sum(B**2)
    if slope_a <= slope_b or b < a:
        raise ValueError
    return (b - a) / (slope_a - slope_b)


@tie.mistake("negative_returned", "Lines that meet at a negative lam do not tie: raise ValueError "
             "there, and return no number.")
def tie_lambda(A, B, X):
    a, b = np.sum((X - A @ X) ** 2), np.sum((X - B @ X) ** 2)
    slope_a, slope_b = np.sum(A**2), np.sum(B**2)
    if slope_a == slope_b:
        raise ValueError
    return (b - a) / (slope_a - slope_b)


@tie.mistake("zero_refused", "A tie at lam = 0 is one: only a negative lam is refused.")
def tie_lambda(A, B, X):
    a, b = np.sum((X - A @ X) ** 2), np.sum((X - B @ X) ** 2)
    slope_a, slope_b = np.sum(A**2), np.sum(B**2)
    if slope_a == slope_b or (b - a) / (slope_a - slope_b) <= 0:
        raise ValueError
    return (b - a) / (slope_a - slope_b)


@tie.mistake("norms_not_squared", "The slope of a loss is the squared norm.")
def tie_lambda(A, B, X):
    a, b = np.linalg.norm(X - A @ X), np.linalg.norm(X - B @ X)
    slope_a, slope_b = np.linalg.norm(A), np.linalg.norm(B)
    if slope_a == slope_b or (b - a) / (slope_a - slope_b) < 0:
        raise ValueError
    return (b - a) / (slope_a - slope_b)


@tie.variant("from totals at two values of lam")
def tie_lambda(A, B, X):
    at_0 = np.sum((X - A @ X) ** 2) - np.sum((X - B @ X) ** 2)
    slope = np.linalg.norm(A) ** 2 - np.linalg.norm(B) ** 2
    if abs(slope) < 1e-12 or at_0 / slope > 0:
        raise ValueError("no tie")
    return float(-at_0 / slope)
