"""How large a dot product is, and what that does to a softmax."""

import numpy as np


def dot_moments(mu_q, sigma_q, mu_k, sigma_k):
    """(mean, variance) of q . k for independent q ~ N(mu_q, sigma_q^2 I), k ~ N(mu_k, sigma_k^2 I).

    The variance is d sigma_q^2 sigma_k^2 + sigma_q^2 |mu_k|^2 + sigma_k^2 |mu_q|^2.
    """
    mu_q, mu_k = np.asarray(mu_q, float), np.asarray(mu_k, float)  # (d,)
    noise = len(mu_q) * sigma_q**2 * sigma_k**2
    variance = noise + sigma_q**2 * (mu_k @ mu_k) + sigma_k**2 * (mu_q @ mu_q)
    return float(mu_q @ mu_k), float(variance)


def score_scale(d, sigma=1.0):
    """s with Var(q . k / s) = 1 for q, k ~ N(0, sigma^2 I_d): sigma^2 sqrt(d)."""
    return float(sigma**2 * np.sqrt(d))


def saturation(d, n, scale, trials, rng):
    """(mean of p, mean of 2 p (1 - p)) over trials; p is the largest of n softmax weights.

    Draws queries (trials, d), then keys (trials, n, d), all standard normal.
    """
    queries = rng.normal(size=(trials, d))
    keys = rng.normal(size=(trials, n, d))
    scores = np.einsum("td,tnd->tn", queries, keys) / scale
    p = 1 / np.exp(scores - scores.max(axis=1, keepdims=True)).sum(axis=1)  # (trials,)
    return float(p.mean()), float((2 * p * (1 - p)).mean())
