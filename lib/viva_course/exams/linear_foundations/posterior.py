"""Exam of `gaussian_conditional` and `map_ridge`: ridge regression is a conditional mean."""

import numpy as np

from viva.cases.linear_foundations.posterior import joint
from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

posterior = Exercise(
    "gaussian_conditional",
    expects={
        "gaussian_conditional": "(mean, cov) of W once Y = y is known",
        "map_ridge": "(mean, cov) of the weights given the data, for the prior N(0, I) and noise "
                     "of variance lam",
    },
)

posterior.values(3, "Mean and covariance of W given Y = y, for any joint Gaussian.",
                 name="conditional", only=("worked_conditional", "three_given_two",
                                           "two_given_four", "unrelated"))
posterior.values(3, "Mean and covariance of the weights given the data.", name="posterior",
                 only=("worked_posterior", "tall_posterior", "wide_posterior"))


@posterior.item(1.5, "What remains of W after the prediction from Y is uncorrelated with Y, and "
                "its covariance is the one you return.")
def nothing_left_to_learn(exam, gaussian_conditional, map_ridge):
    for d, n in ((2, 3), (4, 2), (1, 1)):
        mu_w, mu_y, S_ww, S_wy, S_yy = joint(exam.rng, d, n)
        base, cov = gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, mu_y)
        exam.same(base, mu_w)
        columns = [np.asarray(gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, mu_y + e)[0])
                   - mu_w for e in np.eye(n)]
        A = np.stack(columns, axis=1)  # (d, n): the prediction is mu_w + A (y - mu_y)
        exam.same(S_wy - A @ S_yy, np.zeros((d, n)), atol=1e-8)
        left = S_ww - A @ S_wy.T - S_wy @ A.T + A @ S_yy @ A.T  # Cov(W - A Y)
        exam.same(np.asarray(cov, float), left, rtol=1e-7, atol=1e-8)


@posterior.item(2, "The mean maximises log N(w; 0, I) + log N(y; Xw, lam I), and the covariance is "
                "the inverse of its negative Hessian.")
def the_peak_of_the_density(exam, gaussian_conditional, map_ridge):
    for n, d in ((6, 2), (3, 3), (2, 5), (1, 1)):
        X, y = exam.rng.normal(size=(n, d)), exam.rng.normal(size=n)
        lam = float(exam.rng.choice([0.2, 3.0])) * float(exam.rng.uniform(0.8, 1.2))
        mean, cov = (np.asarray(part, float) for part in map_ridge(X, y, lam))
        exam.same(X.T @ (y - X @ mean) / lam - mean, np.zeros(d), atol=1e-8)
        exam.same(cov @ (np.eye(d) + X.T @ X / lam), np.eye(d), atol=1e-8)


posterior.unmodified(0.5, "No argument may be changed.")


posterior.mistakes_of(gaussian_conditional={
    "Syy_not_inverted": (
        "S_yy has to be inverted: a noisier observation moves the mean less, not more.",
        lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
            (mu_w + S_wy @ S_yy.T @ (y - mu_y), S_ww - S_wy @ S_yy.T @ S_wy.T))),
    "no_mean_shift": ("Only the surprise y - mu_y moves the mean.",
                      lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
                          reference.gaussian_conditional(mu_w, 0 * mu_y, S_ww, S_wy, S_yy, y))),
    "prior_mean_lost": ("The prediction starts from the prior mean mu_w.",
                        lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
                            reference.gaussian_conditional(0 * mu_w, mu_y, S_ww, S_wy, S_yy, y))),
    "sign": ("The surprise is what was observed minus what was expected.",
             lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
                 reference.gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, 2 * mu_y - y))),
    "cov_prior": (
        "The covariance shrinks once Y is known; this is the prior's.",
        lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
            (reference.gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y)[0], S_ww.copy()))),
    "variances_only": (
        "The observations are correlated with each other: the whole of S_yy is inverted, not only "
        "its diagonal.",
        lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
            reference.gaussian_conditional(mu_w, mu_y, S_ww, S_wy, np.diag(np.diag(S_yy)), y))),
    "elementwise": (
        "1 / S_yy inverts every entry; the inverse of the matrix is needed.",
        lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
            (mu_w + S_wy @ (1 / S_yy) @ (y - mu_y), S_ww - S_wy @ (1 / S_yy) @ S_wy.T))),
    "both_means_lost": (
        "The means are not zero: start from mu_w and subtract mu_y from what was observed.",
        lambda mu_w, mu_y, S_ww, S_wy, S_yy, y: (
            reference.gaussian_conditional(0 * mu_w, 0 * mu_y, S_ww, S_wy, S_yy, y))),
})
posterior.mistakes_of(map_ridge={
    "lam_variance_forgotten": ("The noise has variance lam; here it has variance 1.",
                               lambda X, y, lam: reference.map_ridge(X, y, 1.0)),
    "lam_squared": ("The noise is sqrt(lam) N: its variance is lam, not lam squared.",
                    lambda X, y, lam: reference.map_ridge(X, y, lam**2)),
    "lam_root": ("The noise is sqrt(lam) N: its variance is lam, not the root.",
                 lambda X, y, lam: reference.map_ridge(X, y, lam**0.5)),
    "inverse_taken_off": (
        "What knowing Y takes off the prior's I is A X, not the inverse of X^T X + lam I: with no "
        "data nothing is taken off.",
        lambda X, y, lam: (reference.map_ridge(X, y, lam)[0], np.eye(X.shape[1]) - (
            np.linalg.inv(X.T @ X + lam * np.eye(X.shape[1]))))),
    "precision": (
        "This is the precision matrix; its inverse is the covariance.",
        lambda X, y, lam: (reference.map_ridge(X, y, lam)[0], np.eye(X.shape[1]) + X.T @ X / lam)),
    "cov_of_the_estimate": (
        "This is how much the ridge weights vary with the noise; the belief about W is wider, "
        "since it also holds what the data do not determine.",
        lambda X, y, lam: (reference.map_ridge(X, y, lam)[0], (
            np.linalg.inv(X.T @ X + lam * np.eye(X.shape[1])) @ X.T @ X
            @ reference.map_ridge(X, y, lam)[1]))),
    "cov_of_y": (
        "This is the covariance of the observations; that of the weights is asked for.",
        lambda X, y, lam: (reference.map_ridge(X, y, lam)[0], X @ X.T + lam * np.eye(len(X)))),
})


@posterior.mistake("cov_plus", "Knowing Y can only reduce the uncertainty about W: subtract.")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    mean, cov = reference.gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y)
    return mean, 2 * S_ww - cov


@posterior.mistake("explained_only", "This is the part of the covariance that Y explains; what is "
                   "left of S_ww without it is asked for.")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    mean, cov = reference.gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y)
    return mean, S_ww - cov


@posterior.mistake("means_in_place", "The arguments belong to the caller: `y -= …` or `mu_w += …` "
                   "changes one of them.")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    found = reference.gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y)
    y -= mu_y
    return found


@posterior.mistake("cov_lam", "The inverse of X^T X + lam I must still be multiplied by lam: with "
                   "no data the covariance is the prior's, I.")
def map_ridge(X, y, lam):
    mean, cov = reference.map_ridge(X, y, lam)
    return mean, cov / lam


@posterior.mistake("no_prior", "These are least-squares weights and their covariance; the prior "
                   "pulls the mean towards 0 and bounds the covariance.")
def map_ridge(X, y, lam):
    inverse = np.linalg.pinv(X)
    return inverse @ y, lam * inverse @ inverse.T


@posterior.mistake("gain_squared", "The covariance of Z = W - A Y is S_ww - A S_wy^T; A A^T would "
                   "need Y to have the covariance I.")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    gain = np.linalg.solve(S_yy.T, S_wy.T).T
    return mu_w + gain @ (y - mu_y), S_ww - gain @ gain.T


@posterior.mistake("mean_times_lam", "If the covariance is the inverse of I + X^T X / lam, the "
                   "mean needs X^T y / lam as well.")
def map_ridge(X, y, lam):
    mean, cov = reference.map_ridge(X, y, lam)
    return lam * mean, cov


@posterior.variant("with an inverse")
def gaussian_conditional(mu_w, mu_y, S_ww, S_wy, S_yy, y):
    inverse = np.linalg.inv(S_yy)
    return mu_w + S_wy @ inverse @ (y - mu_y), S_ww - S_wy @ inverse @ S_wy.T


@posterior.variant("in the weights' own space")
def map_ridge(X, y, lam):
    cov = np.linalg.inv(np.eye(X.shape[1]) + X.T @ X / lam)
    return [cov @ X.T @ y / lam, cov]
