"""The reparameterisation estimator."""

import numpy as np


def _noise(mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma cannot be negative")
    return rng.standard_normal((n, len(mu)))


def reparam_grad(grad_f, mu, sigma, n, rng):
    """Estimate of the gradient of E f(mu + sigma z) by mu: mean of grad f.

    grad_f (n, k) -> (n, k), mu (k,); sigma < 0 raises ValueError
    returns (mean (k,), variance of the mean (k,))
    """
    terms = np.asarray(grad_f(mu + sigma * _noise(mu, sigma, n, rng)))
    return terms.mean(axis=0), terms.var(axis=0) / n


def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    """Estimate of the derivative of E f(mu + sigma z) by sigma: mean of grad f . z.

    grad_f (n, k) -> (n, k), mu (k,); sigma < 0 raises ValueError
    returns (mean, variance of the mean), two numbers
    """
    z = _noise(mu, sigma, n, rng)
    terms = (grad_f(mu + sigma * z) * z).sum(axis=1)
    return float(terms.mean()), float(terms.var() / n)
