"""Exam of `noise_gain` and `ridgeless_risk`: why as many weights as data are the worst number."""

import math

import numpy as np

from viva.cases.linear_foundations import with_singular_values
from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

ridgeless = Exercise(
    "noise_gain",
    expects={
        "noise_gain": "the expected squared length of the ridge weights for targets that are pure "
                      "noise of variance 1",
        "ridgeless_risk": "the expected squared distance from w* of the shortest least-squares "
                          "solution; infinity where p is n - 1, n or n + 1",
    },
)

ridgeless.values(3, "Every direction passes its share of the noise on to the weights.",
                 name="the gain", only=("worked_gain", "gain_without_penalty", "gain_with_penalty",
                                        "gain_of_low_rank"))
ridgeless.values(3, "The risk is exact on both sides of p = n.", name="the risk",
                 only=("worked_risk", "fewer_weights", "more_weights", "as_many_weights"))


@ridgeless.item(2, "The gain is the squared length of the weights, added up over targets that are "
                "1 for one sample and 0 for all others.")
def one_target_at_a_time(exam, noise_gain, ridgeless_risk):
    for n, d, rank in ((7, 3, 3), (3, 8, 3), (5, 5, 5), (6, 4, 2), (1, 4, 1), (5, 1, 1)):
        sigmas = exam.rng.uniform(0.4, 2, rank)
        X = with_singular_values(exam.rng, sigmas, n, d)
        for lam in (0.0, float(exam.rng.uniform(0.1, 4))):
            columns = np.linalg.pinv(X, rcond=1e-9) if lam == 0 else (
                reference.ridge(X, np.eye(n), lam))
            exam.same(float(noise_gain(X, lam)), float(np.sum(columns**2)), rtol=1e-7)


@ridgeless.item(1.5, "The risk is the one that a thousand sets of Gaussian data show on average.")
def simulated(exam, noise_gain, ridgeless_risk):
    for n, p in ((40, 15), (15, 45)):
        signal, noise = (float(v) for v in exam.rng.uniform(0.5, 3, 2))
        truth = exam.rng.normal(size=p)
        truth *= np.sqrt(signal) / np.linalg.norm(truth)
        X = exam.rng.normal(size=(1000, n, p))
        small = X @ X.swapaxes(1, 2) if n < p else X.swapaxes(1, 2) @ X
        spread = np.sum(1 / np.linalg.eigvalsh(small), axis=1)  # (1000,): the noise averaged out
        seen = X @ truth  # (1000, n)
        kept = signal if n >= p else np.sum(
            seen * np.linalg.solve(small, seen[..., None])[..., 0], axis=1)
        risk = np.mean(signal - kept + noise * spread)  # its standard error is below 0.6%
        exam.same(float(ridgeless_risk(n, p, signal, noise)), float(risk), rtol=0.08)


ridgeless.unmodified(0.5, "X must stay as it was.")


def gain(X, of_sigma):
    """of_sigma added up over the singular values that are not zero."""
    sigmas = np.linalg.svd(X, compute_uv=False)
    return np.sum(of_sigma(sigmas[sigmas > 1e-6 * sigmas[0]]))


ridgeless.mistakes_of(noise_gain={
    "not_squared": ("The squared length is asked for: the factor of each direction is squared "
                    "before it is added.",
                    lambda X, lam: gain(X, lambda s: s / (s**2 + lam))),
    "root": ("This is the length; its square is asked for.",
             lambda X, lam: np.sqrt(reference.noise_gain(X, lam))),
    "penalty_ignored": ("This is the gain without a penalty: lam does not enter.",
                        lambda X, lam: reference.noise_gain(X, 0.0)),
    "trace_of_the_inverse": (
        "This is the trace of (X^T X + lam I)^-1. With a penalty a direction passes on "
        "sigma / (sigma^2 + lam) of the noise, and the square of that counts.",
        lambda X, lam: gain(X, lambda s: 1 / (s**2 + lam))),
    "of_the_predictions": (
        "This is the noise in the predictions X w; that in the weights is asked for.",
        lambda X, lam: gain(X, lambda s: (s**2 / (s**2 + lam)) ** 2)),
    "weakest_only": ("The weakest direction gives the largest part, but all directions add up.",
                     lambda X, lam: gain(X, lambda s: (s[-1:] / (s[-1:] ** 2 + lam)) ** 2)),
    "mean_of_directions": ("The directions add up: a sum, not a mean.",
                           lambda X, lam: (
                               gain(X, lambda s: (s / (s**2 + lam)) ** 2 / len(s)))),
    "divided_by_n": ("Every target has noise of variance 1: the sum is not divided by n.",
                     lambda X, lam: reference.noise_gain(X, lam) / len(X)),
    "penalty_squared": ("lam itself is added to the square of the singular value.",
                        lambda X, lam: gain(X, lambda s: (s / (s**2 + lam**2)) ** 2)),
    "shrinkage_of_the_signal": (
        "This is the fraction of least squares that ridge keeps; the weights of least squares "
        "hold the noise divided by the singular value.",
        lambda X, lam: gain(X, lambda s: s**2 / (s**2 + lam))),
})


@ridgeless.mistake("zeros_count", "Along a direction with singular value 0 the shortest solution "
                   "has no weight and no noise: leave it out.")
def noise_gain(X, lam):
    sigmas = np.linalg.svd(X, compute_uv=False)
    return np.sum((np.maximum(sigmas, 1e-8) / (np.maximum(sigmas, 1e-8) ** 2 + lam)) ** 2)


@ridgeless.mistake("in_place", "X belongs to the caller: scale a copy.")
def noise_gain(X, lam):
    found = reference.noise_gain(X, lam)
    X *= 2
    return found


def risk(n, p, below, above):
    """One formula on each side of p = n, infinity between them."""
    return math.inf if abs(n - p) <= 1 else below if p < n else above


def right(n, p, signal, noise):
    return reference.ridgeless_risk(n, p, signal, noise)


ridgeless.mistakes_of(ridgeless_risk={
    "nothing_lost": ("With more weights than samples the part of w* that is orthogonal to all rows "
                     "is lost, even without noise.",
                     lambda n, p, signal, noise: right(n, p, 0.0, noise)),
    "kept_for_lost": ("n/p of the signal is what the rows see; the rest is lost.",
                      lambda n, p, signal, noise: (
                          right(n, p, 0.0, noise) + (signal * n / p if n < p < math.inf else 0))),
    "lost_on_both_sides": (
        "With fewer weights than samples least squares has no bias: only noise remains.",
        lambda n, p, signal, noise: right(n, p, 0.0, noise) + signal * (1 - n / p)),
    "in_the_limit": ("This is the limit for large n and p; for these numbers the inverse of a "
                     "Gaussian Gram matrix has one less in the denominator.",
                     lambda n, p, signal, noise: risk(
                         n, p, noise * p / max(n - p, 1),
                         signal * (1 - n / p) + noise * n / max(p - n, 1))),
    "p_above_n": ("With more weights than samples there are only n directions that carry noise.",
                  lambda n, p, signal, noise: risk(
                      n, p, right(n, p, signal, noise),
                      signal * (1 - n / p) + noise * p / max(p - n - 1, 1))),
    "n_below": ("With fewer weights than samples only p directions carry noise, one for each "
                "weight.",
                lambda n, p, signal, noise: risk(
                    n, p, noise * n / max(n - p - 1, 1), right(n, p, signal, noise))),
    "new_noise_too": ("The noise of a new target is not part of the distance from w*.",
                      lambda n, p, signal, noise: right(n, p, signal, noise) + noise),
    "noise_squared": ("noise is a variance already: it is not squared.",
                      lambda n, p, signal, noise: right(n, p, signal, noise**2)),
    "signal_squared": ("signal is a squared length already: it is not squared again.",
                       lambda n, p, signal, noise: right(n, p, signal**2, noise)),
    "swapped": ("Samples and weights are exchanged: the rows are the n samples.",
                lambda n, p, signal, noise: right(p, n, signal, noise)),
    "finite_peak": ("Where p is n - 1, n or n + 1 the average is infinite, not what the formula "
                    "happens to give.",
                    lambda n, p, signal, noise: (
                        right(n, p, signal, noise) if abs(n - p) > 1 else
                        noise * min(n, p) / (abs(n - p) - 1 or 1e-12))),
    "only_at_n": ("p = n - 1 and p = n + 1 are infinite as well.",
                  lambda n, p, signal, noise: (
                      math.inf if n == p else
                      max(0.0, signal * (1 - n / p)) + noise * min(n, p) / max(abs(n - p) - 1, 1))),
})


@ridgeless.variant("norm of the matrix that makes the weights")
def noise_gain(X, lam):
    if lam == 0:
        return np.linalg.norm(np.linalg.pinv(X, rcond=1e-9)) ** 2
    n, p = X.shape
    return np.sum(np.linalg.solve(X.T @ X + lam * np.eye(p), X.T) ** 2)


@ridgeless.variant("eigenvalues of the smaller Gram matrix")
def noise_gain(X, lam):
    squares = np.linalg.eigvalsh(X @ X.T if len(X) < X.shape[1] else X.T @ X)
    squares = squares[squares > 1e-10 * squares.max()]
    return float(sum(square / (square + lam) ** 2 for square in squares))


@ridgeless.variant("case by case")
def ridgeless_risk(n, p, signal, noise):
    if p < n - 1:
        return noise * p / (n - p - 1)
    if p > n + 1:
        return signal - signal * n / p + noise * n / (p - n - 1)
    return np.inf
