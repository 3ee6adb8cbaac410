"""What sections 7 and 8 state about directions, stability and bias."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, cause, claim, near


@claim(title="In twelve dimensions orthogonal directions lower the error")
def gain_of_orthogonal(notebook, seed):
    twelve = [notebook.orthogonal_gain(12, angle, seed=seed) for angle in notebook.ANGLES]
    return (between(min(twelve), 0.65, 0.95), between(max(twelve), 0.65, 0.95),
            between(notebook.orthogonal_gain(2, 120, seed=seed), 0.88, 1.05))


@claim(seeds=1)
def sixty_degrees_wobbles(notebook, seed):
    return above(np.ptp([notebook.orthogonal_gain(3, 60, seed=each) for each in range(10)]), 0.1)


@claim()
def one_constant_fails(notebook, seed):
    rng = np.random.default_rng(seed)
    Q, K = 1000 * rng.normal(size=(2, 16, 8))
    V, W = rng.normal(size=(16, 2)), rng.normal(size=(64, 8))
    q, k = Q / 8**0.25, K / 8**0.25
    logs = k @ W.T - (k**2).sum(axis=1, keepdims=True) / 2
    fQ, fK = np.exp(q @ W.T - (q @ W.T).max(axis=1, keepdims=True)), np.exp(logs - logs.max())
    return (above(np.mean(fQ @ fK.sum(axis=0) == 0), 1 / 3),
            below(np.isnan(notebook.performer_attention(Q, K, V, W)).sum(), 0.5))


def slope(notebook, size, seed):
    """Of the error against m, from 10 to 1995, in double-logarithmic axes."""
    errors = [notebook.performer_error(size, m, draws=20, seed=seed) for m in (10, 1995)]
    return np.log(errors[1] / errors[0]) / np.log(199.5)


@claim(title=r"The error falls as $1/\sqrt{m}$, if the scores are small")
def slope_of_small_scores(notebook, seed):
    return (near(slope(notebook, 0.3, seed), -0.5, within=0.1),
            above(slope(notebook, 1.2, seed), -0.2))


@functools.cache
def factors(notebook, m, size, seed):
    """By which factor the mean of 200 is better than one, for each estimate."""
    return {name: one / mean for name, (one, mean)
            in notebook.mean_of_many(m, size, seed=seed).items()}


@claim(title="The kernel: averaging works")
def kernel_mean(notebook, seed):
    found = [np.mean([factors(notebook, m, 0.6, seed)[f"kernel, {kind}"] for m in (4, 16, 64)])
             for kind in ("cosines", "positive")]
    return tuple(between(each, 10, 20) for each in found)


@claim()
def one_direction_is_blind(notebook, seed):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(3, 20, 8))
    out = notebook.performer_attention(Q, K, V, rng.normal(size=(1, 8)))
    return (below(np.ptp(out, axis=0).max(), 1e-9),
            above(notebook.mean_of_many(1, 0.6, seed=seed)["output"][1], 0.9))


@claim()
def orthogonal_helps_little(notebook, seed):
    ratios = [notebook.performer_error(size, m, True, seed=seed + 8)
              / notebook.performer_error(size, m, False, seed=seed + 8)
              for size in (0.3, 0.6, 1.2) for m in (16, 64, 256)]
    return between(np.mean(ratios), 0.8, 1.2)


@claim(title="The softmax: averaging leaves a bias")
def bias_at_16(notebook, seed):
    large = max(factors(notebook, m, 1.2, seed)["output"] for m in (1, 4, 16, 64, 256))
    return between(factors(notebook, 16, 0.6, seed)["output"], 4, 6.5), below(large, 3)


@cause(control="the kernel, of which the output is a ratio")
def softmax_is_biased(notebook, seed):
    found = factors(notebook, 16, 0.6, seed)
    return below(found["output"], 8), above(found["kernel, positive"], 8)
