"""The score-function estimator."""

import numpy as np


def score_gaussian(x, mu, sigma):
    """The gradient of log N(x; mu, sigma^2 I) by mu, (x - mu) / sigma^2.

    x (..., k), mu (k,); sigma <= 0 raises ValueError
    returns (..., k)
    """
    if sigma <= 0:
        raise ValueError("sigma must be positive")
    return (np.asarray(x) - mu) / sigma**2


def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    """Estimate of the gradient of E f(x), x ~ N(mu, sigma^2 I), by mu: mean of (f - b) score.

    f (n, k) -> (n,), mu (k,), baseline a number; sigma <= 0 raises ValueError
    returns (mean (k,), variance of the mean (k,)): the terms' variance (ddof 0) over n
    """
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = (f(x) - baseline)[:, None] * score_gaussian(x, mu, sigma)  # (n, k)
    return terms.mean(axis=0), terms.var(axis=0) / n
