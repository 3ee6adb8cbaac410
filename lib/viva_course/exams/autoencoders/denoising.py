"""Exam of `corrupt` and `denoising_linear_ae`: clean targets for corrupted inputs."""

import numpy as np

from viva.cases.autoencoders import with_singular_values
from viva_course.reference import autoencoders as reference
from viva_course.rubric import Exercise

denoising = Exercise(
    "corrupt",
    expects={
        "corrupt": "a new array: X plus noise of standard deviation level, or X with each entry "
                   "set to 0 with probability level",
        "denoising_linear_ae": "the W of rank k that reconstructs the clean X best from X plus "
                               "noise",
    },
    survivors={
        "corrupt: return X * (rng.random(X.shape) >= level) -> "
        "return X * (rng.random(X.shape) > level)":
            "a draw equals the level with probability 1e-16",
        "corrupt: return X + level * rng.normal(size=X.shape) -> "
        "return X - level * rng.normal(size=X.shape)":
            "the noise is symmetric",
    },
)

denoising.values(1.5, "Gaussian noise of standard deviation level on every entry, drawn afresh "
                 "from rng.", name="noise", only=("gaussian_noise", "extremes"))
denoising.values(1.5, "Every entry is zeroed with probability level, the others stay as they are.",
                 name="mask", only=("masked", "count_varies"))
denoising.values(1, "An unknown kind raises ValueError.", name="unknown kind",
                 only=("unknown_kind", "extremes"))
denoising.values(4, "The gains of the k strongest directions weigh signal against noise.",
                 name="denoiser", only=("worked_denoiser", "denoiser", "no_noise"))


@denoising.item(1, "At any level: the noise has that standard deviation and the mask that share of "
                "zeros (5 standard errors).")
def other_levels(exam, corrupt, denoising_linear_ae):
    X = exam.rng.uniform(1, 2, (60, 400))
    for level in exam.rng.uniform(0.05, 0.95, 3):
        rng = np.random.default_rng(int(exam.rng.integers(2**32)))
        noise = np.asarray(corrupt(X, "gaussian", float(level), rng)) - X
        exam.true(abs(noise.std() / level - 1) < 5 / np.sqrt(2 * X.size),
                  "the noise has another standard deviation")
        zeros = np.mean(np.asarray(corrupt(X, "mask", float(level), rng)) == 0)
        exam.true(abs(zeros - level) < 5 * np.sqrt(level * (1 - level) / X.size),
                  "the mask has another share of zeros")


@denoising.item(2.5, "No other matrix of rank k has a smaller expected error, ||X - WX||^2 + n s^2 "
                "||W||^2.")
def best_of_its_rank(exam, corrupt, denoising_linear_ae):
    for m, n, k, std in ((5, 9, 2, 0.7), (6, 4, 1, 1.5), (4, 8, 3, 0.3)):
        X = with_singular_values(exam.rng, (5, 4, 3, 2)[: min(m, n)], m, n)

        def error(W, X=X, price=n * std**2):
            return np.sum((X - W @ X) ** 2) + price * np.sum(W**2)

        W = np.asarray(denoising_linear_ae(X, k, std), float)
        exam.true(int(np.linalg.matrix_rank(W, tol=1e-9)) == k, "W must have rank k")
        U, s, Vt = np.linalg.svd(W)
        left, right = U[:, :k] * s[:k], Vt[:k]
        rivals = [(left + 0.03 * exam.rng.normal(size=left.shape))
                  @ (right + 0.03 * exam.rng.normal(size=right.shape)) for _ in range(50)]
        rivals += [0.97 * W, 1.03 * W]
        exam.true(error(W) <= min(map(error, rivals)) + 1e-9,
                  "another matrix of rank k has a smaller expected error")


denoising.unmodified(0.5, "X must stay as it was.")


denoising.mistakes_of(corrupt={
    "variance_level": (
        "level is the standard deviation of the noise, not its variance.",
        lambda X, kind, level, rng: (
            reference.corrupt(X, kind, level**0.5 if kind == "gaussian" else level, rng))),
    "squared_level": (
        "level is the standard deviation: do not square it.",
        lambda X, kind, level, rng: (
            reference.corrupt(X, kind, level**2 if kind == "gaussian" else level, rng))),
    "mask_keep": ("level is the probability that an entry is lost, not that it stays.",
                  lambda X, kind, level, rng: (
                      reference.corrupt(X, kind, 1 - level if kind == "mask" else level, rng))),
    "frozen": (
        "The noise must come from the given generator, so that another seed gives another draw; "
        "here every call gives the same.",
        lambda X, kind, level, rng: reference.corrupt(X, kind, level, np.random.default_rng(0))),
    "own_generator": (
        "The noise must come from the given generator, so that a seed repeats it.",
        lambda X, kind, level, rng: reference.corrupt(X, kind, level, np.random.default_rng())),
    **{f"own_generator_{one}": (
        "The noise must come from the given generator, so that a seed repeats it.",
        lambda X, kind, level, rng, one=one: (
            reference.corrupt(X, kind, level, np.random.default_rng() if kind == one else rng)))
       for one in ("gaussian", "mask")},
    "else_mask": (
        "A kind that is neither of the two must raise ValueError; here it is accepted.",
        lambda X, kind, level, rng: (
            reference.corrupt(X, kind if kind == "gaussian" else "mask", level, rng))),
})
denoising.mistakes_of(denoising_linear_ae={
    "no_n": ("Each of the n samples has noise of its own: n times the variance stands against the "
             "power of a direction.",
             lambda X, k, noise_std: filtered(X, k, lambda s: s**2 / (s**2 + noise_std**2))),
    "std_not_squared": (
        "The variance of the noise counts, the square of its standard deviation.",
        lambda X, k, noise_std: filtered(X, k, lambda s: s**2 / (s**2 + X.shape[1] * noise_std))),
    "sigma_not_squared": (
        "The power of a direction is its singular value squared.",
        lambda X, k, noise_std: filtered(X, k, lambda s: s / (s + X.shape[1] * noise_std**2))),
    "channels": (
        "n is the number of samples, the columns of X.",
        lambda X, k, noise_std: filtered(X, k, lambda s: s**2 / (s**2 + len(X) * noise_std**2))),
    "full_rank": (
        "The bottleneck is missing: only the k strongest directions pass.",
        lambda X, k, noise_std: reference.denoising_linear_ae(X, min(X.shape), noise_std)),
    "projector": ("With noise, passing a direction whole is not the best: shrink it.",
                  lambda X, k, noise_std: filtered(X, k, np.ones_like)),
    "soft_threshold": (
        "This is the gain of weight decay on both factors; noise penalises the product W.",
        lambda X, k, noise_std: (
            filtered(X, k, lambda s: np.maximum(0, 1 - X.shape[1] * noise_std**2 / s**2)))),
})


@denoising.mistake("uniform", "The noise is Gaussian, not uniform.")
def corrupt(X, kind, level, rng):
    if kind != "gaussian":
        return reference.corrupt(X, kind, level, rng)
    return X + level * np.sqrt(3) * rng.uniform(-1, 1, X.shape)


@denoising.mistake("noise_only", "This is the noise alone; add it to X.")
def corrupt(X, kind, level, rng):
    found = reference.corrupt(X, kind, level, rng)
    return found - X if kind == "gaussian" else found


@denoising.mistake("noise_per_channel", "Every entry has noise of its own, not one value for a "
                   "whole row.")
def corrupt(X, kind, level, rng):
    if kind != "gaussian":
        return reference.corrupt(X, kind, level, rng)
    return X + level * rng.normal(size=(X.shape[0], *[1] * (X.ndim - 1)))


@denoising.mistake("mask_scaled", "The entries that stay are not scaled up: this is no dropout.")
def corrupt(X, kind, level, rng):
    if kind != "mask" or level == 1:
        return reference.corrupt(X, kind, level, rng)
    return X * (rng.random(X.shape) >= level) / (1 - level)


@denoising.mistake("mask_scaled_nan", "The entries that stay are not scaled up: this is no "
                   "dropout.")
def corrupt(X, kind, level, rng):
    if kind != "mask":
        return reference.corrupt(X, kind, level, rng)
    with np.errstate(invalid="ignore", divide="ignore"):
        return X * (rng.random(X.shape) >= level) / (1 - level)


@denoising.mistake("copied", "A kind that is neither of the two must raise ValueError; here it is "
                   "accepted.")
def corrupt(X, kind, level, rng):
    return reference.corrupt(X, kind, level, rng) if kind in ("gaussian", "mask") else X.copy()


@denoising.mistake("mask_columns", "Every entry is masked on its own; here whole samples vanish.")
def corrupt(X, kind, level, rng):
    if kind != "mask":
        return reference.corrupt(X, kind, level, rng)
    return X * (rng.random(X.shape[-1]) >= level)


@denoising.mistake("mask_rows", "Every entry is masked on its own; here whole channels vanish.")
def corrupt(X, kind, level, rng):
    if kind != "mask":
        return reference.corrupt(X, kind, level, rng)
    return X * (rng.random((X.shape[0], *[1] * (X.ndim - 1))) >= level)


@denoising.mistake("in_place", "X is the clean target, and is written into here. Return a new "
                   "array.")
def corrupt(X, kind, level, rng):
    X[...] = reference.corrupt(X, kind, level, rng)
    return X.copy()


def filtered(X, k, gain):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U[:, :k] * gain(s[:k])) @ U[:, :k].T


@denoising.mistake("weakest", "These are the weakest directions; keep the strongest.")
def denoising_linear_ae(X, k, noise_std):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = s[-k:] ** 2 / (s[-k:] ** 2 + X.shape[1] * noise_std**2)
    return (U[:, -k:] * gains) @ U[:, -k:].T


@denoising.mistake("encoder", "W maps channels to channels, (m, m); this is the encoder alone.")
def denoising_linear_ae(X, k, noise_std):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U[:, :k] * s[:k] ** 2 / (s[:k] ** 2 + X.shape[1] * noise_std**2)).T


@denoising.mistake("exact_share", "Every entry is masked on its own, so that the number of zeros "
                   "varies; here it is always the same.")
def corrupt(X, kind, level, rng):
    if kind != "mask":
        return reference.corrupt(X, kind, level, rng)
    out = X.ravel().copy()
    out[rng.permutation(X.size)[: round(level * X.size)]] = 0
    return out.reshape(X.shape)


@denoising.variant("np.where and rng.normal(loc, scale)")
def corrupt(X, kind, level, rng):
    if kind not in ("gaussian", "mask"):
        raise ValueError(kind)
    if kind == "mask":
        return np.where(rng.uniform(size=X.shape) < level, 0.0, X)
    return rng.normal(X, level)


@denoising.variant("binomial mask on a copy")
def corrupt(X, kind, level, rng):
    out = X.copy()
    if kind == "gaussian":
        out += rng.standard_normal(X.shape) * level
    elif kind == "mask":
        out[rng.binomial(1, level, X.shape) == 1] = 0
    else:
        raise ValueError("kind")
    return out


@denoising.variant("project, then ridge")
def denoising_linear_ae(X, k, noise_std):
    U = np.linalg.svd(X)[0][:, :k]
    Z = U.T @ X
    G = Z @ Z.T
    return U @ np.linalg.solve(G + X.shape[1] * noise_std**2 * np.eye(k), G).T @ U.T
