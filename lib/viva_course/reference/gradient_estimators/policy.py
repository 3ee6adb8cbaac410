"""The policy gradient of a categorical choice."""

import numpy as np


def _softmax(logits):
    weights = np.exp(np.asarray(logits, float) - np.max(logits))
    return weights / weights.sum()


def exact_policy_gradient(logits, rewards):
    """The gradient of sum_a p_a r_a by the logits: p (r - p . r).

    logits, rewards (m,)
    returns (m,)
    """
    p = _softmax(logits)
    return p * (rewards - p @ rewards)


def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    """Its estimate from n sampled actions: mean of (r(a) - b) (e_a - p).

    logits (m,), reward_fn (n,) integers -> (n,), baseline a number
    returns (m,)
    """
    p = _softmax(logits)
    actions = rng.choice(len(p), size=n, p=p)
    gains = reward_fn(actions) - baseline  # (n,)
    return (gains[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)
