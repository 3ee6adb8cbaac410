"""What sections 1 and 2 state about two forms of momentum."""

import numpy as np

from viva_course.claiming import below, claim, near


@claim(seeds=1)
def momentum_by_hand(notebook, seed):
    theta, v, seen = 0.0, 0.0, []
    for g in (1.0, 2.0):
        theta, v = notebook.momentum_step(theta, v, g, alpha=0.5, eps=0.1)
        seen += [v, theta]
    return near(np.abs(np.subtract(seen, [0.1, -0.1, 0.25, -0.35])).max(), 0, within=1e-12)


@claim(seeds=1)
def unconverted_rate(notebook, seed):
    _, eps = notebook.momentum_from_ema(0.9, 0.1)
    return near(eps, 0.01, within=1e-12), near(0.1 / eps, 10, within=1e-9)


@claim()
def one_algorithm(notebook, seed):
    gaps = [notebook.largest_gap(beta, delta, seed=seed)
            for beta, delta in ((0.9, 0.1), (0.99, 1.0), (0.5, 2.0))]
    return below(max(gaps), 1e-12)
