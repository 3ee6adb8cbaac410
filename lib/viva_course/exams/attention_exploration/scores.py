"""Exams of `dot_moments` and of `score_scale` with `saturation`."""

import numpy as np

from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise, then

moments = Exercise(
    "dot_moments", expects="two numbers: mean and variance of q . k over random q and k",
    survivors={
        "dot_moments: return (float(mu_q @ mu_k), float(noise_times_noise + noise_times_mean)) -> "
        "return (float(mu_k @ mu_q), float(noise_times_noise + noise_times_mean))":
            "the product of two vectors has no order",
    },
)

moments.values(1.5, "Standard normal q and k, and all means one.", only=("standard", "ones"),
               name="simple laws")
moments.values(1.5, "The spread of q and of k, without means.", only=("wider",), name="spread")
moments.values(2.5, "Any means and any spread.", only=("one_mean", "all_different"), name="any law")


@moments.item(1, "A hundred thousand draws agree (5 standard errors).")
def as_measured(exam, dot_moments):
    d, draws = 3, 100_000
    mu_q, mu_k = exam.rng.normal(size=d), exam.rng.normal(size=d)
    sigma_q, sigma_k = (float(s) for s in exam.rng.uniform(0.4, 1.6, 2))
    q = mu_q + sigma_q * exam.rng.normal(size=(draws, d))
    scores = np.sum(q * (mu_k + sigma_k * exam.rng.normal(size=(draws, d))), axis=1)
    mean, variance = dot_moments(mu_q, sigma_q, mu_k, sigma_k)
    centred = (scores - scores.mean()) ** 2
    exam.true(abs(mean - scores.mean()) < 5 * scores.std() / np.sqrt(draws),
              f"the mean is {scores.mean():.3f}, you returned {float(mean):.3f}")
    exam.true(abs(variance - centred.mean()) < 5 * centred.std() / np.sqrt(draws),
              f"the variance is {centred.mean():.3f}, you returned {float(variance):.3f}")


@moments.item(1, "Exchanging q and k changes nothing.")
def q_and_k_alike(exam, dot_moments):
    mu_q, mu_k = exam.rng.normal(size=6), exam.rng.normal(size=6)
    expected = reference.dot_moments(mu_q, 0.5, mu_k, 2.0)
    exam.same(dot_moments(mu_q, 0.5, mu_k, 2.0), expected)
    exam.same(dot_moments(mu_k, 2.0, mu_q, 0.5), expected)


moments.unmodified(0.5, "The means must stay as they were.")


def _law(mu_q, mu_k):
    return float(np.dot(mu_q, mu_k)), np.dot(mu_q, mu_q), np.dot(mu_k, mu_k), len(mu_q)


@moments.mistake("d_sigma2", "The noise of q meets the noise of k: both variances are multiplied.")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    mean, qq, kk, d = _law(mu_q, mu_k)
    return mean, d * sigma_q * sigma_k + sigma_q**2 * kk + sigma_k**2 * qq


@moments.mistake("no_mean_terms", "The noise of one vector is also multiplied by the mean of the "
                 "other.")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    mean, _, _, d = _law(mu_q, mu_k)
    return mean, d * sigma_q**2 * sigma_k**2


@moments.mistake("second_moment_diag", "The square of a sum has cross terms: E[(sum)^2] is more "
                 "than the sum of the E[squares].")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    mean = float(np.dot(mu_q, mu_k))
    return mean, np.sum((mu_q**2 + sigma_q**2) * (mu_k**2 + sigma_k**2)) - mean**2


moments.mistakes_of(dot_moments={
    "sum_mu": (
        "The mean of a product of independent numbers is the product of the means, coordinate by "
        "coordinate.",
        lambda mu_q, sigma_q, mu_k, sigma_k: (
            (float(np.sum(mu_q)), reference.dot_moments(mu_q, sigma_q, mu_k, sigma_k)[1]))),
    "std": ("The second number is the variance, not the standard deviation.",
            then(reference.dot_moments, lambda mean, variance: (mean, variance**0.5))),
    "second_moment": (
        "This is E[(q . k)^2]; subtract the square of the mean.",
        then(reference.dot_moments, lambda mean, variance: (mean, variance + mean**2))),
    "sigma_is_variance": ("sigma is a standard deviation; its square is the variance.",
                          lambda mu_q, sigma_q, mu_k, sigma_k: (
                              reference.dot_moments(mu_q, sigma_q**0.5, mu_k, sigma_k**0.5))),
    "means_averaged": (
        "Every coordinate has its own mean: the product of two averages is not the average of the "
        "products.",
        lambda mu_q, sigma_q, mu_k, sigma_k: reference.dot_moments(
            np.full(len(mu_q), np.mean(mu_q)), sigma_q, np.full(len(mu_k), np.mean(mu_k)),
            sigma_k)),
    "equal_laws": (
        "This is the case of equal laws; q and k have their own here.",
        lambda mu_q, sigma_q, mu_k, sigma_k: reference.dot_moments(mu_q, sigma_q, mu_q, sigma_q)),
})


@moments.mistake("product_of_sums", "This multiplies the sums of the means; sum their products.")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    variance = reference.dot_moments(mu_q, sigma_q, mu_k, sigma_k)[1]
    return float(np.sum(mu_q) * np.sum(mu_k)), variance


def _wrong(slug, hint, variance):
    def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
        mean, qq, kk, d = _law(mu_q, mu_k)
        return mean, variance(sigma_q**2, sigma_k**2, qq, kk, d)

    moments.mistake(slug, hint)(dot_moments)


_wrong("crossed", "The noise of q is stretched by the mean of k, not by its own mean.",
       lambda q, k, qq, kk, d: d * q * k + q * qq + k * kk)
_wrong("one_mean_term", "Both vectors have noise that meets the other's mean.",
       lambda q, k, qq, kk, d: d * q * k + q * kk)
_wrong("no_noise_times_noise", "Noise times noise contributes too, in each of the d coordinates.",
       lambda q, k, qq, kk, d: q * kk + k * qq)
_wrong("d_forgotten", "Every coordinate adds its own noise: d of them.",
       lambda q, k, qq, kk, d: q * k + q * kk + k * qq)
_wrong("norms_not_squared", "The length of the mean enters squared, as a variance does.",
       lambda q, k, qq, kk, d: d * q * k + q * kk**0.5 + k * qq**0.5)
_wrong("mean_of_squares", "Sum the squared means over the coordinates; this averages them.",
       lambda q, k, qq, kk, d: d * q * k + (q * kk + k * qq) / d)


@moments.mistake("in_place", "The means belong to the caller: do not write into them.")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    found = reference.dot_moments(mu_q, sigma_q, mu_k, sigma_k)
    mu_q *= mu_k
    return found


@moments.variant("coordinate by coordinate")
def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    second = (mu_q**2 + sigma_q**2) * (mu_k**2 + sigma_k**2)
    return np.sum(mu_q * mu_k), np.sum(second - (mu_q * mu_k) ** 2)


scale = Exercise(
    "score_scale",
    expects={
        "score_scale": "the number s for which q . k / s has variance 1",
        "saturation": "the means over the trials of p and of 2 p (1 - p), p the largest weight",
    },
)

scale.values(1.5, "Divided by s, the scores have variance 1.", only=("sixty_four",), name="scale")
scale.values(1.5, "The spread of q and k counts as well.", only=("other_widths",), name="spread")
scale.values(2.5, "With the given generator the two means are exact.", name="experiment",
             only=("forty_trials", "three_trials"))
scale.values(1, "Scores in the thousands do not overflow.", only=("hard_choices",),
             name="large scores")


@scale.item(1.5, "Unscaled, the weights saturate as d grows; scaled, they do not.")
def scaled_or_not(exam, score_scale, saturation):
    n, trials = 16, 150
    for d in (8, 256):
        for s in (1.0, d**0.5):
            seed = int(exam.rng.integers(2**32))
            found = saturation(d, n, s, trials, np.random.default_rng(seed))
            expected = reference.saturation(d, n, s, trials, np.random.default_rng(seed))
            exam.same(found, expected)
    exam.same(float(score_scale(256)), 16.0)


def _weights(d, n, scale, trials, rng):
    queries, keys = rng.normal(size=(trials, d)), rng.normal(size=(trials, n, d))
    scores = (keys @ queries[:, :, None])[..., 0] / scale
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _experiment(*given, pick=lambda p: p.max(axis=1)):
    p = pick(_weights(*given))
    return float(p.mean()), float((2 * p * (1 - p)).mean())


def _all_slopes(join):
    """The slopes of all weights, added up or averaged, beside the largest weight."""
    def saturation(d, n, scale, trials, rng):
        p = _weights(d, n, scale, trials, rng)
        return float(p.max(axis=1).mean()), float(join(2 * p * (1 - p), axis=1).mean())

    return saturation


scale.mistakes_of(score_scale={
    "d": ("Not the scores' variance but their standard deviation becomes 1.",
          lambda d, sigma=1.0: float(sigma**2 * d)),
    "variance": ("This is the variance of q . k; the divisor is its square root.",
                 lambda d, sigma=1.0: float(sigma**4 * d)),
    "sigma_first_power": ("Both q and k carry a sigma: their product has sigma squared.",
                          lambda d, sigma=1.0: float(sigma * np.sqrt(d))),
    "sigma_ignored": ("sigma has no effect.", lambda d, sigma=1.0: float(np.sqrt(d))),
    "whole_root": ("The root of d need not be a whole number: do not round it.",
                   lambda d, sigma=1.0: float(sigma**2 * int(np.sqrt(d)))),
    "no_scale": ("Without a divisor the variance of q . k grows with d.", lambda d, sigma=1.0: 1.0),
    "inverse": ("s divides the scores: return s, not 1/s.",
                lambda d, sigma=1.0: float(1 / (sigma**2 * np.sqrt(d)))),
    "sigma_divides": ("Larger vectors need a larger divisor.",
                      lambda d, sigma=1.0: float(np.sqrt(d) / sigma**2)),
})
scale.mistakes_of(saturation={
    "scale_ignored": (
        "scale has no effect on the experiment.",
        lambda d, n, scale, trials, rng: reference.saturation(d, n, 1.0, trials, rng)),
    "multiplies": (
        "The scores are divided by the scale, not multiplied.",
        lambda d, n, scale, trials, rng: reference.saturation(d, n, 1 / scale, trials, rng)),
    "sqrt_of_scale": (
        "scale divides the scores as it is: no root, no square.",
        lambda d, n, scale, trials, rng: reference.saturation(d, n, scale**0.5, trials, rng)),
    "scales_by_d": (
        "The experiment divides by the scale it is given and nothing else.",
        lambda d, n, scale, trials, rng: reference.saturation(d, n, scale * d**0.5, trials, rng)),
    "all_weights": (
        "p is the largest weight of a trial; these are means over all n.",
        lambda d, n, scale, trials, rng: _experiment(d, n, scale, trials, rng, pick=lambda p: p)),
    "first_weight": (
        "p is the largest weight of a trial, not that of the first key.",
        lambda *given: _experiment(*given, pick=lambda p: p[:, 0])),
    "largest_of_all": (
        "The mean over the trials is asked for, not the largest of all.",
        lambda *given: _experiment(*given, pick=np.max)),
    "all_slopes": ("2 p (1 - p) is that of the largest weight alone, not a sum over all.",
                   _all_slopes(np.sum)),
    "mean_slope": ("2 p (1 - p) is that of the largest weight alone, not a mean over all n.",
                   _all_slopes(np.mean)),
    "no_two": ("The factor 2 of 2 p (1 - p) is missing.",
               then(reference.saturation, lambda p, proxy: (p, proxy / 2))),
    "mean_first": ("Compute 2 p (1 - p) in each trial, then average.",
                   then(reference.saturation, lambda p, _: (p, 2 * p * (1 - p)))),
})


@scale.mistake("keys_first", "Draw all queries first, then all keys.")
def saturation(d, n, scale, trials, rng):
    keys, queries = rng.normal(size=(trials, n, d)), rng.normal(size=(trials, d))
    scores = (keys @ queries[:, :, None])[..., 0] / scale
    p = 1 / np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1)
    return float(p.mean()), float((2 * p * (1 - p)).mean())


@scale.mistake("shared_keys", "Every trial has n keys of its own; here all trials share them.")
def saturation(d, n, scale, trials, rng):
    scores = rng.normal(size=(trials, d)) @ rng.normal(size=(n, d)).T / scale
    p = 1 / np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1)
    return float(p.mean()), float((2 * p * (1 - p)).mean())


@scale.mistake("trial_by_trial", "All queries are drawn at once, then all keys: the order of the "
               "draws is fixed.")
def saturation(d, n, scale, trials, rng):
    p = []
    for _ in range(trials):
        query, keys = rng.normal(size=d), rng.normal(size=(n, d))
        scores = keys @ query / scale
        p.append(1 / np.exp(scores - scores.max()).sum())
    p = np.array(p)
    return float(p.mean()), float((2 * p * (1 - p)).mean())


@scale.mistake("wrong_axis", "The softmax runs over the n keys of a trial, not over the trials.")
def saturation(d, n, scale, trials, rng):
    queries, keys = rng.normal(size=(trials, d)), rng.normal(size=(trials, n, d))
    scores = np.einsum("td,tnd->tn", queries, keys) / scale
    weights = np.exp(scores - scores.max(axis=0))
    p = (weights / weights.sum(axis=0)).max(axis=1)
    return float(p.mean()), float((2 * p * (1 - p)).mean())


@scale.mistake("overflow", "exp of a large score overflows: shift each trial's scores by their own "
               "maximum.")
def saturation(d, n, scale, trials, rng):
    queries, keys = rng.normal(size=(trials, d)), rng.normal(size=(trials, n, d))
    weights = np.exp(np.einsum("td,tnd->tn", queries, keys) / scale)
    p = (weights / weights.sum(axis=1, keepdims=True)).max(axis=1)
    return float(p.mean()), float((2 * p * (1 - p)).mean())


@scale.variant("whole softmax")
def saturation(d, n, scale, trials, rng):
    return _experiment(d, n, scale, trials, rng)


@scale.variant("a loop after the draws")
def saturation(d, n, scale, trials, rng):
    queries, keys = rng.normal(size=(trials, d)), rng.normal(size=(trials, n, d))
    p = []
    for query, own in zip(queries, keys):
        scores = own @ query / scale
        weights = np.exp(scores - max(scores))
        p.append(max(weights / sum(weights)))
    return np.mean(p), np.mean([2 * x * (1 - x) for x in p])
