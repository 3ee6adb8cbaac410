"""Exam of `noise_ridge_lambda` and the three limits of SGD with noisy inputs."""

import itertools

import numpy as np

from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

noise = Exercise(
    "noise_ridge_lambda",
    expects={
        "noise_ridge_lambda": "the lam for which noise in the inputs acts, on average, like the "
                              "penalty lam ||w||^2",
        "noisy_sgd_mean_limit": "the rate below which the mean of w converges",
        "noisy_sgd_ms_limit": "the rate below which the mean square of w stays bounded",
        "noisy_sgd_fixed_point": "the number to which the mean of w converges",
    },
)

noise.values(1.5, "lam adds up the variances of the noise of all rows.", name="the penalty",
             only=("worked_penalty", "other_penalties"))
noise.values(1.5, "The mean obeys a recursion whose factor must stay between -1 and 1.",
             name="the mean", only=("worked_mean", "other_means"))
noise.values(1.5, "The mean square needs the fourth moment of the noisy input.",
             name="the mean square", only=("worked_mean_square", "other_mean_squares"))
noise.values(1.5, "The mean converges to where the expected gradient vanishes.", name="the end",
             only=("worked_end", "other_ends"))


def settings(rng):
    for _ in range(4):
        yield (float(v) for v in rng.uniform(0.3, 2.5, 3))


def moments(x, tau, eta):
    """E[1 - eta z^2] and E[(1 - eta z^2)^2] of z = x + tau N, by Gauss-Hermite quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(8)
    factor, weights = 1 - eta * (x + tau * nodes) ** 2, weights / weights.sum()
    return weights @ factor, weights @ factor**2


@noise.item(1, "Averaged over all signs of the noise, the noisy loss is the clean one plus lam "
            "||w||^2.")
def noise_is_ridge(exam, noise_ridge_lambda, noisy_sgd_mean_limit, noisy_sgd_ms_limit,
                   noisy_sgd_fixed_point):
    for m, d in ((2, 3), (4, 2), (6, 1)):
        X, y, w = exam.rng.normal(size=(m, d)), exam.rng.normal(size=m), exam.rng.normal(size=d)
        tau = float(exam.rng.uniform(0.4, 2))
        signs = np.array(list(itertools.product([-1, 1], repeat=m * d))).reshape(-1, m, d)
        noisy = np.mean(np.sum(((X + tau * signs) @ w - y) ** 2, axis=1))
        lam = float(noise_ridge_lambda(m, tau))
        exam.same(float(np.sum((X @ w - y) ** 2) + lam * w @ w), float(noisy))


@noise.item(1, "At 0.99 times the first limit the mean converges to the fixed point, at 1.01 times "
            "it diverges.")
def sharp_in_the_mean(exam, noise_ridge_lambda, noisy_sgd_mean_limit, noisy_sgd_ms_limit,
                      noisy_sgd_fixed_point):
    for x, y, tau in settings(exam.rng):
        limit, end = noisy_sgd_mean_limit(x, tau), noisy_sgd_fixed_point(x, y, tau)
        for share, arrives in ((0.99, True), (1.01, False)):
            eta, mean = share * float(limit), float(end) + 1.0
            factor = moments(x, tau, eta)[0]
            for _ in range(1000):
                mean = factor * mean + eta * x * y
            exam.true(bool(abs(mean - end) < 1e-6) == arrives, f"at {share} times your limit the "
                      f"mean {'does not reach your fixed point' if arrives else 'converges'}")


@noise.item(2, "At 0.99 times the second limit a step shrinks the mean square on average, at 1.01 "
            "times it does not; without noise both limits agree.")
def sharp_in_the_mean_square(exam, noise_ridge_lambda, noisy_sgd_mean_limit, noisy_sgd_ms_limit,
                             noisy_sgd_fixed_point):
    for x, _, tau in settings(exam.rng):
        limit = float(noisy_sgd_ms_limit(x, tau))
        exam.true(moments(x, tau, 0.99 * limit)[1] < 1, "0.99 times your limit diverges")
        exam.true(moments(x, tau, 1.01 * limit)[1] > 1, "1.01 times your limit converges")
        exam.true(limit < noisy_sgd_mean_limit(x, tau), "the second limit is stricter")
        exam.same(noisy_sgd_ms_limit(x, 0.0), noisy_sgd_mean_limit(x, 0.0))


noise.mistakes_of(noise_ridge_lambda={
    "lambda_std": ("The variance counts, the square of the standard deviation.",
                   lambda m, tau: m * tau),
    "no_m": ("Every row has noise of its own: the variances of all rows add up.",
             lambda m, tau: tau**2),
    "m_squared": ("The noise of the rows is independent: variances add up, standard deviations do "
                  "not.",
                  lambda m, tau: (m * tau) ** 2),
    "half": ("The loss has no factor 1/2, and so the penalty has none.",
             lambda m, tau: m * tau**2 / 2),
    "divided_by_m": ("The loss is a sum over the rows, not a mean: multiply.",
                     lambda m, tau: tau**2 / m),
})
noise.mistakes_of(noisy_sgd_mean_limit={
    "limit_1": ("The factor of the mean may go down to -1, not only to 0: twice the range. (This "
                "gradient has no factor 2.)",
                lambda x, tau: 1 / (x**2 + tau**2)),
    "no_sigma": ("The noise has mean zero, but its square has not: it is part of the expected "
                 "squared input.",
                 lambda x, tau: 2 / x**2 if x else np.inf),
    "no_sigma_crash": ("The noise has mean zero, but its square has not: it is part of the "
                       "expected squared input, and x may be 0.",
                       lambda x, tau: 2 / x**2),
    "square_of_sum": ("The expected square of the noisy input is a sum of squares.",
                      lambda x, tau: 2 / (x + tau) ** 2),
    "std_in_mean": ("The variance of the noise enters, not its standard deviation.",
                    lambda x, tau: 2 / (x**2 + tau)),
})
noise.mistakes_of(noisy_sgd_ms_limit={
    "ms_gauss2": ("The mean of the fourth power is more than the square of the mean square.",
                  lambda x, tau: 2 / (x**2 + tau**2)),
    "fourth_moment": (
        "Of the fourth power of a sum, the mixed term comes in six ways.",
        lambda x, tau: 2 * (x**2 + tau**2) / (x**4 + 3 * x**2 * tau**2 + 3 * tau**4)),
    "mixed_term_twice": (
        "Of the fourth power of a sum, the mixed term comes in six ways.",
        lambda x, tau: 2 * (x**2 + tau**2) / (x**4 + 2 * x**2 * tau**2 + 3 * tau**4)),
    "gaussian_fourth": (
        "The fourth moment of a Gaussian is three times its variance squared.",
        lambda x, tau: 2 * (x**2 + tau**2) / (x**4 + 6 * x**2 * tau**2 + tau**4)),
    "ms_half": ("The mean square shrinks as long as the rate times the fourth moment is below "
                "twice the second moment: a factor 2 is missing.",
                lambda x, tau: reference.noisy_sgd_ms_limit(x, tau) / 2),
})
noise.mistakes_of(noisy_sgd_fixed_point={
    "fixed_point_ols": ("The noise shrinks the weight: the mean does not go to y/x.",
                        lambda x, y, tau: y / x),
    "fixed_point_ols_guarded": ("The noise shrinks the weight: the mean does not go to y/x.",
                                lambda x, y, tau: y / x if x else 0.0),
    "fixed_point_y": ("The input and the target are multiplied in the expected gradient: x is "
                      "missing.",
                      lambda x, y, tau: y / (x**2 + tau**2)),
    "fixed_point_std": ("The variance of the noise enters, not its standard deviation.",
                        lambda x, y, tau: x * y / (x**2 + tau)),
    "fixed_point_divides": (
        "x may be 0, and then the mean goes to 0: this divides by it.",
        lambda x, y, tau: y / (x + tau**2 / x) if x else float("nan")),
    "fixed_point_crash": (
        "x may be 0, and then the mean goes to 0: this divides by it.",
        lambda x, y, tau: y / (x + tau**2 / x)),
    "fixed_point_loss": ("This is y times the shrinkage; the weight is y/x times it.",
                         lambda x, y, tau: y * x**2 / (x**2 + tau**2)),
})


@noise.variant("from the moments")
def noisy_sgd_ms_limit(x, tau):
    second, fourth = x * x + tau * tau, x**4 + 6 * (x * tau) ** 2 + 3 * tau**4
    return 2.0 * second / fourth


@noise.variant("ridge on one sample")
def noisy_sgd_fixed_point(x, y, tau):
    return float(np.linalg.solve(np.array([[x * x + tau**2]]), np.array([x * y]))[0])


@noise.variant("variances added up")
def noise_ridge_lambda(m, tau):
    return sum(tau**2 for _ in range(m))
