"""Public cases of section 6: a loss whose gradient is that of an expected reward.

No network is trained. What is judged is the gradient: its mean over many draws, and its variance.
"""

import numpy as np
import torch

from viva.case import candidate_side, case
from viva.cases.gradient_estimators.score import fresh

LOGITS = np.array([[0.5, -0.3, 1.2, 0.0], [0.0, 1.0, -1.0, 0.3], [-0.6, 0.2, 0.4, 0.9]])
WORTH = np.array([[6.0, 1.0, -3.0, 2.0], [0.0, -4.0, 5.0, 3.0], [4.0, -2.0, 7.0, -5.0]])


@candidate_side
def gradients(reward_loss, logits, worth, times, seed):
    """The gradients of `times` losses, (times, N, m); worth (N, m): of every answer."""
    rng, rows, threads = np.random.default_rng(seed), np.arange(len(worth)), torch.get_num_threads()
    leaf, found = torch.tensor(logits, requires_grad=True), np.empty((times, *worth.shape))
    torch.set_num_threads(1)  # twelve numbers: a second thread takes twenty times as long
    try:
        for turn in range(times):
            loss = reward_loss(leaf, lambda answers: worth[rows, np.asarray(answers)], rng)
            found[turn] = torch.autograd.grad(loss, leaf)[0].numpy()
    finally:
        torch.set_num_threads(threads)
    return found


def drawn(reward_loss, rng, logits=LOGITS, worth=WORTH, times=1):
    return np.asarray(gradients(reward_loss, logits, worth, times, int(rng.integers(2**32))))


def statistics(reward_loss, rng, logits, worth, times):
    """The mean of the gradients, (N, m), and their variances, added over all entries."""
    found = drawn(reward_loss, rng, logits, worth, times)
    return found.mean(axis=0), float(found.var(axis=0).sum())


@case("reward_loss")
def one_point(rng, reward_loss):
    """one point, four equal logits, every answer worth 3: 0.75 for three logits, -2.25 for one"""
    return np.sort(drawn(reward_loss, rng, np.zeros((1, 4)), np.full((1, 4), 3.0)).ravel())


@case("reward_loss", rtol=0, atol=0.1)  # two means of 6,000 draws differ by 0.015 or less
def mean_gradient(rng, reward_loss):
    """three points, the mean gradient of 6,000 draws: near the exact one"""
    return statistics(reward_loss, rng, LOGITS, WORTH, 6000)[0]


@case("reward_loss", rtol=0.4, atol=0.0)  # two of them differ by 4%
def variance(rng, reward_loss):
    """three points, the variance of 2,000 gradients, added over all entries"""
    return statistics(reward_loss, rng, LOGITS, WORTH, 2000)[1]


@case("reward_loss", atol=1e-8)  # differences of rewards near 100
def shifted(rng, reward_loss):
    """100 added to all rewards: by how much the gradient of one draw changes"""
    seed = int(rng.integers(2**32))
    plain, again, more = (np.asarray(gradients(reward_loss, LOGITS, worth, 20, seed))
                          for worth in (WORTH, WORTH, WORTH + 100))
    if not np.array_equal(plain, again):
        return "the same state of rng gives other gradients, before anything is added"
    return (more - plain)[0]


@case("reward_loss")
def what_is_asked(rng, reward_loss):
    """six points: `ask` is called once, with six integers that are answers"""
    asked = []

    def ask(answers):
        asked.append(np.asarray(answers))
        return rng.normal(size=6)

    loss = reward_loss(torch.tensor(rng.normal(size=(6, 3)), requires_grad=True), ask, fresh(rng))
    return {"calls": len(asked), "shapes": [list(each.shape) for each in asked],
            "integers": all(np.issubdtype(each.dtype, np.integer) for each in asked),
            "answers are 0, 1 or 2": all(bool(np.isin(each, range(3)).all()) for each in asked),
            "numbers in the loss": int(np.prod(loss.shape))}


@case("reward_loss")
def frequencies(rng, reward_loss):
    """20,000 points with the probabilities 0.7, 0.2 and 0.1: how often answers are given"""
    asked = []

    def ask(answers):
        asked.append(np.bincount(np.asarray(answers), minlength=3))
        return np.zeros(len(answers))

    logits = torch.tensor(np.log([[0.7, 0.2, 0.1]]), requires_grad=True)
    reward_loss(logits.expand(20_000, 3), ask, fresh(rng))
    return [round(float(each), 1) for each in asked[0] / 20_000]


@case("reward_loss")
def same_state(rng, reward_loss):
    """two generators in the same state: the same loss"""
    seed = int(rng.integers(2**32))
    first, again = (np.asarray(gradients(reward_loss, LOGITS, WORTH, 20, seed)) for _ in range(2))
    return {"the loss is": "the same" if np.array_equal(first, again) else "another one"}


@case("reward_loss")
def large_logits(rng, reward_loss):
    """logits 1000, 0 and -1000 at two points: a gradient of zeros, no overflow"""
    logits = np.array([[1000.0, 0.0, -1000.0], [-1000.0, 1000.0, 0.0]])
    return drawn(reward_loss, rng, logits, np.array([[2.0, 1.0, 0.0], [3.0, 5.0, 4.0]]))
