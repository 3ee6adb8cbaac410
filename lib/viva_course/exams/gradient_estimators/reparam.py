"""Exam of `reparam_grad` and `reparam_grad_sigma`."""

import numpy as np

from viva.cases.gradient_estimators.reparam import twice, wave
from viva.cases.gradient_estimators.score import fresh, square
from viva_course.exams.gradient_estimators.score import ALWAYS_THE_SAME, NEVER_THE_SAME
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise, then, unmodified

reparam = Exercise(
    "reparam_grad",
    expects={
        "reparam_grad": "(mean, variance of the mean), each (k,): an unbiased estimate by mu",
        "reparam_grad_sigma": "(mean, variance of the mean), two numbers: an estimate by sigma",
    },
    survivors={
        "reparam_grad: terms = grad_f(mu + sigma * rng.standard_normal((n, len(mu)))) -> "
        "terms = grad_f(mu - sigma * rng.standard_normal((n, len(mu))))":
            "z and -z have the same distribution",
    },
)

reparam.values(2.5, "The mean must be near the gradient of the expectation by mu.",
               only=("parabola_mu", "wave_mu"), name="by mu")
reparam.values(2.5, "The mean must be near the derivative of the expectation by sigma.",
               only=("parabola_sigma", "wave_sigma", "product_sigma"), name="by sigma")
reparam.values(1.5, "A linear f gives its slopes from one sample, without any variance; without "
               "noise the estimate is the gradient at mu.",
               only=("one_sample", "no_noise", "no_noise_sigma"), name="exact cases")
reparam.values(1.5, "The second result is the variance of the mean.",
               only=("variance_mu", "variance_sigma", "variance_of_product"),
               name="variances")


reparam.values(0.5, "By mu the noise comes from rng.", only=("draws_from_rng",), name="rng")
reparam.values(0.5, "By sigma the noise comes from rng.", only=("draws_from_rng_sigma",),
               name="rng by sigma")


@reparam.item(1, "For f = sum of sin(3 x_i) the expectation is known in closed form.")
def exact_values(exam, reparam_grad, reparam_grad_sigma):
    mu, sigma, n = exam.rng.uniform(-1, 1, size=3), float(exam.rng.uniform(0.3, 0.6)), 60_000
    damping, error = np.exp(-9 * sigma**2 / 2), 5.5 * 3 / np.sqrt(n)  # |grad f| <= 3
    found = reparam_grad(wave, mu, sigma, n, fresh(exam.rng))[0]
    exam.same(found, 3 * np.cos(3 * mu) * damping, rtol=0, atol=error)
    found = reparam_grad_sigma(wave, mu, sigma, n, fresh(exam.rng))[0]
    exam.same(found, float(-9 * sigma * np.sin(3 * mu).sum() * damping), rtol=0,
              atol=np.sqrt(3) * error)


@reparam.item(1, "For a smooth f the variance is far below that of the score estimator.")
def less_variance(exam, reparam_grad, reparam_grad_sigma):
    mu, n = np.ones(10), 4000
    mean, variance = reparam_grad(twice, mu, 0.1, n, fresh(exam.rng))
    exam.same(mean, 2 * mu, rtol=0, atol=0.03)
    other = reference.score_grad(square, mu, 0.1, n, fresh(exam.rng))[1]
    exam.true(np.sum(other) > 50 * np.sum(variance) > 0,
              "the variance is not 50 times below that of the score estimator")


@reparam.item(0.5, "A negative sigma raises ValueError.")
def refusals(exam, reparam_grad, reparam_grad_sigma):
    mu = exam.rng.normal(size=2)
    for estimate in (reparam_grad, reparam_grad_sigma):
        exam.true(len(estimate(twice, mu, 0.5, 10, fresh(exam.rng))) == 2, "two results")
        exam.raises(ValueError, estimate, twice, mu, -0.5, 10, fresh(exam.rng))


@reparam.item(0.5, "Nothing may be written into the arguments.")
def arguments_unchanged(exam, *candidates):
    unmodified(exam, *candidates)
    given = {case.name: answer.value for case, answer in exam.sitting(candidates)}
    exam.true(not np.array_equal(given["parabola_sigma"], given["product_sigma"]),
              "no case is right yet")  # about 3 and about 0: a constant has one of them right


def refuse(sigma):
    if sigma < 0:
        raise ValueError


@reparam.mistake("over_sigma", "Nothing is divided by sigma here: x moves with mu one to one.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad(grad_f, mu, sigma, n, rng)
    with np.errstate(all="ignore"):
        return mean / np.float64(sigma), variance / np.float64(sigma) ** 2


@reparam.mistake("times_sigma", "By mu no factor sigma appears: x moves with mu one to one.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad(grad_f, mu, sigma, n, rng)
    return sigma * mean, sigma**2 * variance


@reparam.mistake("sigma2", "x = mu + sigma z: sigma is the standard deviation of the samples.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    return reference.reparam_grad(grad_f, mu, sigma**2, n, rng)


@reparam.mistake("grad_at_mean", "The gradient is averaged over the samples; this is the gradient "
                 "at mu, without any smoothing.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    return reference.reparam_grad(grad_f, mu, 0.0, n, rng)


@reparam.mistake("no_noise_width", "The samples have the width sigma, not 1.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    return reference.reparam_grad(grad_f, mu, 1.0, n, rng)


@reparam.mistake("sum_not_mean", "The terms are averaged, not added.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad(grad_f, mu, sigma, n, rng)
    return n * mean, n * n * variance


@reparam.mistake("times_z", "By mu the inner derivative is 1: the factor z belongs to the "
                 "derivative by sigma.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    z = rng.standard_normal((n, len(mu)))
    terms = grad_f(mu + sigma * z) * z
    return terms.mean(axis=0), terms.var(axis=0) / n


@reparam.mistake("variance_of_terms", "The variance of the mean is n times smaller than that of a "
                 "single term.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad(grad_f, mu, sigma, n, rng)
    return mean, n * variance


@reparam.mistake("ddof_one", "With one sample this variance is 0/0; divide the squared deviations "
                 "by n.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad(grad_f, mu, sigma, n, rng)
    with np.errstate(all="ignore"):
        return mean, variance * n / np.float64(n - 1)


reparam.mistakes_of(reparam_grad_sigma={
    "sigma_standard_error": (
        "By sigma, this is the standard error, the root of the variance of the mean.",
        then(reference.reparam_grad_sigma, lambda mean, variance: (mean, float(variance**0.5)))),
    "sigma_own_generator": (ALWAYS_THE_SAME, lambda grad_f, mu, sigma, n, rng: (
        reference.reparam_grad_sigma(grad_f, mu, sigma, n, np.random.default_rng(0)))),
    "sigma_no_generator": (NEVER_THE_SAME, lambda grad_f, mu, sigma, n, rng: (
        reference.reparam_grad_sigma(grad_f, mu, sigma, n, np.random.default_rng()))),
}, reparam_grad={
    "standard_error": (
        "This is the standard error, the root of the variance of the mean.",
        then(reference.reparam_grad, lambda mean, variance: (mean, np.sqrt(variance)))),
    "mean_only": (
        "Two results are asked for: the mean and its variance.",
        lambda grad_f, mu, sigma, n, rng: reference.reparam_grad(grad_f, mu, sigma, n, rng)[0]),
    "negative_passes": (
        "A negative sigma raises ValueError.",
        lambda grad_f, mu, sigma, n, rng: reference.reparam_grad(grad_f, mu, abs(sigma), n, rng)),
    "own_generator": (ALWAYS_THE_SAME, lambda grad_f, mu, sigma, n, rng: (
        reference.reparam_grad(grad_f, mu, sigma, n, np.random.default_rng(0)))),
    "no_generator": (NEVER_THE_SAME, lambda grad_f, mu, sigma, n, rng: (
        reference.reparam_grad(grad_f, mu, sigma, n, np.random.default_rng()))),
})


@reparam.mistake("zero_refused", "sigma = 0 is allowed: then nothing is smoothed.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma <= 0:
        raise ValueError
    return reference.reparam_grad(grad_f, mu, sigma, n, rng)


@reparam.mistake("in_place", "mu belongs to the caller: `mu += ...` changes it.")
def reparam_grad(grad_f, mu, sigma, n, rng):
    found = reference.reparam_grad(grad_f, mu, sigma, n, rng)
    mu += found[0]
    return found


@reparam.mistake("sigma_no_z", "The inner derivative of mu + sigma z by sigma is missing.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    terms = grad_f(mu + sigma * rng.standard_normal((n, len(mu)))).sum(axis=1)
    return float(terms.mean()), float(terms.var() / n)


@reparam.mistake("sigma_mean_dims", "The dimensions are added: sigma moves all of them at once.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad_sigma(grad_f, mu, sigma, n, rng)
    return mean / len(mu), variance / len(mu) ** 2


@reparam.mistake("sigma_vector", "One number is asked for: sigma is shared by all dimensions, so "
                 "they are added.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    z = rng.standard_normal((n, len(mu)))
    terms = grad_f(mu + sigma * z) * z
    return terms.mean(axis=0), terms.var(axis=0) / n


@reparam.mistake("sigma_times_sigma", "The inner derivative by sigma is z, not sigma z.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad_sigma(grad_f, mu, sigma, n, rng)
    return sigma * mean, sigma**2 * variance


@reparam.mistake("sigma_shared_noise", "Every coordinate needs noise of its own.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    z = rng.standard_normal((n, 1)) * np.ones(len(mu))
    terms = (grad_f(mu + sigma * z) * z).sum(axis=1)
    return float(terms.mean()), float(terms.var() / n)


@reparam.mistake("sigma_other_noise", "The z of the inner derivative is the one of the sample; two "
                 "draws are independent of each other.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    z, other = rng.standard_normal((2, n, len(mu)))
    terms = (grad_f(mu + sigma * z) * other).sum(axis=1)
    return float(terms.mean()), float(terms.var() / n)


@reparam.mistake("sigma_sample", "The inner derivative by sigma is the noise z, not the sample x "
                 "itself.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    refuse(sigma)
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = (grad_f(x) * x).sum(axis=1)
    return float(terms.mean()), float(terms.var() / n)


@reparam.mistake("sigma_variance_of_terms", "By sigma, too, the variance of the mean is n times "
                 "smaller than that of a single term.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    mean, variance = reference.reparam_grad_sigma(grad_f, mu, sigma, n, rng)
    return mean, n * variance


@reparam.mistake("sigma_variances_added", "By sigma, the variances of the components are added, "
                 "but they depend on each other: add the components of a sample first.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError
    z = rng.standard_normal((n, len(mu)))
    terms = grad_f(mu + sigma * z) * z
    return float(terms.mean(axis=0).sum()), float(terms.var(axis=0).sum() / n)


@reparam.mistake("sigma_negative_passes", "By sigma, too, a negative sigma raises ValueError.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    return reference.reparam_grad_sigma(grad_f, mu, abs(sigma), n, rng)


@reparam.mistake("sigma_zero_refused", "By sigma, too, sigma = 0 is allowed.")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma <= 0:
        raise ValueError
    return reference.reparam_grad_sigma(grad_f, mu, sigma, n, rng)


@reparam.variant("another order of the draws")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma")
    x = mu[:, None] + sigma * rng.standard_normal((len(mu), n))
    slopes = np.asarray(grad_f(x.T))
    return slopes.sum(0) / n, slopes.var(0) / n


@reparam.variant("from the samples back to the noise")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma")
    z = rng.normal(size=(n, np.size(mu)))
    terms = np.einsum("nk,nk->n", grad_f(mu + sigma * z), z)
    return terms.mean(), terms.var(ddof=0) / n
