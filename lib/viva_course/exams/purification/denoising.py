"""Exam of `denoising_lambda` and `denoising_loss`: a denoising autoencoder is purification."""

import numpy as np

from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

denoising = Exercise(
    "denoising_lambda",
    expects={
        "denoising_lambda": "the lam for which noise and penalty are the same on average",
        "denoising_loss": "the mean over draws of the squared error to the clean X",
    },
)

denoising.values(2, "lam must be the number of columns times the variance of the noise.",
                 only=("worked_noise", "other_noise"), name="lam")
denoising.values(2, "With the given generator the loss must be exactly the mean over the draws.",
                 only=("one_draw", "twenty_draws"), name="loss")


def mean_of_denoising(W, X, noise):
    """The expectation of one draw, and its variance: a quadratic form in normal variables.

    ||R - W N||^2 with R = X - WX and N of variance s^2 has the variance
    sum over columns of 2 s^4 ||W^T W||_F^2 + 4 s^2 ||W^T r||^2.
    """
    n, R = X.shape[1], X - W @ X
    mean = (R**2).sum() + n * noise**2 * (W**2).sum()
    variance = 2 * n * noise**4 * ((W.T @ W) ** 2).sum() + 4 * noise**2 * ((W.T @ R) ** 2).sum()
    return mean, variance


@denoising.item(1.5, "On average the loss is ||X - WX||^2 + lam ||W||^2 with your lam (5 standard "
                "errors).")
def noise_is_a_penalty(exam, denoising_lambda, denoising_loss):
    n, draws = 60, 150  # many columns: as sharp as ten times the draws of six
    for _ in range(3):
        W, X = exam.rng.normal(size=(2, 2)), exam.rng.normal(size=(2, n))
        noise = float(exam.rng.uniform(0.5, 0.8))
        generator = np.random.default_rng(int(exam.rng.integers(2**32)))
        loss = denoising_loss(W, X, noise, generator, draws)
        _, variance = mean_of_denoising(W, X, noise)
        expected = reference.purification_losses(W, X, denoising_lambda(noise, n))[2]
        exam.true(abs(loss - expected) < 5 * np.sqrt(variance / draws),
                  "the mean loss is not that of purification with your lam")


@denoising.item(1.5, "Twice the columns is twice lam; twice the noise is four times lam.")
def how_lam_scales(exam, denoising_lambda, denoising_loss):
    noise, n = float(exam.rng.uniform(0.3, 2)), int(exam.rng.integers(3, 20))
    lam = denoising_lambda(noise, n)
    exam.true(lam > 0, "lam must be positive where there is noise")
    exam.same(denoising_lambda(noise, 2 * n), 2 * float(lam))
    exam.same(denoising_lambda(2 * noise, n), 4 * float(lam))
    exam.true(denoising_lambda(0.0, n) == 0, "no noise, no penalty")


@denoising.item(1.5, "The target is the clean X: for W = I the loss is the power of the noise, m n "
                "s^2 on average, whatever X is.")
def the_clean_target(exam, denoising_lambda, denoising_loss):
    m, n, draws = 3, 50, 150
    X, noise = 3 * exam.rng.normal(size=(m, n)), float(exam.rng.uniform(0.4, 0.8))
    seed = int(exam.rng.integers(2**32))
    loss = denoising_loss(np.eye(m), X, noise, np.random.default_rng(seed), draws)
    mean, variance = mean_of_denoising(np.eye(m), X, noise)
    exam.true(abs(loss - mean) < 5 * np.sqrt(variance / draws),
              "with W = I only the noise is left of the loss")


denoising.unmodified(0.5, "W and X must stay as they were.")


denoising.mistakes_of(denoising_lambda={
    "no_n": ("Every column carries noise of its own: n times the variance.",
             lambda noise_std, n: noise_std**2),
    "std": ("The variance counts, the square of the standard deviation.",
            lambda noise_std, n: n * noise_std),
    "n_squared": ("The noise of n independent columns adds up to n times the variance, not n^2 "
                  "times.",
                  lambda noise_std, n: (n * noise_std) ** 2),
    "root_n": ("The powers of n columns add up: n times the variance, not its root times.",
               lambda noise_std, n: np.sqrt(n) * noise_std**2),
    "divides_by_n": ("The loss sums over the columns: multiply by n.",
                     lambda noise_std, n: noise_std**2 / n),
})


@denoising.mistake("noise_on_output", "The noise goes through W: it is added before W, to X.")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.mean([np.sum((X - W @ X - noise_std * rng.normal(size=X.shape)) ** 2)
                    for _ in range(draws)])


@denoising.mistake("mean_loss", "The error is summed over the columns, not averaged over them.")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.mean([np.sum((X - W @ (X + noise_std * rng.normal(size=X.shape))) ** 2)
                    for _ in range(draws)]) / X.shape[1]


@denoising.mistake("variance_as_std", "rng.normal takes the standard deviation, not the variance.")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.mean([np.sum((X - W @ (X + rng.normal(0, noise_std**2, X.shape))) ** 2)
                    for _ in range(draws)])


@denoising.mistake("noisy_target", "The target must be the clean X, not the noisy one.")
def denoising_loss(W, X, noise_std, rng, draws):
    total = 0.0
    for _ in range(draws):
        noisy = X + noise_std * rng.normal(size=X.shape)
        total += np.sum((noisy - W @ noisy) ** 2)
    return total / draws


@denoising.mistake("same_noise", "Every entry of X has noise of its own, not one value per column.")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.mean([np.sum((X - W @ (X + noise_std * rng.normal(size=X.shape[1]))) ** 2)
                    for _ in range(draws)])


@denoising.mistake("one_noise", "Draw the noise anew for every term of the mean; here one draw "
                   "serves for all.")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.sum((X - W @ (X + noise_std * rng.normal(size=X.shape))) ** 2)


@denoising.mistake("sum_of_draws", "The loss is the mean over the draws.")
def denoising_loss(W, X, noise_std, rng, draws):
    return sum(np.sum((X - W @ (X + noise_std * rng.normal(size=X.shape))) ** 2)
               for _ in range(draws))


@denoising.mistake("mean_of_noise_first", "The mean is over losses; averaging the noise first "
                   "makes it vanish.")
def denoising_loss(W, X, noise_std, rng, draws):
    noise = np.mean([rng.normal(size=X.shape) for _ in range(draws)], axis=0)
    return np.sum((X - W @ (X + noise_std * noise)) ** 2)


@denoising.mistake("own_generator", "Draw from the generator that is passed: one of your own gives "
                   "other numbers, whatever the seed.")
def denoising_loss(W, X, noise_std, rng, draws):
    return reference.denoising_loss(W, X, noise_std, np.random.default_rng(0), draws)


@denoising.mistake("closed_form", "This is the expectation; the exercise is its Monte Carlo "
                   "estimate, from the given generator.")
def denoising_loss(W, X, noise_std, rng, draws):
    return np.sum((X - W @ X) ** 2) + X.shape[1] * noise_std**2 * np.sum(W**2)


@denoising.mistake("noise_piles_up", "`X += noise` changes the caller's data, and the noise of "
                   "earlier draws stays in it.")
def denoising_loss(W, X, noise_std, rng, draws):
    clean, total = X.copy(), 0.0
    for _ in range(draws):
        X += noise_std * rng.normal(size=X.shape)
        total += np.sum((clean - W @ X) ** 2)
    return total / draws


@denoising.variant("all draws at once")
def denoising_loss(W, X, noise_std, rng, draws):
    noisy = X + rng.normal(0.0, noise_std, size=(draws, *X.shape))
    return ((X - W @ noisy) ** 2).sum(axis=(1, 2)).mean()


@denoising.variant("a product")
def denoising_lambda(noise_std, n):
    return noise_std * noise_std * float(n)
