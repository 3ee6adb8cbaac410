"""A key of unreliable length, and what one or two heads make of it."""

import numpy as np


def sample_keys(mu, a, alpha, rng):
    """Keys k_i ~ N(mu_i, alpha I), and k_a ~ N(mu_a, alpha I + mu_a mu_a^T / 2).

    mu (n, d). Draws the noise of all keys (n, d), then one number for key a. Returns (n, d).
    """
    keys = mu + np.sqrt(alpha) * rng.normal(size=np.shape(mu))  # (n, d)
    keys[a] += np.sqrt(0.5) * rng.normal() * mu[a]
    return keys


def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    """Weights on the n values, averaged over the heads, for each trial: (trials, n).

    Means are the rows of the identity, key 0 is the unreliable one (a = 0, b = 1).
    W (2, n, n): the key matrices of the mode "own"; head h reads the keys W_h k_i.
    """
    mu, rng = np.eye(n), np.random.default_rng(seed)
    both = beta * (mu[0] + mu[1])  # (n,)
    queries = {"single": [both], "same": [both, both], "independent": [both, both],
               "split": [beta * mu[0], beta * mu[1]], "own": [both, both]}
    if mode not in queries:
        raise ValueError(f"unknown mode {mode!r}")
    if mode == "own" and W is None:
        raise ValueError("heads with keys of their own need key matrices")

    def trial():
        keys = sample_keys(mu, 0, alpha, rng)
        weights = []
        for head, query in enumerate(queries[mode]):
            if head and mode == "independent":
                keys = sample_keys(mu, 0, alpha, rng)
            scores = (keys @ W[head].T if mode == "own" else keys) @ query  # (n,)
            weights.append(np.exp(scores - scores.max()))
            weights[-1] /= weights[-1].sum()
        return np.mean(weights, axis=0)  # (n,)

    return np.array([trial() for _ in range(trials)])
