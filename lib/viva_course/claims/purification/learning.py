"""What Part C states about descent and noise."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


@claim()
def rate_of_a_direction(notebook, seed):
    errors, rates = notebook.descent_errors(seed=seed, steps=10)
    return tuple(below(np.abs(errors[:, i] / errors[0, i] - rates[i] ** np.arange(11)).max(), 1e-9)
                 for i in range(3))


@claim(seeds=1)
def step_by_hand(notebook, seed):
    X, W = np.ones((1, 2)), np.zeros((1, 1))
    return (near(notebook.purifier_grad(W, X, 1.0)[0, 0], -4, within=1e-9),
            near(notebook.purify_gd(X, 1.0, 0.1, 1)[0][0, 0], 0.4, within=1e-9),
            near(notebook.purifier(X, 1.0)[0, 0], 2 / 3, within=1e-9),
            near(notebook.max_stable_step(X, 1.0), 1 / 3, within=1e-9))


@claim(title="Each direction has its own rate; the weakest is learned last")
def directions_descend(notebook, seed):
    errors, rates = notebook.descent_errors(seed=seed)
    lines = [np.abs(np.log(errors[:21, i] / errors[0, i]) - np.arange(21) * np.log(rates[i])).max()
             for i in (1, 2)]
    return (below(max(lines), 0.01), below(rates[0], 1e-9), below(errors[1, 0], 1e-12),
            above(errors[20, 2] / errors[0, 2], errors[20, 1] / errors[0, 1]))


@claim(seeds=1)
def balanced_step(notebook, seed):
    """Among steps between 0 and the bound, this one has the smallest worst rate."""
    curvatures = np.array([9, 4, 1]) + 0.5
    etas = np.linspace(0, 1 / curvatures[0], 10_001)
    worst = np.abs(1 - 2 * etas[:, None] * curvatures).max(axis=1)
    return near(etas[worst.argmin()], 1 / (9 + 1 + 2 * 0.5), within=1e-4)


@cause(control="the same data with a smaller penalty", seeds=1)
def penalty_helps_descent(notebook, seed):
    slowest = [notebook.descent_errors(lam)[1].max() for lam in (2.0, 0.0)]
    return below(slowest[0], 0.8), above(slowest[1], 0.85)


@claim()
def strongest_limits_the_step(notebook, seed):
    """Weaker directions may change as they like: the bound stays."""
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(size, 3)))[0] for size in (3, 6))
    bounds = [notebook.max_stable_step((U * s) @ V.T, 0.5) for s in ((3, 2, 1), (3, 0.2, 0.1))]
    X, start = (U * [3, 2, 1]) @ V.T, rng.normal(size=(3, 3))
    sizes = [np.linalg.norm(notebook.purify_gd(X, 0.5, factor * bounds[0], 2000, start)[0])
             for factor in (0.99, 1.01)]
    return near(bounds[1], bounds[0], within=1e-9), below(sizes[0], 10), above(sizes[1], 1e6)


@claim(seeds=1)
def penalty_of_eight_samples(notebook, seed):
    return near(notebook.denoising_lambda(0.5, 8), 2, within=1e-9)


@claim(title="Noise, averaged, is a penalty")
def funnel(notebook, seed):
    lam = notebook.denoising_lambda(0.5, 4)
    exact = notebook.purification_losses(notebook.W_noise, notebook.toy, lam)[2]
    one, hundred = (np.array(notebook.estimates(count, 200, seed)) for count in (1, 100))
    error = hundred.std() / np.sqrt(200)
    return (near(one.std() / hundred.std(), 10, within=3),
            near(hundred.mean(), exact, within=4 * error), holds(error < 0.01 * exact))
