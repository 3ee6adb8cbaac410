"""What sections 1 to 4 state about choices, scores and queries."""

import numpy as np
import torch

from viva_course.claiming import above, below, claim, holds, literature, near


def _errors(notebook, attend):
    """The squared error of the experiment's three keys, for 721 angles of the query."""
    turn = torch.tensor([0.0, 2.1, 4.2])
    K, V = torch.stack([torch.cos(turn), torch.sin(turn)], dim=1), torch.tensor([[0.0], [1], [2]])
    angles = torch.linspace(-np.pi, np.pi, 721)
    queries = 2 * torch.stack([torch.cos(angles), torch.sin(angles)], dim=1)
    return np.array([float((attend(q, K, V) - 1.2) ** 2) for q in queries])


@claim(title="The error of hard attention is a staircase", seeds=1)
def hard_is_flat(notebook, seed):
    errors = _errors(notebook, notebook.hard_attention)
    jumps = np.abs(np.diff(errors)) > 0
    return holds(len(set(errors.round(6))) == 3), below(jumps.sum(), 5)


@claim(seeds=1)
def warm_reaches_zero(notebook, seed):
    warm = _errors(notebook, notebook.soft_attention)
    cold = _errors(notebook, lambda *given: notebook.soft_attention(*given, 0.1))
    return (below(max(warm.min(), cold.min()), 1e-3),
            above(np.mean(np.abs(np.diff(warm)) > 1e-4), 0.9))


@claim(title="Scores spread as the dimension grows")
def peaked_then_normal(notebook, seed):
    excess, rng = {}, np.random.default_rng(seed)
    for d in (4, 256):
        scores = np.sum((0.2 + rng.normal(size=(20_000, d))) * (0.2 + rng.normal(size=(20_000, d))),
                        axis=1)
        mean, variance = notebook.dot_moments(np.full(d, 0.2), 1.0, np.full(d, 0.2), 1.0)
        excess[d] = np.mean((scores - mean) ** 4) / variance**2 - 3
    return above(excess[4], 0.5), below(abs(excess[256]), 0.25)


@literature("Vaswani et al. (2017)", place="section 3.2.1",
            quotes="pushing the softmax function into regions where it has extremely small "
                   "gradients")
def the_suspicion():
    """We suspect that for large values of d_k, the dot products grow large in magnitude."""


def _slopes(notebook, d, scale, seed, trials=300):
    return notebook.saturation(d, 16, scale, trials, np.random.default_rng(seed))


@claim(title=("Unscaled attention becomes a choice", "... and its gradient dies"))
def argmax_in_the_end(notebook, seed):
    p, slope = _slopes(notebook, 1024, 1.0, seed)
    rng, gaps = np.random.default_rng(seed), {}
    for d in (16, 256):  # a query for each trial
        keys, queries = rng.normal(size=(2000, 16, d)), rng.normal(size=(2000, d, 1))
        scores = np.sort((keys @ queries)[..., 0], axis=1)
        gaps[d] = np.mean(scores[:, -1] - scores[:, -2])
    return above(p, 0.9), below(slope, 0.1), near(gaps[256] / gaps[16], 4, within=0.5)


@claim()
def few_dimensions(notebook, seed):
    more = [_slopes(notebook, d, 1.0, seed, 2000)[1] - _slopes(
        notebook, d, notebook.score_scale(d), seed, 2000)[1] for d in (2, 4, 32, 64)]
    return above(min(more[:2]), 0), below(max(more[2:]), 0)


@claim()
def flat_when_scaled(notebook, seed):
    scaled = [_slopes(notebook, d, notebook.score_scale(d), seed) for d in (8, 64, 512)]
    shrunk = _slopes(notebook, 1024, 1024.0, seed)[1]
    spread = np.ptp(np.array(scaled), axis=0).max()
    return below(spread, 0.05), near(shrunk, 0.12, within=0.02)


@claim(title="Eight skew keys: the plain sum of two misses")
def sum_misses(notebook, seed):
    K = np.random.default_rng(seed).normal(size=(8, 10))
    scores = K @ K[[1, 4]].sum(axis=0)
    aimed = K @ notebook.query_for(K, [1, 4], 10.0)
    hand = np.array([[1.0, 0], [1, 1]])
    return (above(np.abs(np.delete(scores, [1, 4])).max(), 1), holds(hand[1] @ hand[0] == 1),
            below(np.abs(aimed - 10 * np.isin(np.arange(8), [1, 4])).max(), 1e-6))


@claim(title="The mass elsewhere falls exponentially", seeds=1)
def numbers_of_aiming(notebook, seed):
    total = 2 * np.exp(10) + 8
    betas = [notebook.min_beta(8, 2, tol) for tol in (1e-3, 1e-4, 1e-5)]
    return (near(notebook.min_beta(10, 2, 1e-3), 8.29305, within=1e-5),
            near(np.exp(10) / total, 0.499909, within=1e-6), near(1 / total, 2.3e-5, within=5e-7),
            below(np.abs(np.diff(betas) - np.log(10)).max(), 0.01))
