"""What the sections on batch norm state."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, literature

LEARNING_RATES = (0.3, 1, 3, 10, 30)


@functools.cache
def grown(notebook, seed):
    """Lengths and losses at every rate: five times (250, 2)."""
    return [notebook.train_normalised(rate, seed=seed) for rate in LEARNING_RATES]


@claim(title=("The weights only grow ...", "... and the loss hardly minds"))
def weights_only_grow(notebook, seed):
    losses = [history[-50:, 1].mean() for history in grown(notebook, seed)]
    return (*(above(np.diff(history[:, 0]).min() + 1, 1) for history in grown(notebook, seed)),
            below(max(losses) / min(losses), 1.1))


@cause(control="the same layer without batch norm")
def symmetry_makes_them_grow(notebook, seed):
    plain, exploded = (notebook.train_normalised(rate, seed=seed, normalised=False)
                       for rate in (0.01, 0.3))
    return (min(above(np.diff(each[:, 0]).min() + 1, 1) for each in grown(notebook, seed)),
            min(below(np.diff(plain[:, 0]).min(), -1e-3), above(exploded[-1, 1], 1e6)))


@claim()
def first_step_stretches(notebook, seed):
    lengths = grown(notebook, seed)[-1][:, 0]
    return above(lengths[1] / lengths[0], 3), below(lengths[-1] / lengths[1], 1.5)


@literature("van Laarhoven (2017), arXiv:1706.05350", place="abstract")
def decay_sets_the_rate():
    """L2 regularisation has no regularising effect with normalisation; it changes the scale of the
    weights and so the effective learning rate."""


@claim()
def two_directions(notebook, seed):
    rng = np.random.default_rng(seed)
    X, dY = rng.normal(3, 2, (8, 3)), rng.normal(size=(8, 3))
    Y, cache = notebook.bn_forward(X, np.ones(3), np.zeros(3), eps=1e-12)
    dX = notebook.bn_backward(dY, cache)[0]
    return (below(np.abs(dX.sum(axis=0)).max(), 1e-9), below(np.abs((dX * Y).sum(axis=0)).max(),
                                                             1e-9), above(np.abs(dX).max(), 0.01))


@claim(title="Running variance: fast and noisy, or slow and smooth")
def fast_or_smooth(notebook, seed):
    aim = notebook.datasets.digits()[0][0].var()
    fast, middle, slow = (notebook.running_path(each, seed) for each in (0.5, 0.1, 0.02))
    jumps = [np.diff(path[-60:]) / path[-60:-1] for path in (fast, middle)]
    return (below(abs(fast[15] / aim - 1), 0.1), above(slow[-1] / aim, 1.3),
            above(jumps[0].std() / jumps[1].std(), 3))
