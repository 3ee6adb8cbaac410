"""Exam of sample_frequencies with rff_features, and of rff_variance."""

import numpy as np

from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise

frequencies = Exercise(
    "sample_frequencies",
    expects={
        "sample_frequencies": "n rows of D independent normal numbers, the wider sigma the smaller",
        "rff_features": "n sines, then n cosines, over sqrt(n)",
    },
)

frequencies.values(2, "The products of features must approach exp(-|q - k|^2 / (2 sigma^2)).",
                   only=("gaussian_kernel",), name="kernel")
frequencies.values(2, "Sines first, cosines after, over sqrt(n); so phi(x) . phi(x) = 1.",
                   only=("given_frequencies", "unit_length"), name="features")


@frequencies.item(2, "Every coordinate is normal with mean 0 and variance 1 / sigma^2, independent "
                  "of the others.")
def law_of_the_frequencies(exam, sample_frequencies, rff_features):
    D, n = 3, 6000
    for sigma in (2.0, 0.5):
        W = sample_frequencies(D, n, sigma, exam.rng)
        exam.true(tuple(W.shape) == (n, D), f"the shape is {tuple(W.shape)}, not (n, D)")
        x = np.asarray(W, dtype=float) * sigma  # standard normal if all is right
        # five standard errors: of a mean 1 / sqrt(n), of a product of two 1 / sqrt(n), of a
        # square sqrt(2 / n), of a fourth power sqrt(96 / (n D)), all for a standard normal
        exam.true(np.all(np.abs(x.mean(axis=0)) < 5 / np.sqrt(n)), "the mean is not 0")
        gap = np.abs(x.T @ x / n - np.eye(D))
        exam.true(np.all(np.diag(gap) < 5 * np.sqrt(2 / n)), "the variance is wrong")
        exam.true(np.all(gap < 5 * np.sqrt(2 / n)), "the coordinates are correlated")
        exam.true(abs(float((x**4).mean()) - 3) < 5 * np.sqrt(96 / (n * D)), "it is not normal")


@frequencies.item(0.5, "All draws come from rng: the same state, the same draws.", name="generator")
def ask_generator(exam, sample_frequencies, rff_features):
    seed = int(exam.rng.integers(2**31))
    first, again, other = (
        sample_frequencies(3, 5, 2.0, np.random.default_rng(s)) for s in (seed, seed, seed + 1)
    )
    exam.same(first, again, rtol=0, atol=0)
    exam.true(np.all(np.isfinite(first)), "not finite")
    exam.true(not np.array_equal(first, other), "another generator gives the same frequencies")


@frequencies.item(1.5, "phi(q + a) . phi(k + a) = phi(q) . phi(k) for every W; any batch.")
def shift_invariance(exam, sample_frequencies, rff_features):
    q, k, a = (exam.rng.normal(size=shape) for shape in ((2, 4, 3), (2, 4, 3), (3,)))
    W = exam.rng.normal(size=(6, 3))
    before = np.sum(rff_features(q, W) * rff_features(k, W), axis=-1)
    after = np.sum(rff_features(q + a, W) * rff_features(k + a, W), axis=-1)
    exam.same(after, before, **TIGHT)
    phi = rff_features(q, W)
    exam.true(tuple(phi.shape) == (2, 4, 12), f"the shape is {tuple(phi.shape)}, not (..., 2n)")
    exam.true(float(np.ptp(before)) > 1e-6, "the products do not depend on q - k")


@frequencies.item(1, "The error shrinks like 1 / sqrt(n).")
def convergence(exam, sample_frequencies, rff_features):
    gaps, origin = exam.rng.normal(size=(8, 4)), np.zeros(4)  # q - k, by shift invariance
    dist2 = np.sum(gaps**2, axis=-1)
    truth, rms = np.exp(-dist2 / 4), {}
    for n in (32, 512):
        generator = np.random.default_rng(int(exam.rng.integers(2**31)))
        # Forty draws at once, and so the features of all of them, scaled by 1 / sqrt(40 n).
        W = sample_frequencies(4, 40 * n, np.sqrt(2), generator)  # (40 n, 4)
        terms = 40 * (rff_features(gaps, W) * rff_features(origin, W)).reshape(8, 2, 40 * n)
        # Rows that depend on each other may be neighbours or far apart: a draw is made of either.
        near, far = terms.reshape(8, 2, 40, n).sum(axis=3), terms.reshape(8, 2, n, 40).sum(axis=2)
        for draws in (near, far):
            errors = draws.sum(axis=1) - truth[:, None]  # (8, 40)
            rms.setdefault(n, []).append(float(np.sqrt(np.mean(errors**2))))
    predicted = float(np.sqrt(np.mean(reference.rff_variance(dist2, 2.0, 512))))
    for few, many in zip(rms[32], rms[512], strict=True):
        ratio = few / max(many, 1e-300)
        exam.true(2.8 < ratio < 5.6, f"the error shrinks by a factor of {ratio:.2f}")
        exam.true(0.6 < many / predicted < 1.6, "the error is not that of 512 frequencies")


frequencies.mistakes_of(sample_frequencies={
    "freq_var_sigma2": ("A wide kernel needs low frequencies: divide by sigma. Multiplied, only "
                        "sigma = 1 is right.",
                        lambda D, n, sigma, rng: rng.normal(0, sigma, (n, D))),
    "freq_sigma4": ("1 / sigma^2 is the variance; the deviation is 1 / sigma.",
                    lambda D, n, sigma, rng: rng.normal(0, 1 / sigma**2, (n, D))),
    "freq_root": ("The standard deviation is 1 / sigma, not its root.",
                  lambda D, n, sigma, rng: rng.normal(0, 1 / np.sqrt(sigma), (n, D))),
    "transposed": ("One frequency per row: (n, D).",
                   lambda D, n, sigma, rng: rng.normal(0, 1 / sigma, (D, n))),
    "own_seed": ("Draw from the generator you are given, not from one of your own.",
                 lambda D, n, sigma, rng: np.random.default_rng(0).normal(0, 1 / sigma, (n, D))),
    "uniform_freq": (
        "The variance is right, but frequencies are normal.",
        lambda D, n, sigma, rng: rng.uniform(-np.sqrt(3) / sigma, np.sqrt(3) / sigma, (n, D))),
    "shared_coordinate": (
        "Draw every coordinate of a frequency on its own.",
        lambda D, n, sigma, rng: np.repeat(rng.normal(0, 1 / sigma, (n, 1)), D, axis=1)),
})
frequencies.mistakes_of(rff_features={
    "scale_sqrt2": ("sqrt(2 / n) belongs to cos(w x + b); here it is 1 / sqrt(n).",
                    lambda X, W: np.sqrt(2) * reference.rff_features(X, W)),
    "scale_2n": ("There are n pairs of features: the scale is 1 / sqrt(n).",
                 lambda X, W: reference.rff_features(X, W) / np.sqrt(2)),
    "scale_n": ("The product of two features is divided by n: each feature by its root, sqrt(n).",
                lambda X, W: reference.rff_features(X, W) / np.sqrt(len(W))),
    "no_scale": ("The scale 1 / sqrt(n) is missing.",
                 lambda X, W: reference.rff_features(X, W) * np.sqrt(len(W))),
    "cos_only": ("Cosines alone are not shift invariant: the sines are missing.",
                 lambda X, W: np.sqrt(2 / len(W)) * np.cos(X @ W.T)),
    "cos_first": (
        "The kernel is right; the sines come before the cosines.",
        lambda X, W: np.concatenate([np.cos(X @ W.T), np.sin(X @ W.T)], axis=-1) / np.sqrt(len(W))),
    "stacked_rows": (
        "Join sines and cosines along the last axis.",
        lambda X, W: np.concatenate([np.sin(X @ W.T), np.cos(X @ W.T)], axis=0) / np.sqrt(len(W))),
})


@frequencies.mistake("mirrored", "w and -w have the same cosine: draw all n on their own.")
def sample_frequencies(D, n, sigma, rng):
    half = rng.normal(0, 1 / sigma, (-(-n // 8), D))
    return np.concatenate([half, -half] * 4)[:n]


@frequencies.mistake("interleaved", "The kernel is right; all sines come before all cosines.")
def rff_features(X, W):
    angles = X @ W.T
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(*angles.shape[:-1], -1) / np.sqrt(len(W))


frequencies.variants_of(sample_frequencies={
    "drawn by columns": lambda D, n, sigma, rng: rng.standard_normal((D, n)).T / sigma,
    "multivariate normal":
        lambda D, n, sigma, rng: rng.multivariate_normal(np.zeros(D), np.eye(D) / sigma**2, size=n),
})


@frequencies.variant("einsum")
def rff_features(X, W):
    angles = np.einsum("...d,nd->...n", X, W)
    return np.concatenate((np.sin(angles), np.cos(angles)), axis=-1) * len(W) ** -0.5


variance = Exercise("rff_variance", "0 at distance 0, growing to 1 / (2n) for points far apart")

variance.values(2, "No variance at distance 0; 0.5 (1 - e^-2)^2 at distance 2.",
                only=("two_distances",), name="by hand")
variance.values(1, "An array of distances gives an array of variances.", only=("many_distances",))


@variance.item(1, "For n = 1 it is the variance of cos(w . (q - k)).")
def one_frequency(exam, rff_variance):
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)  # exact expectation over a normal
    weights = weights / weights.sum()
    for sigma2 in (0.5, 2.0):
        for dist2 in exam.rng.uniform(0.2, 2.0, 3):
            c = np.cos(nodes * np.sqrt(dist2 / sigma2))
            expected = float(weights @ c**2 - (weights @ c) ** 2)
            exam.same(rff_variance(float(dist2), sigma2, 1), expected, rtol=1e-8, atol=1e-10)


@variance.item(1, "Exactly 1 / n; far points reach the limit 1 / (2 n).")
def n_and_far_points(exam, rff_variance):
    dist2, sigma2, n = float(exam.rng.uniform(1, 3)), 1.5, int(exam.rng.integers(2, 40))
    once, more = rff_variance(dist2, sigma2, 1), rff_variance(dist2, sigma2, n)
    exam.true(once > 0, "the variance is not positive")
    exam.same(n * more, once, rtol=1e-12, atol=0)
    exam.same(rff_variance(1000.0, sigma2, n), 1 / (2 * n), **TIGHT)


variance.mistakes_of(rff_variance={
    "no_half": ("E[cos^2] brings a factor 1/2.",
                lambda dist2, sigma2, n: 2 * reference.rff_variance(dist2, sigma2, n)),
    "kappa": ("A power of kappa is off: E cos(2 w . d) is kappa^4.",
              lambda dist2, sigma2, n: (1 - np.exp(-dist2 / (2 * sigma2))) ** 2 / (2 * n)),
    "kappa4": ("kappa has the exponent dist2 / (2 sigma2): the 2 is missing.",
               lambda dist2, sigma2, n: (1 - np.exp(-2 * dist2 / sigma2)) ** 2 / (2 * n)),
    "sigma2_squared": ("sigma2 is the variance already: do not square it.",
                       lambda dist2, sigma2, n: reference.rff_variance(dist2, sigma2**2, n)),
    "dist_squared": ("dist2 is the squared distance already.",
                     lambda dist2, sigma2, n: reference.rff_variance(np.square(dist2), sigma2, n)),
    "kappa2_for_kappa4": ("Doubling the difference makes the exponent four times as large: "
                          "E cos(2 w . d) is kappa^4, not kappa^2.",
                          lambda dist2, sigma2, n: (1 - np.exp(-dist2 / sigma2)) / (2 * n)),
    "over_root_n": ("The variance of a mean of n terms goes with 1 / n; 1 / sqrt(n) is that of the "
                    "standard deviation.",
                    lambda dist2, sigma2, n: (
                        reference.rff_variance(dist2, sigma2, n) * np.sqrt(n))),
    "n2": ("The variance of a mean of n independent terms goes with 1 / n.",
           lambda dist2, sigma2, n: reference.rff_variance(dist2, sigma2, n) / n),
    "standard_deviation": (
        "This is the standard deviation: square it.",
        lambda dist2, sigma2, n: np.sqrt(reference.rff_variance(dist2, sigma2, n))),
    "two_features": ("n counts frequencies; sine and cosine of one are a single term.",
                     lambda dist2, sigma2, n: reference.rff_variance(dist2, sigma2, 2 * n)),
    "second_moment": ("This is the second moment: subtract the square of the mean, kappa^2.",
                      lambda dist2, sigma2, n: (1 + np.exp(-2 * dist2 / sigma2)) / (2 * n)),
    "bernoulli": ("E[cos^2] is (1 + kappa^4) / 2, not 1.",
                  lambda dist2, sigma2, n: (1 - np.exp(-dist2 / sigma2)) / n),
})


@variance.variant("from the moments of the cosine")
def rff_variance(dist2, sigma2, n):
    kappa = np.exp(-np.asarray(dist2) / (2 * sigma2))
    return ((1 + kappa**4) / 2 - kappa**2) / n
