"""The policy gradient of many walks of many steps."""

import numpy as np


def reward_to_go(rewards):
    """The sum of the rewards from each step on, along the first axis: (T, E)."""
    return np.asarray(rewards, float)[::-1].cumsum(axis=0)[::-1]


def walk_credit(rewards):
    """Reward to go minus that of the other walks at the same time, on average: (T, E).

    With one walk nothing is subtracted.
    """
    to_go = reward_to_go(rewards)
    others = max(to_go.shape[1] - 1, 1)
    return to_go - (to_go.sum(axis=1, keepdims=True) - to_go) / others


def walk_gradient(logits, states, actions, credit):
    """The mean over walks of the sum over steps of credit (e_a - p(s)), in row s: (S, m).

    logits (S, m); states, actions, credit (T, E)
    """
    weights = np.exp(logits - np.max(logits, axis=1, keepdims=True))
    p = weights / weights.sum(axis=1, keepdims=True)  # (S, m)
    found = np.zeros(p.shape)
    np.add.at(found, (states, actions), credit)
    np.add.at(found, states, -credit[..., None] * p[states])
    return found / states.shape[1]
