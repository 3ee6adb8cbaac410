"""What sections 1 to 4 state about the estimators."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim()
def factor_250000(notebook, seed):
    score, _, reparam = notebook.variances(10, 0.1, 40_000, seed)
    return near(score / reparam, 250_000, within=25_000)


@claim(seeds=1)
def score_by_hand(notebook, seed):
    return near(notebook.score_gaussian(np.array([3.0]), np.array([1.0]), 2.0)[0], 0.5, 1e-9)


@claim(seeds=1)
def density_at_zero(notebook, seed):
    return near(np.exp(-((0.4 / 0.7) ** 2) / 2) / np.sqrt(2 * np.pi) / 0.7, 0.4841, 5e-5)


@claim(title="The best baseline is a little above the mean of f")
def best_constant_is_6(notebook, seed):
    baselines = np.linspace(4, 8, 41)
    spread = [notebook.score_grad(notebook.square, np.array([1.0, -2.0]), 0.5, 100_000,
                                  np.random.default_rng(seed), b)[1].sum()
              for b in (0.0, *baselines)]
    return (near(baselines[np.argmin(spread[1:])], 6, within=0.25),
            near(spread[0] / min(spread), 5, within=0.8))


@claim()
def three_variances(notebook, seed):
    found = notebook.variances(10, 0.1, 40_000, seed)
    return (near(found[0], 10_000, within=700), near(found[1], 44, within=3),
            near(found[2], 0.04, within=0.003))


@claim(title="Only the score estimator pays for dimensions")
def variance_laws(notebook, seed):
    at = {(k, s): notebook.variances(k, s, 20_000, seed)[0]
          for k, s in ((8, 0.1), (32, 0.1), (8, 0.025))}
    return (near(at[32, 0.1] / at[8, 0.1], 16, within=2.5),
            near(at[8, 0.025] / at[8, 0.1], 16, within=2.5))


@claim(title="Small noise: one explodes, one vanishes")
def small_sigma(notebook, seed):
    small, large, wide = (notebook.variances(k, s, 20_000, seed)[1]
                          for k, s in ((10, 0.01), (10, 0.1), (40, 0.1)))
    return near(small / large, 1, within=0.1), near(wide / large, 164 / 44, within=0.4)


@claim()
def reparam_variance(notebook, seed):
    return tuple(near(notebook.variances(k, s, 20_000, seed)[2] / (4 * s**2), 1, within=0.05)
                 for k, s in ((4, 0.1), (64, 0.1), (10, 0.01)))


@claim()
def advantage_shrinks(notebook, seed):
    small, large = (notebook.variances(10, s, 20_000, seed) for s in (0.1, 3.0))
    return below((large[1] / large[2]) / (small[1] / small[2]), 0.05)


@claim(seeds=1)
def coin_by_hand(notebook, seed):
    found = notebook.exact_policy_gradient(np.zeros(2), np.array([1.0, 0.0]))
    return near(found[0], 0.25, 1e-9), near(found[1], -0.25, 1e-9)


@claim(title="Blurring removes the fast waves first")
def smoothed_numbers(notebook, seed):
    exact, rng = notebook.smoothed_grad_exact(0.3, 0.9, 0.3), np.random.default_rng(seed)
    found = {kind: np.array([notebook.smoothed_estimators(0.3, 0.9, 0.3, 20, rng, kind)
                             for _ in range(6000)]) for kind in ("score", "reparam", "fd")}
    spread = {kind: each.var(axis=0).sum() for kind, each in found.items()}
    off = {kind: np.abs(each.mean(axis=0) - exact).max() / (each.std(axis=0).max() / 6000**0.5)
           for kind, each in found.items()}
    fast, slow = np.exp(-80 * 0.2**2 / 2), np.exp(-31.25 * 0.2**2 / 2)
    return (near(exact[0], 2.80388, 5e-6), near(exact[1], 3.018627, 5e-7),
            near(spread["score"], 26, 2), near(spread["reparam"], 2.7, 0.25),
            near(spread["fd"], 2.2, 0.2), below(off["score"], 4), below(off["reparam"], 4),
            above(off["fd"], 10), holds(fast < 0.25 < 0.5 < slow))
