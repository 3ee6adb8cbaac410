"""Public cases of section 3: the policy gradient. Estimates within about eight standard errors."""

import numpy as np

from viva.case import case, outcome, rule
from viva.cases.gradient_estimators.score import draws, fresh

LOGITS = np.array([0.5, -0.3, 1.2, 0.0])
REWARDS = np.array([1.0, 3.0, -0.5, 2.0])


def table(rewards):
    """Rewards by a table: of one action or of many."""
    rewards = np.asarray(rewards, float)
    return lambda actions: rewards[np.asarray(actions, int)]


def softmax(logits):
    weights = np.exp(logits - np.max(logits))
    return weights / weights.sum()


@case("exact_policy_gradient")
def coin(rng, exact_policy_gradient):
    """two equal logits, rewards 1 and 0: (0.25, -0.25)"""
    return exact_policy_gradient(np.zeros(2), np.array([1.0, 0.0]))


@case("exact_policy_gradient")
def five_actions(rng, exact_policy_gradient):
    """five random logits and rewards"""
    return exact_policy_gradient(rng.normal(size=5), rng.normal(size=5))


@case("exact_policy_gradient")
def large_logits(rng, exact_policy_gradient):
    """logits 1000, 999 and -1000: no overflow"""
    return exact_policy_gradient(np.array([1000.0, 999.0, -1000.0]), np.array([1.0, 2.0, 3.0]))


@case("exact_policy_gradient", rtol=0, atol=0.05)  # a standard error is about 0.004
def sampled(rng, reinforce):
    """four actions, 60,000 samples: near the exact gradient"""
    return reinforce(LOGITS, table(REWARDS), 60_000, fresh(rng))


@case("exact_policy_gradient", rtol=0, atol=0.05)  # about 0.003
def sampled_with_baseline(rng, reinforce):
    """the same with 50 added to every reward and a baseline of 51"""
    return reinforce(LOGITS, table(REWARDS + 50), 60_000, fresh(rng), baseline=51.0)


@case("exact_policy_gradient", rtol=0, atol=0.06)  # about 0.006
def rarely_chosen(rng, reinforce):
    """logits (2, 0) and rewards (0, 5): the second action is rare, and better"""
    return reinforce(np.array([2.0, 0.0]), table([0.0, 5.0]), 60_000, fresh(rng))


@case("exact_policy_gradient")
def nothing_to_learn(rng, reinforce):
    """every reward 4, baseline 4: zeros, whatever is drawn"""
    return reinforce(LOGITS, table(np.full(4, 4.0)), 25, fresh(rng), baseline=4.0)


@case("exact_policy_gradient")
def single_sample(rng, reinforce):
    """one sample: (r(a) - baseline) times the score of the action a that was drawn"""
    found = reinforce(LOGITS, table(REWARDS), 1, fresh(rng), baseline=0.7)
    scores = np.eye(4) - softmax(LOGITS)
    gaps = np.abs((REWARDS - 0.7)[:, None] * scores - found).max(axis=1)
    return {"the term of one action": bool(gaps.min() < 1e-9), "sum": float(np.sum(found)),
            "the estimate is": "not zero" if np.any(found) else "zero"}


@case("exact_policy_gradient")
def drawn_only(rng, reinforce):
    """logits 0, -2000 and 0, eight samples: action 1 is never drawn, and its reward never asked"""
    asked, worth = [], table([1.0, 2.0, 3.0])

    def reward_fn(actions):
        asked.append(np.asarray(actions).ravel())
        return worth(actions)

    found = reinforce(np.array([0.0, -2000.0, 0.0]), reward_fn, 8, fresh(rng))
    words = {True: "asked for", False: "never asked for"}
    return {"rewards of actions that were drawn": words[bool(asked)],
            "the reward of action 1": words[any(1 in each for each in asked)],
            "shape": list(np.shape(found))}


@case("exact_policy_gradient")
def draws_from_rng(rng, reinforce):
    """the same state of rng gives the same estimate, another state another one"""
    return draws(rng, lambda dice: [reinforce(LOGITS, table(REWARDS), 100, dice)
                                    for _ in range(5)])  # two of them may agree by chance


@rule("exact_policy_gradient")
def draws_large_logits(rng, reinforce):
    """logits 1000, 999 and -1000, five samples: whether anything is raised"""
    return outcome(reinforce, np.array([1000.0, 999.0, -1000.0]), table([1.0, 2.0, 3.0]), 5,
                   fresh(rng))


@case("exact_policy_gradient", rtol=0, atol=0.05)  # about 0.005
def sampled_large_logits(rng, reinforce):
    """logits 1000, 999 and -1000, 30,000 samples: no overflow"""
    return reinforce(np.array([1000.0, 999.0, -1000.0]), table([1.0, 2.0, 3.0]), 30_000, fresh(rng))
