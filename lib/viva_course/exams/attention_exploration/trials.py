"""The experiment with two heads in parts: what the mistakes of `multihead_experiment` share."""

import numpy as np

from viva_course.reference import attention_exploration as reference

MODES = ("single", "same", "split", "independent", "own")


def softmax(scores):
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def mean_of_heads(heads):
    return np.mean([softmax(scores) for scores in heads], axis=0)


def own(keys, W, head):
    return keys @ W[head].T


def run(mode, beta, trials, seed, n, alpha, W, queries=None, resample=("independent",),
        join=mean_of_heads, a=0, read=own, lacking=ValueError):
    """The experiment, with some of its parts exchanged; join: of the scores of the heads."""
    if mode not in MODES or mode == "own" and W is None and lacking:
        raise ValueError
    mu, rng = np.eye(n), np.random.default_rng(seed)
    both = beta * (mu[0] + mu[1])
    asked = {"single": [both], "split": [beta * mu[0], beta * mu[1]]}.get(mode, [both, both])
    asked = queries(mu, mode, asked) if queries else asked
    W = np.stack([mu, mu]) if mode != "own" or W is None else W
    rows = []
    for _ in range(trials):
        keys, heads = reference.sample_keys(mu, a, alpha, rng), []
        for i, query in enumerate(asked):
            if i and mode in resample:
                keys = reference.sample_keys(mu, a, alpha, rng)
            heads.append(read(keys, W, i) @ query)
        rows.append(join(heads))
    return np.array(rows)
