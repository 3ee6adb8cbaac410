"""What sections 4 to 7 and 11 state about Adam and decay."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, literature, near


@literature("Loshchilov and Hutter (2019), arXiv:1711.05101", place="abstract")
def decay_in_the_wrong_way():
    """L2 regularisation and weight decay are equivalent for plain gradient descent, which is not
    the case for Adam; common implementations call L2 regularisation weight decay."""


def first_steps(notebook, corrected):
    """Adam's first step over its rate, for gradients of three sizes, (3,)."""
    sizes = []
    for g in (1e-3, 1.0, 1e3):
        theta, state = notebook.adam_step(np.zeros(1), np.array([g]), {}, lr=0.1)
        plain = state["m"] / np.sqrt(state["v"])
        sizes.append(float(-theta[0] / 0.1 if corrected else plain[0]))
    return np.array(sizes)


@cause(control="the same step with averages that are not corrected", seeds=1)
def first_step_is_the_rate(notebook, seed):
    return (near(np.abs(first_steps(notebook, True) - 1).max(), 0, within=1e-4),
            above(first_steps(notebook, False).min(), 3))


@claim(seeds=1)
def first_step_uncorrected(notebook, seed):
    return near(np.abs(first_steps(notebook, False) - 3.16).max(), 0, within=0.005)


@claim(seeds=1)
def decay_by_hand(notebook, seed):
    lam = notebook.equivalent_decay(0.1, 0.05)
    return (near(notebook.sgd_l2_step(1.0, 0.0, 0.1, 0.05), 0.99, within=1e-12),
            near(notebook.sgd_wd_step(1.0, 0.0, 0.1, lam), 0.99, within=1e-12))


@cause(control="a decay that keeps its first value while the rate falls")
def decay_follows_the_rate(notebook, seed):
    def gap(follows):
        rng, gamma = np.random.default_rng(seed), 0.3
        penalised = decayed = rng.normal(size=5)
        for t in range(30):
            g, lr = rng.normal(size=5), 0.2 * (1 - t / 30)
            penalised = notebook.sgd_l2_step(penalised, g, lr, gamma)
            lam = notebook.equivalent_decay(lr if follows else 0.2, gamma)
            decayed = notebook.sgd_wd_step(decayed, g, lr, lam)
        return np.abs(penalised - decayed).max()

    return below(gap(True), 1e-12), above(gap(False), 1e-3)


@claim(seeds=1)
def adam_decay_by_hand(notebook, seed):
    moves = [[2 - rule(np.array([2.0]), np.zeros(1), {}, lr=0.1, lam=lam)[0][0]
              for rule in (notebook.adamw_step, notebook.adam_l2_step)] for lam in (0.5, 0.05)]
    return near(np.abs(np.subtract(moves, [[0.1, 0.1], [0.01, 0.1]])).max(), 0, within=1e-6)


@claim()
def factor_of_adamw(notebook, seed):
    means = [notebook.decay_experiment(notebook.adamw_step, scale, seed=seed)
             for scale in (0.03, 1.0, 30.0)]
    return near(np.abs(np.subtract(means, 0.819)).max(), 0, within=0.03)


@functools.cache
def curves(notebook, seed):
    """Mean weights of Adam-L2 and AdamW for noise of scale 0.03, 0.5, 2 and 30, (2, 4)."""
    return np.array([[notebook.shrunk(rule, scale, seed) for scale in (0.03, 0.5, 2.0, 30.0)]
                     for rule in (notebook.adam_l2_step, notebook.adamw_step)])


@claim(title="AdamW shrinks all alike, Adam-L2 those with small gradients")
def whom_they_shrink(notebook, seed):
    penalised, decoupled = curves(notebook, seed)
    return (near(np.abs(decoupled - 0.82).max(), 0, within=0.03), below(penalised[0], 0.1),
            above(penalised[-1], 0.95), holds(np.all(np.diff(penalised) > 0)))


@claim()
def cross_near_one(notebook, seed):
    penalised, decoupled = curves(notebook, seed)
    return above(decoupled[1], penalised[1]), above(penalised[2], decoupled[2])


@claim()
def a_hundred_times(notebook, seed):
    def pulled(rule, scale):  # by the decay alone: the same noise without it is taken off
        free, held = (notebook.decay_experiment(rule, scale, steps=200, lam=lam, seed=seed)
                      for lam in (0.0, 0.01))
        return free - held

    rare, common = (pulled(notebook.adam_l2_step, scale) for scale in (0.1, 10.0))
    alike = pulled(notebook.adamw_step, 0.1) / pulled(notebook.adamw_step, 10.0)
    return near(rare / common, 100, within=30), near(alike, 1, within=0.1)


@claim(seeds=1)
def adamw_by_hand(notebook, seed):
    return near(float(notebook.one_torch_step()), 1.8, within=1e-5)
