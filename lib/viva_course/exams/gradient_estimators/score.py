"""Exam of `score_gaussian` and `score_grad`."""

import numpy as np

from viva.cases.gradient_estimators.score import fresh, square, step
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise, then

score = Exercise(
    "score_gaussian",
    expects={
        "score_gaussian": "the gradient of log N(x; mu, sigma^2 I) by mu, of the shape of x",
        "score_grad": "(mean, variance of the mean), each (k,): an unbiased estimate by mu",
    },
    survivors={
        "score_grad: x = mu + sigma * rng.standard_normal((n, len(mu))) -> "
        "x = mu - sigma * rng.standard_normal((n, len(mu)))": "z and -z have the same distribution",
    },
)

score.values(3, "The score is the gradient of the log density by mu.",
             only=("by_hand", "rows"), name="score")
score.values(3.5, "The mean must be near the gradient of the expectation, for every sigma.",
             only=("parabola", "linear"), name="unbiased")


score.values(0.5, "The noise comes from rng.", only=("draws_from_rng",), name="rng")


@score.item(2, "Nothing is asked of f but its values: a jump is no obstacle.")
def discontinuous_f(exam, score_gaussian, score_grad):
    mu, sigma, n = float(exam.rng.uniform(0.2, 0.8)), float(exam.rng.uniform(0.5, 1.5)), 100_000
    exact = np.exp(-((mu / sigma) ** 2) / 2) / np.sqrt(2 * np.pi) / sigma
    found = score_grad(step, np.array([mu]), sigma, n, fresh(exam.rng))[0]
    # E z^2 over half of the line is at most 1: a standard error is below 1 / (sigma sqrt(n))
    exam.same(found, np.array([exact]), rtol=0, atol=5.5 / sigma / np.sqrt(n))


@score.item(3, "The second result is the variance of the mean: what repeated estimates show.",
            name="variance")
def ask_variance(exam, score_gaussian, score_grad):
    mu, sigma, n = np.array([1.0, -2.0, 0.5]), 0.5, 400
    pairs = [score_grad(square, mu, sigma, n, fresh(exam.rng)) for _ in range(300)]
    means, claimed = (np.array(each) for each in zip(*pairs, strict=True))
    exam.true(means.shape == claimed.shape == (300, 3), "both results have the shape (k,)")
    exam.true(np.all(claimed > 0), "estimates from samples have a variance")
    exam.same(claimed.mean(axis=0), means.var(axis=0), rtol=0.5, atol=0.0)


score.values(2, "A baseline is subtracted from f; it leaves the mean and changes the variance.",
             only=("variance_with_baseline", "nothing_left", "single_sample"), name="baseline")


@score.item(1, "sigma <= 0 raises ValueError.")
def refusals(exam, score_gaussian, score_grad):
    x = exam.rng.normal(size=(3, 2))
    exam.same(score_gaussian(x, x[0], 2.0), (x - x[0]) / 4)
    exam.true(len(score_grad(square, x[0], 2.0, 10, fresh(exam.rng))) == 2, "two results")
    for sigma in (0.0, -0.5):
        exam.raises(ValueError, score_gaussian, x, x[0], sigma)
        exam.raises(ValueError, score_grad, square, x[0], sigma, 10, fresh(exam.rng))


score.unmodified(1, "Nothing may be written into the arguments.")


def refuse(sigma):
    if sigma <= 0:
        raise ValueError


def estimate(f, mu, sigma, n, rng, baseline, weigh=None, width=None):
    """score_grad with another score, or another width of the samples."""
    refuse(sigma)
    x = mu + (sigma if width is None else width) * rng.standard_normal((n, len(mu)))
    scores = (x - mu) / sigma**2 if weigh is None else weigh(x)
    terms = (f(x) - baseline)[:, None] * scores
    return terms.mean(axis=0), terms.var(axis=0) / n


def spread_of_all(f, mu, sigma, n, rng, baseline):
    refuse(sigma)
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = (f(x) - baseline)[:, None] * (x - mu) / sigma**2
    return terms.mean(axis=0), float(terms.var() / n)


ALWAYS_THE_SAME = "The noise does not come from rng: another generator is made, always the same."
NEVER_THE_SAME = ("The noise does not come from rng: the same state of rng must give the same "
                  "result.")


score.mistakes_of(score_gaussian={
    "sigma_first_power": ("One power of sigma is missing: differentiate the exponent once more.",
                          lambda x, mu, sigma: refuse(sigma) or (x - mu) / sigma),
    "sign": ("The sign is the wrong one: where x lies above mu, a larger mu makes x more likely.",
             lambda x, mu, sigma: refuse(sigma) or (mu - x) / sigma**2),
    "no_division": ("The division by the variance is missing.",
                    lambda x, mu, sigma: refuse(sigma) or x - mu),
    "factor_two": ("A factor is wrong: the half in the exponent cancels the two of the square.",
                   lambda x, mu, sigma: refuse(sigma) or 2 * (x - mu) / sigma**2),
    "factor_half": ("A factor is wrong: the square brings a two that cancels the half of the "
                    "exponent.",
                    lambda x, mu, sigma: refuse(sigma) or (x - mu) / (2 * sigma**2)),
    "by_x": ("This is the distance's square, a part of the log density itself; its gradient by mu "
             "is asked for.",
             lambda x, mu, sigma: refuse(sigma) or -((x - mu) ** 2) / (2 * sigma**2)),
})
score.mistakes_of(score_grad={
    "grad_sigma_first_power": (
        "In the estimate the score is divided by sigma instead of its square.",
        lambda f, mu, sigma, n, rng, baseline=0.0: (
            estimate(f, mu, sigma, n, rng, baseline, lambda x: (x - mu) / sigma))),
    "grad_sign": ("The estimate has the wrong sign.",
                  lambda f, mu, sigma, n, rng, baseline=0.0: (
                      estimate(f, mu, sigma, n, rng, baseline, lambda x: (mu - x) / sigma**2))),
    "grad_no_division": ("In the estimate the division by the variance is missing.",
                         lambda f, mu, sigma, n, rng, baseline=0.0: (
                             estimate(f, mu, sigma, n, rng, baseline, lambda x: x - mu))),
    "baseline_added": ("The baseline is subtracted from f, not added.",
                       lambda f, mu, sigma, n, rng, baseline=0.0: (
                           reference.score_grad(f, mu, sigma, n, rng, -baseline))),
    "baseline_ignored": (
        "The baseline is ignored.",
        lambda f, mu, sigma, n, rng, baseline=0.0: reference.score_grad(f, mu, sigma, n, rng)),
    "variance_as_std": ("The samples have the standard deviation sigma, not sigma^2.",
                        lambda f, mu, sigma, n, rng, baseline=0.0: (
                            estimate(f, mu, sigma, n, rng, baseline, width=sigma**2))),
    "root_of_sigma": ("sigma is the standard deviation of the samples, not their variance: no root "
                      "is taken of it.",
                      lambda f, mu, sigma, n, rng, baseline=0.0: (
                          estimate(f, mu, sigma, n, rng, baseline, width=np.sqrt(sigma)))),
    "variance_of_all": (
        "Each component has a variance of its own, (k,): it is taken over the samples only.",
        lambda f, mu, sigma, n, rng, baseline=0.0: spread_of_all(f, mu, sigma, n, rng, baseline)),
    "standard_normal": ("The samples must come from N(mu, sigma^2 I): the width is missing.",
                        lambda f, mu, sigma, n, rng, baseline=0.0: (
                            estimate(f, mu, sigma, n, rng, baseline, width=1.0))),
    "standard_error": (
        "This is the standard error, the root of the variance of the mean.",
        then(reference.score_grad, lambda mean, variance: (mean, np.sqrt(variance)))),
    "mean_only": ("Two results are asked for: the mean and its variance.",
                  lambda f, mu, sigma, n, rng, baseline=0.0: (
                      reference.score_grad(f, mu, sigma, n, rng, baseline)[0])),
    "own_generator": (ALWAYS_THE_SAME, lambda f, mu, sigma, n, rng, baseline=0.0: (
        reference.score_grad(f, mu, sigma, n, np.random.default_rng(0), baseline))),
    "no_generator": (NEVER_THE_SAME, lambda f, mu, sigma, n, rng, baseline=0.0: (
        reference.score_grad(f, mu, sigma, n, np.random.default_rng(), baseline))),
    "other_noise": (
        "The values of f are multiplied by the scores of other samples than those at which f was "
        "asked: the mean is zero.",
        lambda f, mu, sigma, n, rng, baseline=0.0: (
            estimate(f, mu, sigma, n, rng, baseline,
                     lambda x: rng.standard_normal(x.shape) / sigma))),
})


@score.mistake("density_gradient", "The gradient of the density, not of its logarithm.")
def score_gaussian(x, mu, sigma):
    refuse(sigma)
    k = np.shape(mu)[-1]
    p = np.exp(-((x - mu) ** 2).sum(axis=-1, keepdims=True) / (2 * sigma**2))
    return p * (2 * np.pi * sigma**2) ** (-k / 2) * (x - mu) / sigma**2


@score.mistake("zero_width", "sigma = 0 has no density: raise ValueError instead of dividing.")
def score_gaussian(x, mu, sigma):
    with np.errstate(all="ignore"):
        return (x - mu) / np.float64(sigma) ** 2


@score.mistake("in_place", "x belongs to the caller: `x -= mu` changes it.")
def score_gaussian(x, mu, sigma):
    refuse(sigma)
    x -= mu
    return x / sigma**2


@score.mistake("sum_not_mean", "The terms are averaged, not added.")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    mean, variance = reference.score_grad(f, mu, sigma, n, rng, baseline)
    return n * mean, n * n * variance


@score.mistake("baseline_from_mean", "The baseline is subtracted from f before it meets the score, "
               "not from the estimate.")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    mean, variance = reference.score_grad(f, mu, sigma, n, rng)
    return mean - baseline, variance


@score.mistake("own_mean", "Only the given baseline is subtracted; the mean of the same samples "
               "makes the estimate too small, and zero for one sample.")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    refuse(sigma)
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    gains = f(x) - baseline
    terms = (gains - gains.mean())[:, None] * (x - mu) / sigma**2
    return terms.mean(axis=0), terms.var(axis=0) / n


@score.mistake("variance_of_terms", "The variance of the mean is asked for, which is n times "
               "smaller than that of a single term.")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    mean, variance = reference.score_grad(f, mu, sigma, n, rng, baseline)
    return mean, n * variance


@score.mistake("one_variance", "Every component has a variance of its own: average over the "
               "samples only.")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    mean, variance = reference.score_grad(f, mu, sigma, n, rng, baseline)
    return mean, np.full_like(variance, variance.mean())


@score.mistake("shared_noise", "Every coordinate needs noise of its own.")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    refuse(sigma)
    x = mu + sigma * rng.standard_normal((n, 1))
    terms = (f(x) - baseline)[:, None] * (x - mu) / sigma**2
    return terms.mean(axis=0), terms.var(axis=0) / n


@score.mistake("grad_zero_width", "score_grad must refuse sigma <= 0 with ValueError.")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if sigma > 0:
        return reference.score_grad(f, mu, sigma, n, rng, baseline)
    return np.zeros(len(mu)), np.zeros(len(mu))


@score.variant("the generator's own mean and width, ddof 1")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if sigma <= 0:
        raise ValueError("sigma")
    x = rng.normal(mu, sigma, size=(n, np.size(mu)))
    terms = np.einsum("n,nk->nk", f(x) - baseline, x - mu) / sigma**2
    mean = terms.sum(axis=0) / n
    return mean, ((terms - mean) ** 2).sum(axis=0) / (n - 1) / n


@score.variant("another order of the draws")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if not sigma > 0:
        raise ValueError("sigma")
    z = rng.standard_normal((len(mu), n)).T
    terms = z * (np.asarray(f(mu + sigma * z)) - baseline).reshape(-1, 1) / sigma
    return [terms.mean(0), (terms**2).mean(0) / n - terms.mean(0) ** 2 / n]


@score.variant("products")
def score_gaussian(x, mu, sigma):
    if sigma <= 0:
        raise ValueError("sigma")
    return np.subtract(x, mu) * sigma**-2
