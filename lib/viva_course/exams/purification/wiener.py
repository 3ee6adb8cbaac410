"""Exam of `wiener_purifier`: the factor for data that are noisy already."""

import numpy as np

from viva.cases.purification.common import orthogonal, with_singular_values
from viva.kits.purification.data import make_low_rank
from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

wiener = Exercise(
    "wiener_purifier",
    expects="U diag(share of signal in the power of each direction) U^T, no share below 0",
    survivors={
        "wiener_purifier: s = np.where(s > 1e-12 * s[0], s, 0) -> "
        "s = np.where(s >= 1e-12 * s[0], s, 0)": "equality means that s is 0 already",
        "wiener_purifier: s = np.where(s > 1e-12 * s[0], s, 0) -> "
        "s = np.where(s > 2e-12 * s[0], s, 0)":
            "any threshold between rounding error and the weakest direction is right",
    },
)


def factors_of(Y, noise_std):
    """(U, s, factors) as they are right for s > 0."""
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    return U, s, np.maximum(0, 1 - Y.shape[1] * noise_std**2 / np.maximum(s, 1e-300) ** 2)


wiener.values(3, "Every direction must pass with the share of signal in its power.")


@wiener.item(1.5, "A direction with less power than noise alone has the factor 0, the others one "
             "between 0 and 1; W is symmetric.")
def no_factor_below_zero(exam, wiener_purifier):
    for m, n in ((4, 9), (6, 20)):
        noise = float(exam.rng.uniform(0.5, 0.8))
        floor = np.sqrt(n) * noise
        sigmas = floor * np.concatenate([exam.rng.uniform(1.5, 4, m - 2), [0.9, 0.4]])
        W = np.asarray(wiener_purifier(with_singular_values(exam.rng, sigmas, m, n), noise), float)
        exam.true(W.shape == (m, m), "W must be m x m")
        exam.true(np.abs(W - W.T).max() < 1e-9, "W must be symmetric")
        expected = np.sort(np.maximum(0, 1 - (floor / sigmas) ** 2))
        exam.same(np.linalg.eigvalsh(W), expected, rtol=0, atol=1e-9)


@wiener.item(1, "noise_std = 0 gives the projector, data of zeros give 0, and a weak direction "
             "beside a strong one keeps its factor.")
def at_the_borders(exam, wiener_purifier):
    Q = orthogonal(exam.rng, 5, 2)
    Y = (Q * [3.0, 1e-3]) @ orthogonal(exam.rng, 8, 2).T
    exam.same(wiener_purifier(Y, 0.0), Q @ Q.T, rtol=0, atol=1e-8)
    exam.same(wiener_purifier(Y, 2e-4), reference.wiener_purifier(Y, 2e-4), rtol=0, atol=1e-8)
    exam.same(wiener_purifier(np.zeros((3, 4)), float(exam.rng.uniform(0.1, 1))), np.zeros((3, 3)))
    Y, S = make_low_rank(8, 300, 2, signal=1.5, noise=1.0, seed=int(exam.rng.integers(2**32)))
    error = np.mean((np.asarray(wiener_purifier(Y, 1.0), float) @ Y - S) ** 2)
    exam.true(error < 0.5, "noisy data of two directions must come nearer to the truth")


wiener.unmodified(0.5, "Y must stay as it was.")


def wrong(factor):
    """A solution whose factor is factor(s, n, m, noise_std), where s > 0."""

    def wiener_purifier(Y, noise_std):
        U, s, _ = np.linalg.svd(Y, full_matrices=False)
        s = np.where(s > 1e-12 * s[0], s, 0)
        safe = np.where(s > 0, s, 1.0)
        found = factor(safe, Y.shape[1], Y.shape[0], noise_std)
        return (U * np.where(s > 0, found, 0.0)) @ U.T

    return wiener_purifier


wiener.mistakes_of(wiener_purifier={
    "negative_factor": ("A direction with less power than the noise gets a negative factor: 0 is "
                        "the least.", wrong(lambda s, n, m, nu: 1 - n * nu**2 / s**2)),
    "absolute": ("A negative share is no share: set it to 0, do not take its absolute value.",
                 wrong(lambda s, n, m, nu: np.abs(1 - n * nu**2 / s**2))),
    "absolute_up_to_one": (
        "A negative share is no share: set it to 0, do not take its absolute value.",
        wrong(lambda s, n, m, nu: np.minimum(1, np.abs(1 - n * nu**2 / s**2)))),
    "ridge": ("This is the factor of exercise 4 at lam = n noise_std^2: there s^2 is the power of "
              "clean data, here it contains the noise.",
              wrong(lambda s, n, m, nu: s**2 / (s**2 + n * nu**2))),
    "no_n": ("Every sample carries noise: its power in a direction is n noise_std^2.",
             wrong(lambda s, n, m, nu: np.maximum(0, 1 - nu**2 / s**2))),
    "channels": ("The noise in a direction adds up over the n samples, not over the m channels.",
                 wrong(lambda s, n, m, nu: np.maximum(0, 1 - m * nu**2 / s**2))),
    "std": ("Powers are subtracted: square the standard deviation.",
            wrong(lambda s, n, m, nu: np.maximum(0, 1 - n * nu / s**2))),
    "sigma_not_squared": ("The power of a direction is s^2.",
                          wrong(lambda s, n, m, nu: np.maximum(0, 1 - n * nu**2 / s))),
    "amplitudes": ("Powers add up, amplitudes do not: subtract n noise_std^2 from s^2, not its "
                   "root from s.",
                   wrong(lambda s, n, m, nu: np.maximum(0, 1 - np.sqrt(n) * nu / s))),
    "amplitude_of_the_signal": ("The factor is the share of the power, not its square root.",
                                wrong(lambda s, n, m, nu: np.sqrt(
                                    np.maximum(0, 1 - n * nu**2 / s**2)))),
    "hard": ("This keeps a direction whole or not at all; its factor is the share of signal.",
             wrong(lambda s, n, m, nu: (s**2 > n * nu**2).astype(float))),
    "complement": ("This is the share of the noise; one minus it passes.",
                   wrong(lambda s, n, m, nu: np.minimum(1, n * nu**2 / s**2))),
    "squared": ("The factor is applied once, not squared.",
                wrong(lambda s, n, m, nu: np.maximum(0, 1 - n * nu**2 / s**2) ** 2)),
})


@wiener.mistake("filtered_data", "This is the purified Y; asked is the map W.")
def wiener_purifier(Y, noise_std):
    return reference.wiener_purifier(Y, noise_std) @ Y


@wiener.mistake("V", "Channels live in U; V belongs to the samples.")
def wiener_purifier(Y, noise_std):
    factors, Vt = factors_of(Y, noise_std)[2], np.linalg.svd(Y, full_matrices=False)[2]
    return (Vt.T * factors) @ Vt


@wiener.mistake("centred", "The model has no offset: do not subtract the mean.")
def wiener_purifier(Y, noise_std):
    return reference.wiener_purifier(Y - Y.mean(axis=1, keepdims=True), noise_std)


@wiener.mistake("rounding_passes", "Without noise a singular value of 1e-16 passes whole: set "
                "those below rounding error to zero first.")
def wiener_purifier(Y, noise_std):
    U, s, factors = factors_of(Y, noise_std)
    return (U * np.where(s > 0, factors, 0.0)) @ U.T


@wiener.mistake("silence_passes", "At noise_std = 0 rounding errors and silent directions pass "
                "whole: set singular values below 1e-12 of the largest to zero first.")
def wiener_purifier(Y, noise_std):
    U, s, factors = factors_of(Y, noise_std)
    return (U * (factors if noise_std else 1.0)) @ U.T


@wiener.mistake("nan_of_silence", "0/0 is NaN: a direction without power has the factor 0.")
def wiener_purifier(Y, noise_std):
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    s = np.where(s > 1e-12 * s[0], s, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (U * np.maximum(0, (s**2 - Y.shape[1] * noise_std**2) / s**2)) @ U.T


@wiener.mistake("in_place", "`Y -= ...` changes the caller's data.")
def wiener_purifier(Y, noise_std):
    W = reference.wiener_purifier(Y, noise_std)
    Y -= W @ Y
    return W


@wiener.variant("eigenvectors of the Gram matrix")
def wiener_purifier(Y, noise_std):
    power, U = np.linalg.eigh(Y @ Y.T)
    seen = power > 1e-13 * power.max()
    left = np.maximum(0, power - Y.shape[1] * noise_std**2)
    return (U[:, seen] * (left[seen] / power[seen])) @ U[:, seen].T


@wiener.variant("sum over directions")
def wiener_purifier(Y, noise_std):
    m, n = Y.shape
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    W = np.zeros((m, m))
    for i in range(len(s)):
        if s[i] > 1e-12 * s[0] and s[i] ** 2 > n * noise_std**2:
            W += (1 - n * noise_std**2 / s[i] ** 2) * np.outer(U[:, i], U[:, i])
    return W
